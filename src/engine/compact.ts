/**
 * Makes a conversation that fills the model's window short again: what the caller must never lose, word for word; a
 * summary of what happened; the last messages as they are. Without a summary the middle is dropped, and that is said.
 */

import type { Message, ToolCall } from '../contract/model.ts';
import type { Role, SessionId } from '../contract/session-event.ts';
import { firstInput, fits, holdFor, roomFor } from '../kernel/ledger-room.ts';
import { fenced } from './prompts/fence.ts';
import { SUMMARIZER, summarizerPacket } from './prompts/summarizer.ts';
import { playRound } from './session.ts';
import type { Compact, CompactRequest, RoundSpec, SessionDeps } from './session-spec.ts';
import { bytesOf, shortened } from './session-talk.ts';

export const compact: Compact = async (request, signal) => {
  const { spec, messages, forced } = request;
  // Refused as too long, the window is not what we were told; then only the conversation's own size says something.
  const size = forced ? bytesOf(messages) : spec.window * USUAL_TOKEN;
  const at = tailStart(messages, size * TAIL);
  const old = messages.slice(0, at);
  const keep = spec.keep();
  if (old.length === 0 || bytesOf(old) <= Buffer.byteLength(keep) + (forced ? 0 : LEAST_GAIN)) return null;
  const before = summaryIn(old);
  const summary = await summarize(request, transcript(old, before), signal);
  if (signal.aborted) return null;
  const past = fenced(PAST, summary ?? mechanical(old, before), { max: MOST_PAST });
  const head = `${keep}\n\n${HEADING}\n\n${past}`;
  return joined(head, messages.slice(at));
};

/** Stands between what is kept and the summary, so that the next compaction finds them. */
const HEADING = '# What has happened so far';

/** Written by a model, or made of what one wrote: it may not pass for the program's own words. */
const PAST = 'In the words of the model, or as a list of its calls';
const MOST_PAST = 32_000;

/** Part of the whole that the last messages may take. */
const TAIL = 1 / 4;

const USUAL_TOKEN = 3;

/** Bytes that a compaction must be able to save before a summary is paid for. */
const LEAST_GAIN = 8 * 1024;

const SUMMARY_TOKENS = 2_048;
const SUMMARY_FLOOR = 512;

/**
 * Where the messages begin that stay. Never at a result: it would have lost its call. What was said last and has no
 * reply yet stays whatever its length.
 */
function tailStart(messages: readonly Message[], most: number): number {
  let start = messages.length;
  while (start > 0 && messages[start - 1]?.role === 'user') start -= 1;
  let size = bytesOf(messages.slice(start));
  // The first message is what `keep` and the summary stand for.
  for (let at = start - 1; at > 0; at--) {
    const message = messages[at];
    size += bytesOf(message);
    if (size > most) break;
    if (message?.role !== 'tool') start = at;
  }
  return start;
}

/** What was said before the first reply that stays is part of the first message: roles take turns. */
function joined(head: string, tail: readonly Message[]): readonly Message[] {
  const first = tail.findIndex(({ role }) => role !== 'user');
  const said = first < 0 ? tail : tail.slice(0, first);
  const text = [head, ...said.map((message) => (message.role === 'user' ? message.text : ''))].join('\n\n');
  return [{ role: 'user', text }, ...tail.slice(said.length)];
}

/** Null when the model did not write one. */
async function summarize(
  { deps, spec, messages, done, forced }: CompactRequest,
  text: string,
  signal: AbortSignal,
): Promise<string | null> {
  // No more bytes than the window has tokens: it fits, whatever the model makes of a byte.
  const told = spec.window - SUMMARY_TOKENS - 2_048 - Buffer.byteLength(SUMMARIZER);
  const room = forced ? Math.min(told, bytesOf(messages) / 3) : told;
  const packet = summarizerPacket(fitted(text, Math.max(2_000, Math.floor(Math.min(room, MOST_TRANSCRIPT)))));
  const summarizer: RoundSpec = {
    ...spec,
    id: summarizerOf(spec.id, done + 1),
    call: `${spec.call} summary`,
    maxOutput: SUMMARY_TOKENS,
    floor: SUMMARY_FLOOR,
    system: SUMMARIZER,
    ask: () => Promise.resolve(packet),
    tools: [],
    toolChoice: 'auto',
    ending: () => false,
    turns: 1,
    compact: null,
  };
  if (!isAffordable(deps, summarizer, Buffer.byteLength(packet))) return null;
  const end = await playRound(deps, summarizer, signal);
  return end.type === 'said' && end.text.trim() !== '' ? end.text.trim() : null;
}

