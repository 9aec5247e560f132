/**
 * Answers one question about a run: a conversation beside it, that looks and changes nothing. It is not stored, for
 * nothing follows from it; what it costs is reserved and charged on an account of its own.
 */

import type { AssistantMessage, Message, ModelEvent, ModelFinal, ModelRequest } from '../contract/model.ts';
import type { Ceilings, Clock } from '../contract/ports.ts';
import type { Tool } from '../contract/tool.ts';
import { firstInput } from '../kernel/ledger-room.ts';
import { withRetries } from '../model/retry.ts';
import type { Account } from './account.ts';
import type { RoleModel } from './play/world.ts';
import { SYSTEM } from './prompts/guide.ts';
import { wireOf } from './session-request.ts';
import { bytesOf } from './session-talk.ts';
import { answerCalls } from './session-tools.ts';

export interface Asking {
  readonly role: RoleModel;
  readonly tools: readonly Tool[];
  readonly account: Account;
  readonly ceilings: Ceilings | null;
  /** Id of the run. */
  readonly run: string;
  /** 1-based: which question of this shell. */
  readonly number: number;
  /** What was said before, then what is asked now. */
  readonly messages: readonly Message[];
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly mask: (text: string) => string;
  /** For a person who watches. */
  readonly progress: (event: ModelEvent) => void;
}

export type QuestionEnd =
  | { readonly type: 'answered'; readonly text: string; readonly cut: boolean }
  /** `refused`: nothing was sent, for want of budget. */
  | { readonly type: 'failed'; readonly refused: boolean; readonly message: string }
  /** The signal fired. */
  | { readonly type: 'stopped' };

/** Requests for one answer; with the last one there is no tool any more. */
const TURNS = 12;

/** Tokens of one reply, and those below which it is of no use. */
const OUTPUT = 4_096;
const FLOOR = 512;

export async function answerQuestion(asking: Asking, signal: AbortSignal): Promise<QuestionEnd> {
  const { tools, mask } = asking;
  const messages = asking.messages.map((message) => ({ ...message, text: mask(message.text) }));
  for (let turn = 1; turn <= TURNS; turn++) {
    const isOver = turn === TURNS || isFull(asking, messages);
    const end = await ask(asking, { messages, turn, isOver }, signal);
    if (signal.aborted) return { type: 'stopped' };
    if (end.type === 'failed') {
      const { code, message } = end.fault;
      return { type: 'failed', refused: code === 'refused', message: mask(message) };
    }
    const reply = end.message;
    if (reply.calls.length === 0) return said(reply, end.finish === 'length', mask);
    if (isOver) return { type: 'failed', refused: false, message: NOTHING };
    const answered = await answerCalls({
      reply,
      tools,
      ending: () => false,
      repeats: () => 1,
      mask,
      signal,
    });
    messages.push(reply, ...answered.messages.map((message) => ({ ...message, text: mask(message.text) })));
  }
  throw new Error('a question has had all its turns and no end');
}

/** Bytes of a token, when it is guessed how long a request is. */
const USUAL_TOKEN = 3;

/** Another look would no longer fit the model's window. */
function isFull({ role }: Asking, messages: readonly Message[]): boolean {
  return bytesOf(messages) / USUAL_TOKEN > ROOM * questionRoom(role.window);
}

const ROOM = 0.7;

/** Tokens that a question may take of a window, its last answer apart. */
export function questionRoom(window: number): number {
  return Math.max(OUTPUT, window - 2 * OUTPUT);
}

const NOTHING = 'The model looked, and answered nothing. Ask again, more narrowly.';

function said({ text }: AssistantMessage, cut: boolean, mask: Asking['mask']): QuestionEnd {
  if (text.trim() !== '') return { type: 'answered', text: mask(text.trim()), cut };
  return { type: 'failed', refused: false, message: NOTHING };
}

interface Turn {
  readonly messages: readonly Message[];
  readonly turn: number;
  /** It must answer now. */
  readonly isOver: boolean;
}

async function ask(
  asking: Asking,
  { messages, turn, isOver }: Turn,
  signal: AbortSignal,
): Promise<ModelFinal> {
  const { role, account, ceilings, run, number, clock, random } = asking;
  const wire = wireOf(asking, { system: SYSTEM, tools: asking.tools }, messages);
  const model = withRetries({
    model: role.model,
    backOff: role.backOff,
    clock,
    random,
    before: ({ maxOutput }) =>
      account.ask(
        {
          call: `question ${number} turn ${turn}`,
          role: 'guide',
          model: role.name,
          final: false,
          input: firstInput(wire.bytes.length),
          maxOutput,
          floor: FLOOR,
          price: role.price,
        },
        { ceilings, run, clock, signal },
      ),
  });
  const request: ModelRequest = {
    key: { role: 'guide', node: '', round: number, turn, seat: 1 },
    messages: wire.messages,
    tools: wire.tools,
    toolChoice: isOver ? 'none' : 'auto',
    maxOutput: OUTPUT,
  };
  let end: ModelFinal | null = null;
  for await (const event of model.turn(request, signal)) {
    asking.progress(event);
    if (event.type === 'done' || event.type === 'failed') end = event;
  }
  if (end === null) throw new Error('a turn of a model has ended without a final event');
  return end;
}
