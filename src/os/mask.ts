/**
 * Takes secrets out of text before it is stored or shown: those we were given, and everything in the shape of a
 * well-known vendor's key. To be used on a whole output, never on pieces of it. Takes linear time: every pattern is
 * a fixed beginning and a run of characters, which is bounded because an endless one runs out of stack.
 */

import { maskPrivateKeys } from './mask-pem.ts';

export const MASK = '[masked]';

/** Shorter values are placeholders (`none`, `ollama`), and masking them would tear ordinary text apart. */
const SHORTEST_SECRET = 8;

const CERTAIN_KEYS: readonly RegExp[] = [
  // GitHub
  /\b(?:gh[pousr]_[A-Za-z0-9]{16,4000}|github_pat_[A-Za-z0-9_]{20,4000})/g,
  // Google: API keys, access tokens, client secrets
  /\bAIza[A-Za-z0-9_-]{30,4000}/g,
  /\b(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,4000}/g,
  // Hugging Face
  /\bhf_[A-Za-z0-9]{30,4000}/g,
  // AWS: key ids, and the secret where it is named
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /(?<=\baws_secret_access_key["']?\s?[=:]\s?["']?)[A-Za-z0-9/+]{40}/gi,
  // What stands in an Authorization header
  /(?<=\bauthorization["']?:\s{0,4}["']?(?:basic|token)\s{1,4})[A-Za-z0-9._~+/=-]{8,4000}/gi,
  // JSON web tokens
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{0,4000}/g,
];

/** Shapes that ordinary words have too; a key has a digit among so many characters. */
const LIKELY_KEYS: readonly RegExp[] = [
  // OpenAI, Anthropic, OpenRouter, DeepSeek, Moonshot and others
  /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16,4000}/g,
  // Groq, Replicate, Together, Fireworks, xAI, Perplexity, NVIDIA, Cerebras
  /\b(?:gsk|r8|tgp_v1|fw)_[A-Za-z0-9_-]{20,4000}/g,
  /\b(?:xai|pplx|nvapi|csk)-[A-Za-z0-9_-]{20,4000}/g,
  // GitLab, Slack
  /\bgl(?:pat|ptt|rt|dt|cbt|soat|oas|ft|imt|agent)-[A-Za-z0-9_-]{20,4000}/g,
  /\bx(?:ox[a-z]|app)-[A-Za-z0-9-]{10,4000}/g,
  // Stripe, npm, PyPI, SendGrid, DigitalOcean
  /\b(?:[sr]k_(?:live|test)|whsec|npm)_[A-Za-z0-9]{16,4000}/g,
  /\b(?:pypi-|SG\.|do[opr]_v1_)[A-Za-z0-9_.-]{20,4000}/g,
  /(?<=\bbearer\s{1,4})[A-Za-z0-9._~+/=-]{16,4000}/gi,
];

export function maskSecrets(text: string, secrets: readonly string[]): string {
  let masked = maskPrivateKeys(text, MASK);
  for (const secret of longestFirst(secrets)) masked = masked.replaceAll(secret, MASK);
  for (const pattern of CERTAIN_KEYS) masked = masked.replaceAll(pattern, MASK);
  for (const pattern of LIKELY_KEYS) masked = masked.replaceAll(pattern, maskIfKey);
  return masked;
}

function maskIfKey(word: string): string {
  return /\d/.test(word) ? MASK : word;
}

/** The same for bytes of any kind; what is not masked stays as it is, valid UTF-8 or not. */
export function maskBytes(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  // Latin-1 has one character for each byte, so nothing is lost on the way there and back.
  const text = latin1(bytes);
  const masked = maskSecrets(
    text,
    secrets.map((secret) => latin1(Buffer.from(secret))),
  );
  return masked === text ? bytes : Buffer.from(masked, 'latin1');
}

/** A secret may be the beginning of another one. */
function longestFirst(secrets: readonly string[]): readonly string[] {
  return secrets.filter((s) => s.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
