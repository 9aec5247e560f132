/** Stories for the provider: who says what. A step has the shape of a script's; what it leaves out fits everything. */

import type { Chat, ChatKey } from './rig-model-chat.ts';
import type { ProviderUsage } from './rig-model.ts';
import { chunk, data, DONE, stream, usageChunk } from './wire-replies.ts';
import type { WireReply } from './wire-server.ts';

export interface Step extends Partial<ChatKey> {
  readonly role: string;
  readonly text?: string;
  readonly reasoning?: string | null;
  readonly calls?: readonly { readonly name: string; readonly args?: unknown }[];
  readonly finish?: string;
  /** For stories that depend on what came back. */
  readonly when?: (chat: Chat) => boolean;
}

export interface StoryOptions {
  /** `none`: none is ever reported. `dear`: a token for every byte, and all of the output that was allowed. */
  readonly usage?: 'dear' | 'none';
  /** Skeptics of one panel, when their steps name seats: whoever comes again after a crash gets a seat again. */
  readonly panel?: { readonly node: number; readonly final: number };
}

/** Null when there is no step. */
export function replyTo(
  chat: Chat,
  story: readonly Step[],
  { usage: how, panel }: StoryOptions,
): { readonly wire: WireReply; readonly usage: ProviderUsage | null } | null {
  const { key } = chat;
  const seats = panel?.[key.node === 'gn-final' ? 'final' : 'node'] ?? Infinity;
  const seat = ((key.seat - 1) % seats) + 1;
  const step = story.find((one) => fits(one, { ...key, seat }) && (one.when?.(chat) ?? true));
  if (step === undefined) return null;
  const usage = how === 'none' ? null : how === 'dear' ? dearest(chat) : usageOf(chat, step);
  return { wire: wireOf(chat, step, usage), usage };
}

function fits(step: Step, key: ChatKey): boolean {
  const names = ['role', 'node', 'round', 'turn', 'seat'] as const;
  return names.every((name) => step[name] === undefined || step[name] === key[name]);
}

/** Three bytes a token; what a request has beyond the role's packet is taken for cached. */
function usageOf({ body }: Chat, step: Step): ProviderUsage {
  const tokens = (value: unknown) => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 3);
  const input = tokens([body.messages, body.tools]);
  const output = tokens([step.text ?? '', step.reasoning ?? '', step.calls ?? []]);
  return { input, cached: Math.floor(input / 2), output: Math.min(output, body.max_tokens ?? output) };
}

function dearest({ body }: Chat): ProviderUsage {
  const input = Buffer.byteLength(JSON.stringify([body.messages, body.tools]));
  return { input, cached: 0, output: body.max_tokens ?? 0 };
}

/** In pieces, as it would come: the text by words, arguments cut in two. */
function wireOf({ key }: Chat, step: Step, usage: ProviderUsage | null): WireReply {
  const { text = '', reasoning = null, calls = [], finish } = step;
  const deltas = [
    ...(reasoning === null ? [] : [{ reasoning_content: reasoning }]),
    ...text.split(/(?<= )/).map((content) => ({ content })),
    ...calls.flatMap(({ name, args = {} }, index) => {
      const written = typeof args === 'string' ? args : JSON.stringify(args);
      const half = Math.floor(written.length / 2);
      const id = `${key.role}-seat${key.seat}-${key.round}-${key.turn}-${index}`;
      return [
        { tool_calls: [{ index, id, type: 'function' as const, function: { name, arguments: '' } }] },
        { tool_calls: [{ index, function: { arguments: written.slice(0, half) } }] },
        { tool_calls: [{ index, function: { arguments: written.slice(half) } }] },
      ];
    }),
  ];
  return stream(
    data(chunk({ role: 'assistant', content: '' })),
    ...deltas.map((delta) => data(chunk(delta))),
    data(chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'))),
    ...(usage === null ? [] : [data(usageChunk(wireUsage(usage)))]),
    DONE,
  );
}

function wireUsage({ input, cached, output }: ProviderUsage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    // Some send it along, and it is never the price.
    cost: 0,
  };
}

export interface NodeText {
  readonly slug: string;
  readonly deps?: readonly string[];
  readonly scope?: readonly string[];
  readonly checks?: readonly { readonly run: string }[];
  readonly spec?: string;
  readonly frozen?: readonly string[];
}

export function planned(nodes: readonly NodeText[], checks: readonly { readonly run: string }[] = []): Step {
  const full = nodes.map((node) => ({
    title: `Do ${node.slug}`,
    spec: `${node.slug}.txt has a line that says done.`,
    scope: [`${node.slug}.txt`],
    checks: [{ run: `grep -q done ${node.slug}.txt` }],
    ...node,
  }));
  return { role: 'planner', calls: [{ name: 'submit_plan', args: { checks, nodes: full } }] };
}

export function bash(command: string) {
  return { name: 'bash', args: { command } };
}

export function report(more: Readonly<Record<string, unknown>> = {}) {
  return { name: 'report', args: { status: 'done', summary: 'It is done.', evidence: ['seen'], ...more } };
}

export function verdict(
  what: string,
  gaps: readonly string[] = [],
  more: Readonly<Record<string, unknown>> = {},
) {
  const args = { verdict: what, why: 'I have looked at it.', ...(gaps.length > 0 ? { gaps } : {}), ...more };
  return { name: 'verdict', args };
}

/** Looks at the tree, then says yes. */
export const ACHIEVED: readonly Step[] = [
  { role: 'skeptic', turn: 1, calls: [{ name: 'glob', args: { pattern: '*' } }] },
  { role: 'skeptic', turn: 2, calls: [verdict('achieved')] },
];

/** Writes the file of its node in the first turn, and reports in the second. */
export function writer(slug: string): readonly Step[] {
  const args = { path: `${slug}.txt`, content: 'done\n' };
  return [
    { role: 'worker', node: slug, turn: 1, text: 'I write it.', calls: [{ name: 'write', args }] },
    { role: 'worker', node: slug, turn: 2, calls: [report()] },
  ];
}

/** The plainest run: these nodes, each of which writes its file, and skeptics who say yes. */
export function plainStory(...slugs: readonly string[]): readonly Step[] {
  return [planned(slugs.map((slug) => ({ slug }))), ...slugs.flatMap(writer), ...ACHIEVED];
}
