/** What is done for a person who does not watch their run: waits are said, a command of theirs is told, stalls are noticed. */

import { formatDuration } from '../contract/amount.ts';
import type { Fault } from '../contract/fault.ts';
import type { Clock, StoredEvent } from '../contract/ports.ts';
import type { RunView } from '../contract/view.ts';
import { childEnv } from '../os/child-env.ts';
import { visible } from './context.ts';
import { EXIT, exitOfRun } from './exit.ts';
import { keyVariables } from './models.ts';
import { makeNotifier, type Notice, type NoticeEvent, type Notifier } from './notify.ts';
import { firstLine } from './render/text.ts';
import type { Session } from './session.ts';
import { watchStall } from './stall.ts';
import { momentHere, type WaitNews } from './unattended.ts';

/** How a run is left alone. */
export interface Unwatched {
  readonly unattended: boolean;
  /** It was said that there is to be no budget. */
  readonly noBudget: boolean;
  /** For a shell; null: as the configuration says. */
  readonly notify: string | null;
  /** Milliseconds; null: 30 minutes when it is unattended, else nobody looks. */
  readonly stall: number | null;
}

export const WATCHED: Unwatched = { unattended: false, noBudget: false, notify: null, stall: null };

const STALL = 30 * 60_000;

export interface Away {
  stored(events: readonly StoredEvent[], view: () => RunView): void;
  tell(news: WaitNews): void;
  isWaiting(): boolean;
  /** It has come to rest, and its reports are there. */
  ended(view: RunView, reports: readonly string[]): void;
  /** It cannot be driven any more. */
  failed(fault: Fault): void;
  /** Resolves when all has been told. */
  idle(): Promise<void>;
}

export interface AwayOptions {
  readonly unwatched: Unwatched;
  readonly session: Pick<Session, 'config' | 'workspace'>;
  readonly clock: Clock;
  /** A line for the person. */
  readonly say: (line: string) => void;
}

export function makeAway({ unwatched, session, clock, say }: AwayOptions): Away {
  const notifier = notifierOf(unwatched, session, say);
  const { unattended, stall } = unwatched;
  const after = stall ?? (unattended ? STALL : null);
  let last: RunView | null = null;
  let waiting = false;
  const send = (event: NoticeEvent, view: RunView, more: Partial<Notice> = {}) =>
    notifier.send(noticeOf(event, view, more));
  const stalls = watchStall({
    clock,
    after,
    onStall(view) {
      say(`nothing has been stored for ${formatDuration(after ?? 0)}; the run goes on (goalgraph status)`);
      send('stalled', view);
    },
  });
  return {
    stored(events, view) {
      stalls.stir(view);
      last = view();
      if (!waiting || !events.some(({ event }) => event.type === 'run.resumed')) return;
      waiting = false;
      send('resumed', last);
    },
    tell(news) {
      const { view } = news;
      waiting = news.type === 'waiting';
      const reason = view.detail === null ? '' : `: ${firstLine(view.detail)}`;
      if (news.type === 'waiting') {
        say(visible(`waiting for the provider until ${momentHere(news.until, clock.now())}${reason}`));
        send('waiting', view, { until: news.until });
      } else say(visible(`it does not wait for the provider: ${news.why}`));
    },
    isWaiting: () => waiting,
    ended(view, reports) {
      stalls.stop();
      const event = endOf(view);
      if (event !== null) send(event, view, { reports });
    },
    failed(fault) {
      stalls.stop();
      if (last) send('failed', last, { detail: fault.message });
    },
    idle: () => notifier.idle(),
  };
}

function notifierOf(
  { notify }: Unwatched,
  { config, workspace }: AwayOptions['session'],
  complain: AwayOptions['say'],
): Notifier {
  return makeNotifier({
    command: notify ?? config.notify,
    cwd: workspace,
    env: childEnv(process.env, keyVariables(config)),
    complain: (line) => complain(visible(line)),
  });
}

function noticeOf(event: NoticeEvent, view: RunView, more: Partial<Notice>): Notice {
  const { run, objective, workspace, status, why, detail, budget } = view;
  const spent = budget && { tokens: budget.spent.tokens, cost: budget.spent.cost };
  return { event, run, objective, workspace, status, why, detail, until: null, spent, reports: [], ...more };
}

/** Null for what a person has done with their own hands and need not be told. */
function endOf(view: RunView): NoticeEvent | null {
  if (view.status === 'complete') return 'complete';
  if (view.status === 'cleared') return null;
  return view.why === 'stuck' && exitOfRun(view) === EXIT.failed ? 'failed' : 'paused';
}
