/** Gathers the pieces of one streamed reply. Pure: knows nothing of time or connections. */

import type { Finish, ModelDone, ModelEvent, ModelUsage } from '../contract/model.ts';
import { textSink } from './text-sink.ts';
import { assembleCalls } from './tool-calls.ts';
import type { Piece } from './wire-chunk.ts';

export interface Reply {
  /** What this piece shows to whoever watches. */
  add(piece: Piece): readonly ModelEvent[];
  /** Whether the provider has said that the reply is over; only usage may follow. */
  ended(): boolean;
  /** Whether the provider has named its own failure as the end. */
  broken(): boolean;
  /** Characters gathered. */
  size(): number;
  done(): ModelDone;
}

/** The provider ran out of something, or lost the one behind it. */
const BROKEN = new Set(['error', 'insufficient_system_resource', 'network_error']);

export function gatherReply(): Reply {
  const text = textSink();
  const reasoning = textSink();
  const calls = assembleCalls();
  let finish: string | null = null;
  let usage: ModelUsage | null = null;

  return {
    add(piece) {
      text.add(piece.text);
      reasoning.add(piece.reasoning);
      // Some report with every chunk; the last one counts for all.
      usage = piece.usage ?? usage;
      finish = piece.finish ?? finish;
      const events: ModelEvent[] = [];
      if (piece.reasoning !== '') events.push({ type: 'reasoning', text: piece.reasoning });
      if (piece.text !== '') events.push({ type: 'text', text: piece.text });
      for (const delta of piece.calls) {
        for (const name of calls.add(delta)) events.push({ type: 'calling', name });
      }
      return events;
    },
    ended: () => finish !== null,
    broken: () => finish !== null && BROKEN.has(finish),
    size: () => text.length() + reasoning.length() + calls.size(),
    done() {
      const end = finishOf(finish);
      const made = calls.finish(end !== 'stop');
      return {
        type: 'done',
        message: {
          role: 'assistant',
          text: text.text(),
          reasoning: reasoning.length() === 0 ? null : reasoning.text(),
          calls: made,
        },
        // Half of the vendors say `stop` after calls, and some say `tool_calls` after none.
        finish: end === 'stop' && made.length > 0 ? 'tools' : end,
        usage,
      };
    },
  };
}

function finishOf(said: string | null): Exclude<Finish, 'tools'> {
  switch (said) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
      return 'length';
    case 'content_filter':
    case 'safety':
      return 'filter';
    default:
      return 'stop';
  }
}
