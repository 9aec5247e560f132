/** What is typed without a slash: a question to a model about the run, one at a time, beside whatever goes on. */

import type { ModelEvent } from '../../contract/model.ts';
import { never } from '../../contract/never.ts';
import type { Account } from '../../engine/account.ts';
import type { QuestionEnd } from '../../engine/question.ts';
import { complain, visible, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { plain } from '../render/text.ts';
import { gather, type Mask } from './gather.ts';
import { nearest } from './near.ts';
import { STOP_WORDS } from './stop-words.ts';
import { COMMANDS, VERBS } from './table.ts';

export interface Questions {
  /** Resolves to an exit code when it is answered; what is streamed meanwhile is printed. */
  readonly ask: (question: string, chosenModel: string | null) => Promise<number>;
  /** Drops the one that is being answered. False when there was none. */
  readonly stop: () => boolean;
  readonly isBusy: () => boolean;
  /** What questions have cost here, in a sentence; null before the first. */
  readonly spent: () => string | null;
}

export interface Exchange {
  readonly question: string;
  readonly answer: string;
}

/** Earlier questions that a new one is asked with. */
const REMEMBERED = 4;

/** What all questions of one shell have in common. */
export interface Asked {
  account: Account | null;
  count: number;
  exchanges: readonly Exchange[];
}

export function makeQuestions(context: Context): Questions {
  const asked: Asked = { account: null, count: 0, exchanges: [] };
  let now: AbortController | null = null;
  const { output } = context;

  async function answer(question: string, chosenModel: string | null, signal: AbortSignal) {
    // Loaded with the first question: the shell is there before.
    const { answerHere } = await import('./answer.ts');
    const heard = listener(context);
    const end = await answerHere({ context, asked, question, chosenModel, heard, signal });
    if (!end.ok) return complain(context, end.fault);
    const code = endCode(end.value, context);
    if (end.value.type === 'answered') {
      const exchange = { question, answer: end.value.text };
      asked.exchanges = [...asked.exchanges, exchange].slice(-REMEMBERED);
    }
    const cost = spent();
    if (cost !== null) output.out(output.palette.dim(cost));
    return code;
  }

  function spent(): string | null {
    if (asked.account === null) return null;
    const { account } = asked;
    return `Questions here: ${account.words()}; no part of the run's budget.`;
  }

  return {
    async ask(question, chosenModel) {
      const slip = meantCommand(question);
      if (slip !== null) return complain(context, { code: 'usage', message: slip });
      if (now !== null) return complain(context, { code: 'usage', message: BUSY });
      now = new AbortController();
      try {
        return await answer(question, chosenModel, now.signal);
      } finally {
        now = null;
      }
    },
    stop() {
      now?.abort();
      return now !== null;
    },
    isBusy: () => now !== null,
    spent,
  };
}

const BUSY =
  'A question is being answered, and there is one at a time. Ctrl-C or "stop" drops it, and pauses a run that goes on.';

/** A word alone is rather a command that lacks its slash than a question, and a slip in "stop" must not cost anything. */
function meantCommand(text: string): string | null {
  if (/\s/.test(text)) return null;
  const word = text.replace(/[?!.…]+$/, '');
  const stop = nearest(word, STOP_WORDS);
  if (stop !== null) return asked(stop);
  const starts = ['graph', 'goal', 'flow', 'skill', ...COMMANDS.map(({ name }) => name)];
  const command = nearest(word, starts);
  if (command !== null) return asked(`/${command}`);
  const verb = nearest(
    word,
    VERBS.map(({ name }) => name),
  );
  return verb === null ? null : asked(`/graph ${verb}`);
}

function asked(meant: string): string {
  return `Did you mean ${meant}? Nothing was done. A question has more than one word.`;
}

/** Characters of an answer that are shown: a model may say more than it was allowed. */
const MOST_SHOWN = 40_000;

/** Shows an answer as it comes. */
function listener({ output }: Context): (event: ModelEvent, mask: Mask) => void {
  const { ascii, palette } = output;
  let room = MOST_SHOWN;
  const lines = gather<null>(
    () => '',
    (_, line) => {
      if (room <= 0) return;
      room -= line.length + 1;
      output.out(room > 0 ? plain(line, ascii) : '(the rest of the answer is not shown)');
    },
  );
  return (event, mask) => {
    switch (event.type) {
      case 'text':
        lines.add(null, event.text, mask);
        return;
      case 'calling':
        lines.flush(null, mask);
        output.out(palette.dim(`-> ${plain(mask(event.name), ascii)}`));
        return;
      case 'retrying':
        lines.drop(null);
        output.out(palette.dim('(the request is tried again)'));
        return;
      case 'done':
      case 'failed':
        lines.flush(null, mask);
        return;
      case 'reasoning':
      case 'adapted':
        return;
      default:
        never(event);
    }
  };
}

function endCode(end: QuestionEnd, context: Context): number {
  switch (end.type) {
    case 'answered':
      if (end.cut) context.output.out('(cut: the answer had reached its longest)');
      return EXIT.complete;
    case 'failed':
      return complain(context, { code: end.refused ? 'refused' : 'provider', message: visible(end.message) });
    case 'stopped':
      context.output.out('The question is dropped.');
      return EXIT.complete;
    default:
      return never(end);
  }
}
