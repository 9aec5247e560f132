/**
 * A model that plays a script. Steps are found by the key of the turn, so neither the order of requests nor a crash
 * between them matters: the same turn asked again is answered the same.
 */

import type {
  AssistantMessage,
  Finish,
  Model,
  ModelDone,
  ModelEvent,
  ModelFailed,
} from '../contract/model.ts';
import type { ModelFault, ModelRequest, ModelUsage, ToolCall, TurnKey } from '../contract/model.ts';
import { finishCall } from './tool-args.ts';
import { keyText, showKey } from './script.ts';
import type { Script, ScriptFailure, ScriptStep } from './script.ts';

export interface ScriptedModel extends Model {
  /** Steps that no request has asked for, for people; at the end of a run they are a fault. */
  unasked(): readonly string[];
}

export function scriptedModel(name: string, script: Script): ScriptedModel {
  const steps = new Map(script.steps.map((step) => [keyText(step), step]));
  const asked = new Map<string, number>();

  function events(request: ModelRequest): readonly ModelEvent[] {
    const key = keyText(request.key);
    const step = steps.get(key);
    if (step === undefined) return [failed({ code: 'bad_request', message: missing(script, request.key) })];
    const before = asked.get(key) ?? 0;
    asked.set(key, before + 1);
    const failure = step.fails[before] ?? step.fail;
    return failure === undefined ? play(step, request) : [failed(failure)];
  }

  async function* turn(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    let begun = false;
    for (const event of signal.aborted ? [] : events(request)) {
      // Nothing here waits, but a stream that never gives way would behave unlike any other.
      await Promise.resolve();
      if (signal.aborted) break;
      yield event;
      if (event.type === 'done' || event.type === 'failed') return;
      begun = true;
    }
    yield { ...failed({ code: 'aborted' }), billable: begun };
  }

  return {
    name,
    turn,
    unasked: () =>
      script.steps
        .filter(isExpected)
        .filter((step) => !asked.has(keyText(step)))
        .map(showKey),
  };
}

/** What a person may ask, or not, is no part of the story. */
function isExpected({ role }: ScriptStep): boolean {
  return role !== 'guide';
}

function play(step: ScriptStep, request: ModelRequest): readonly ModelEvent[] {
  const events: ModelEvent[] = [];
  if (step.reasoning !== null) events.push({ type: 'reasoning', text: step.reasoning });
  if (step.text !== '') events.push({ type: 'text', text: step.text });
  for (const { name } of step.calls) events.push({ type: 'calling', name });
  events.push(reply(step, request));
  return events;
}

function reply(step: ScriptStep, request: ModelRequest): ModelDone {
  const cut = step.finish !== 'stop';
  const calls = step.calls.map(({ name, args }, at): ToolCall => {
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    return { id: `call${String(at).padStart(5, '0')}`, name, ...finishCall(text, cut), extra: null };
  });
  const message: AssistantMessage = { role: 'assistant', text: step.text, reasoning: step.reasoning, calls };
  const finish: Finish = cut ? step.finish : calls.length > 0 ? 'tools' : 'stop';
  return {
    type: 'done',
    message,
    finish,
    usage: step.usage === undefined ? counted(request, message) : step.usage,
  };
}

/** Four bytes a token: no vendor's count, but the same on every machine. */
function counted(request: ModelRequest, message: AssistantMessage): ModelUsage {
  const tokens = (value: unknown) => Math.ceil(new TextEncoder().encode(JSON.stringify(value)).length / 4);
  return {
    input: tokens([request.messages, request.tools]),
    cached: 0,
    output: Math.min(request.maxOutput, tokens([message.text, message.reasoning, message.calls])),
    reasoning: 0,
  };
}

const BILLABLE: ReadonlySet<ModelFault['code']> = new Set(['cut', 'idle', 'protocol']);

function failed(failure: ScriptFailure): ModelFailed {
  const message = failure.message ?? `The script lets this request fail (${failure.code}).`;
  return { type: 'failed', fault: { ...failure, message }, billable: BILLABLE.has(failure.code) };
}

/** Names what was asked for, and what the script has nearest to it. */
function missing(script: Script, key: TurnKey): string {
  const near =
    script.steps.filter(({ role, node }) => role === key.role && node === key.node).map(showKey)[0] ??
    script.steps.filter(({ role }) => role === key.role).map(showKey)[0];
  const hint =
    near === undefined ? `It has none for the role ${key.role}.` : `The nearest it has is ${near}.`;
  return `The script has no step for ${showKey(key)}. ${hint} Add the step.`;
}