/** A summary is not worth the pause that its request would cause if the budget has no room for it. */
function isAffordable({ say }: SessionDeps, spec: RoundSpec, bytes: number): boolean {
  const { ledger } = say.state();
  if (ledger === null) return false;
  const { call, modelName: model, final, maxOutput, floor, price } = spec;
  // The packet as JSON: escapes make it longer, but hardly ever by more than a quarter.
  const input = firstInput(Math.ceil((bytes + Buffer.byteLength(SUMMARIZER)) * 1.25));
  const request = { call, role: spec.id.role, model, final, input, maxOutput, floor, price };
  return fits(holdFor(ledger, request, floor), roomFor(ledger, { final, alone: true }));
}

const ROLES: readonly Role[] = [
  'worker',
  'planner',
  'briefer',
  'skeptic',
  'strategist',
  'summarizer',
  'agent',
];

/** A session of its own for each compaction of each session: another one's summary must never be found under it. */
function summarizerOf({ role, node, born, series, seat }: SessionId, nth: number): SessionId {
  const base = role === 'worker' ? 0 : ROLES.indexOf(role) * 1_000_000 + series * 1_000;
  return { role: 'summarizer', node, born, series: base + nth, seat };
}

const MOST_TRANSCRIPT = 160_000;
const MOST_SAID = 4_000;
const MOST_RESULT = 1_200;
const MOST_ARGS = 600;
const MOST_BEFORE = 12_000;

/** The conversation for a reader; `before`: the summary that it begins with. */
function transcript(messages: readonly Message[], before: string | null): string {
  const [head, rest] =
    before === null ? [[], messages] : [[`[before]\n${shortened(before, MOST_BEFORE)}`], messages.slice(1)];
  return [...head, ...rest.map(shown)].join('\n\n');
}

function shown(message: Message): string {
  switch (message.role) {
    case 'system':
      return '';
    case 'user':
      return `[program]\n${shortened(message.text, MOST_SAID)}`;
    case 'assistant':
      return [
        `[model]`,
        shortened(message.text, MOST_SAID),
        ...message.calls.map((call) => shownCall(call, MOST_ARGS)),
      ]
        .filter((line) => line !== '')
        .join('\n');
    case 'tool':
      return `[result]\n${shortened(message.text, MOST_RESULT)}`;
  }
}

function shownCall({ name, args }: ToolCall, most: number): string {
  return `> ${name} ${shortened(args, most)}`;
}

function fitted(text: string, most: number): string {
  let fit = shortened(text, most);
  for (let chars = most; Buffer.byteLength(fit) > most && chars > 100; chars = Math.floor(chars * 0.7)) {
    fit = shortened(text, chars);
  }
  return fit;
}

function summaryIn(messages: readonly Message[]): string | null {
  const first = messages[0];
  if (first?.role !== 'user') return null;
  const at = first.text.lastIndexOf(`\n${HEADING}\n`);
  const past = at < 0 ? null : /\n(`{3,})text\n([^]*?)\n\1(?:\n|$)/.exec(first.text.slice(at));
  return past?.[2] ?? null;
}

const CALLS_LISTED = 40;

function mechanical(old: readonly Message[], before: string | null): string {
  const calls = old.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  const listed = calls.slice(-CALLS_LISTED).map((call) => shownCall(call, 160).replaceAll('\n', ' '));
  return [
    ...(before === null ? [] : [shortened(before, MOST_BEFORE)]),
    `${old.length} messages of the conversation were left out here, and there is no summary of them. Look at what is there before you do anything again.`,
    ...(listed.length === 0 ? [] : [`The last ${listed.length} tool calls among them:`, ...listed]),
  ].join('\n');
}
