/** Answers the tool calls of one reply: each gets its result, whatever it is, and none can end the program. */

import { fnv64 } from '../contract/ids.ts';
import type { AssistantMessage, JsonObject, ToolCall, ToolMessage } from '../contract/model.ts';
import type { ToolTrace } from '../contract/session-event.ts';
import type { Tool } from '../contract/tool.ts';
import { parseObject } from '../model/tool-args.ts';

/** The same call with the same result so often is a loop. */
export const SAME_RESULTS = 8;

/** How the trace of a call begins that nobody can read. */
export const MALFORMED = 'malformed arguments';

export interface Answered {
  readonly messages: readonly ToolMessage[];
  readonly results: readonly ToolTrace[];
}

interface Answer {
  readonly text: string;
  readonly line: string;
  readonly ok: boolean;
}

export interface Answering {
  /** As the model wrote it: a tool gets its arguments unmasked. */
  readonly reply: AssistantMessage;
  readonly tools: readonly Tool[];
  readonly ending: (tool: string, args: JsonObject) => boolean;
  /** Takes the hash of a result, and tells how often it has come since anything new did. */
  readonly repeats: (hash: string) => number;
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
}

/** One after the other, in the order in which they were made. */
export async function answerCalls(answering: Answering): Promise<Answered> {
  const { reply, repeats, mask, signal } = answering;
  const messages: ToolMessage[] = [];
  const results: ToolTrace[] = [];
  let stop: string | null = null;
  for (const call of reply.calls) {
    if (signal.aborted) stop ??= 'the run was stopped';
    const answer = stop === null ? await answerOne(answering, call) : notRun(stop);
    const trace = traceOf(call, answer, mask);
    messages.push({ role: 'tool', call: call.id, text: answer.text });
    results.push(trace);
    const count = repeats(trace.hash);
    if (answer.ok && endsRound(answering, call)) stop ??= 'the round was over before it';
    if (count >= SAME_RESULTS) stop ??= 'the same call had the same result too often';
  }
  return { messages, results };
}

/** The program died, or was stopped, between the reply and its results: nobody knows what was done. */
export function interrupted(reply: AssistantMessage, mask: (text: string) => string): Answered {
  const answers = reply.calls.map((call): readonly [ToolCall, Answer] => [call, flawOf(call) ?? CUT]);
  return {
    messages: answers.map(([call, { text }]) => ({ role: 'tool', call: call.id, text })),
    results: answers.map(([call, answer]) => traceOf(call, answer, mask)),
  };
}

const CUT: Answer = {
  text: 'The program was interrupted while this call was being handled. It may or may not have happened. Look at what is there before you do it again.',
  line: 'interrupted',
  ok: false,
};

function endsRound({ ending }: Answering, { name, args }: ToolCall): boolean {
  const parsed = parseObject(args);
  return parsed !== null && ending(name, parsed);
}

async function answerOne({ tools, signal }: Answering, call: ToolCall): Promise<Answer> {
  const flaw = flawOf(call);
  if (flaw !== null) return flaw;
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return unknown(call.name, tools);
  try {
    const result = await tool.run(JSON.parse(call.args), signal);
    if (result.ok) return { text: result.value.forModel, line: oneLine(result.value.forPerson), ok: true };
    const { code, message } = result.fault;
    return { text: message, line: oneLine(`${code}: ${message}`), ok: false };
  } catch (error) {
    // A bug of the tool, and no reason to lose the run: the model can do without it.
    const why = error instanceof Error ? error.message : String(error);
    return { text: `The tool failed: ${why}`, line: oneLine(`the tool failed: ${why}`), ok: false };
  }
}

/** Half of a command or of a file is worse than none of it. */
function flawOf({ name, flaw }: ToolCall): Answer | null {
  switch (flaw) {
    case null:
      return null;
    case 'truncated':
      return {
        text: `${name} was not run: your reply was cut off inside its arguments. Call it again with less at once.`,
        line: `${MALFORMED}: cut off`,
        ok: false,
      };
    case 'not_json':
      return {
        text: `${name} was not run: its arguments are not one JSON object. Call it again as its schema says.`,
        line: `${MALFORMED}: no JSON object`,
        ok: false,
      };
  }
}

/** The trace of a call for which there is no tool. */
export const NO_TOOL = 'no such tool';

function unknown(name: string, tools: readonly Tool[]): Answer {
  const names = tools.map((tool) => tool.name).join(', ');
  const text =
    names === ''
      ? `There is no tool ${JSON.stringify(name.slice(0, 80))}, and no other: answer in words.`
      : `There is no tool ${JSON.stringify(name.slice(0, 80))}. The tools are: ${names}.`;
  return { text, line: NO_TOOL, ok: false };
}

function notRun(why: string): Answer {
  return { text: `Not run: ${why}.`, line: `not run: ${why}`, ok: false };
}

function traceOf({ name, args }: ToolCall, answer: Answer, mask: (text: string) => string): ToolTrace {
  const hash = fnv64(JSON.stringify([name, mask(args), mask(answer.text)]));
  return { name, line: oneLine(mask(answer.line)), hash, ok: answer.ok };
}

const LONGEST_LINE = 200;

function oneLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length <= LONGEST_LINE
    ? line
    : `${line.slice(0, LONGEST_LINE - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
