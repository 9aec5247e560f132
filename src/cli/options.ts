/** Values of options: parsed once, here. A malformed one is a usage error that shows the right form. */

import { InvalidArgumentError, Option } from 'commander';
import type { SandboxMode } from '../contract/settings.ts';
import { ADDRESS_FORM, isAddress } from './address.ts';
import type { Unwatched } from './away.ts';
import type { ConfigFlags } from './config.ts';
import { parseCost, parseDuration, parseTokens, parseUntil } from '../contract/amount.ts';

function parsed<T>(parse: (text: string) => T | null, form: string) {
  return (text: string): T => {
    const value = parse(text);
    if (value === null) throw new InvalidArgumentError(`Write it like ${form}.`);
    return value;
  };
}

export const maxTime = () =>
  new Option('--max-time <duration>', 'pause after this much running time').argParser(
    parsed(parseDuration, '90s, 20m or 2h30m'),
  );

export const until = () =>
  new Option('--until <time>', 'pause at this local time, the next such one').argParser(
    parsed((text) => parseUntil(text, Date.now()), '07:00 or 2026-12-24T07:00'),
  );

export const budget = () =>
  new Option('--budget <tokens>', 'tokens that models may use, as billed: input and output').argParser(
    parsed(parseTokens, '500k, 2m or 120000'),
  );

export const maxCost = () =>
  new Option('--max-cost <amount>', 'money that models may cost, like 5usd; needs a known price').argParser(
    parsed(parseCost, '5usd or 0.50usd'),
  );

/** `otherwise`: what it is when not given. */
export const concurrency = (otherwise: string) =>
  new Option('--concurrency <n>', `nodes in flight at once, 1 to 64 (${otherwise})`).argParser(
    parsed(parseConcurrency, 'a whole number from 1 to 64'),
  );

export const model = () =>
  new Option('--model <preset/model>', 'who plans and works, like openai/gpt-5, or scripted:FILE');

export const verifierModel = () =>
  new Option('--verifier-model <preset/model>', 'who verifies (the same model unless given)');

export const baseUrl = () =>
  new Option('--base-url <url>', 'address of an OpenAI-compatible server').argParser(
    parsed((text) => (isAddress(text) ? text : null), ADDRESS_FORM),
  );

export const sandbox = () =>
  new Option('--sandbox <mode>', 'commands in bubblewrap: where it works, never, or only there').choices([
    'auto',
    'off',
    'required',
  ]);

export const allowNet = () => new Option('--allow-net', 'let commands of models use the network');

export const skipLook = () =>
  new Option('--skip-look', 'do not look first whether the server serves the model');

export interface ModelOptions {
  readonly model?: string;
  readonly verifierModel?: string;
  readonly baseUrl?: string;
  readonly sandbox?: SandboxMode;
  readonly allowNet?: boolean;
}

export function modelFlags({ model, verifierModel, baseUrl, sandbox, allowNet }: ModelOptions): ConfigFlags {
  return {
    ...(model === undefined ? {} : { model }),
    ...(verifierModel === undefined ? {} : { verifierModel }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(allowNet === undefined ? {} : { allowNet }),
  };
}

function parseConcurrency(text: string): number | null {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= 64 ? count : null;
}

export const trust = () =>
  new Option('--trust', 'take the state directory for yours, though it was not made by you on this machine');

export const noBudget = () =>
  new Option('--no-budget', 'with --unattended: it is meant that nothing limits what it spends');

export const unattended = () =>
  new Option('--unattended', 'never ask; when the provider refuses, wait until it is worth going on, and do');

export const notify = () =>
  new Option('--notify <command>', 'run this with what happened as JSON on its standard input').argParser(
    parsed(
      (text) => (text.trim() === '' ? null : text),
      "'notify-send goalgraph', or any other shell command",
    ),
  );

export const stall = () =>
  new Option(
    '--stall <duration>',
    'say so when nothing happens for so long (30m with --unattended, else never)',
  ).argParser(parsed(parseDuration, '15m or 1h'));

export const detached = () =>
  new Option('--detach', 'go on in a process of its own, and give the terminal back');

export interface UnwatchedOptions {
  readonly budget?: number | false;
  readonly unattended?: boolean;
  readonly notify?: string;
  readonly stall?: number;
  readonly detach?: boolean;
}

export function unwatchedFrom({ budget, unattended, notify, stall }: UnwatchedOptions): Unwatched {
  return {
    unattended: unattended ?? false,
    noBudget: budget === false,
    notify: notify ?? null,
    stall: stall ?? null,
  };
}

export const maxMoves = (about = 'moves of a flow: how often its agent may be asked (1000)') =>
  new Option('--max-moves <n>', about).argParser(parsed(parseMoves, 'a whole number from 1 to 1000000'));

function parseMoves(text: string): number | null {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= 1_000_000 ? count : null;
}

export const maxRalphIterations = () =>
  new Option(
    '--max-ralph-iterations <n>',
    'after the first time ask again until the model says it is done, so often at most (-1: until budget or deadline); nothing is verified',
  ).argParser(parsed(parseIterations, 'a whole number from -1 to 1000000'));

function parseIterations(text: string): number | null {
  const count = /^(?:-1|\d{1,7})$/.test(text) ? Number(text) : NaN;
  return count <= 1_000_000 ? count : null;
}

export interface LimitOptions {
  /** False: that there is none was said. */
  readonly budget?: number | false;
  readonly maxCost?: number;
  readonly maxTime?: number;
  readonly until?: number;
}

/** What `resume` adds to what is left. */
export function addedFrom(flags: LimitOptions & { readonly maxMoves?: number }) {
  return { ...limitsFrom(flags), moves: flags.maxMoves ?? null };
}

export function limitsFrom({ budget, maxCost, maxTime, until }: LimitOptions) {
  return {
    tokens: budget === false ? null : (budget ?? null),
    cost: maxCost ?? null,
    maxTime: maxTime ?? null,
    until: until ?? null,
  };
}
