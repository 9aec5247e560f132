/** Runs of flows that are worth a report: their events go through the real fold, too. */

import type { MoveEnded } from '../../../src/contract/flow-event.ts';
import type { FlowExit, FlowNode, FlowRun } from '../../../src/contract/flow.ts';
import type { RunEvent } from '../../../src/contract/event.ts';
import { nodeId } from '../../../src/contract/ids.ts';
import { flowPlan } from '../../../src/graph/flow-plan.ts';
import { owed } from '../../../src/graph/owed.ts';
import type { RunDiffs } from '../../../src/cli/report/file-report.ts';
import { reportData, type ReportData } from '../../../src/cli/report/report-data.ts';
import type { ModelRun } from '../../support/model-runs.ts';
import { talk } from '../../support/model-scenes.ts';
import { created, stepper, type Stepper } from '../../support/plans.ts';
import { sceneOf, type Scene } from './scenes.ts';

const PRICE = { input: 3_000_000, cached: 300_000, output: 15_000_000 };

/** `a → b` is written as `a: ['b']`, and what an arrow says after its target: `a: ['b yes', 'a no']`. */
export function chartOf(
  exits: Readonly<Record<string, readonly string[]>>,
  labels: Readonly<Record<string, string>> = {},
): FlowRun['flow'] {
  const nodes = Object.entries(exits).map(([id, ways]): FlowNode => {
    const kind = id === 'begin' || id === 'end' ? id : ways.length > 1 ? 'decision' : 'task';
    return { id, label: labels[id] ?? id, kind, exits: ways.map(exitOf) };
  });
  return { nodes, begin: 'begin', end: 'end' };
}

function exitOf(text: string): FlowExit {
  const [, to = '', label] = /^(\S+)(?: ([^]*))?$/.exec(text) ?? [];
  return { to, label: label ?? null };
}

const EMAIL = chartOf(
  {
    begin: ['draft'],
    draft: ['formal'],
    formal: ['polish formal', 'send casual'],
    polish: ['read'],
    read: ['send good enough', 'polish once more', 'draft from scratch'],
    send: ['end'],
    end: [],
  },
  {
    begin: 'BEGIN',
    draft: 'Draft the e-mail that was asked for. Write it to mail.txt, subject first',
    formal: 'Read mail.txt. Must an e-mail like this one be formal?',
    polish: 'Rewrite mail.txt: full sentences, a salutation by name, no slang',
    read: 'Read it as the one who gets it would. Is it good enough?',
    send: 'Put mail.txt into outbox/, which is where e-mails are sent from',
    end: 'END',
  },
);

export interface FlowPlay extends Stepper {
  readonly base: () => void;
  /** Ends the move that is owed. */
  readonly move: (end?: Partial<Pick<MoveEnded, 'outcome' | 'choice' | 'detail'>>) => void;
  readonly choose: (step: string, branch: string) => void;
  readonly pause: () => void;
  readonly resume: (moves?: number) => void;
}

export function flowPlay(change: Partial<FlowRun> = {}): FlowPlay {
  const flow: FlowRun = {
    name: 'email',
    flow: EMAIL,
    args: 'thank ACME for the offer, and decline it',
    maxMoves: 1_000,
    ...change,
  };
  const text = { description: 'Write a short e-mail', objective: `Flow ${flow.name}: ${flow.args}` };
  const plan = flowPlan(flow, text);
  const node = plan.nodes[0]?.id ?? nodeId('none');
  const models = { prices: { worker: PRICE, verifier: PRICE }, panel: { node: 0, final: 0 } };
  const run = stepper({
    ...created(plan, { models, limits: { tokens: 500_000 }, concurrency: 1 }),
    flow,
  });
  const at = () => (run.events().at(-1)?.at ?? 0) + 10;
  const must = (event: RunEvent) => {
    const refused = run.step(event);
    if (refused !== null) throw new Error(`${event.type}: ${refused}`);
  };
  return {
    ...run,
    base() {
      const effect = owed(run.state())[0];
      if (effect?.type !== 'base') throw new Error('no base is owed');
      const { epoch, attempt } = effect;
      must({ type: 'base.ended', at: at(), node, epoch, attempt, tree: 'a'.repeat(40) });
    },
    move(end = {}) {
      const effect = owed(run.state())[0];
      if (effect?.type !== 'move') throw new Error('no move is owed');
      const { epoch, attempt, move, step } = effect;
      // It needs what steps a run, and no more of one.
      talk(run as unknown as ModelRun, {
        role: 'agent',
        node,
        round: move,
        usage: { input: 9_000 + 800 * move, cached: move === 1 ? 0 : 8_000, output: 300 },
      });
      const body = { outcome: 'said', choice: null, detail: null, tree: 'b'.repeat(40), ...end } as const;
      must({ type: 'move.ended', at: at(), node, epoch, attempt, move, step, ...body });
    },
    choose: (step, branch) => must({ type: 'flow.chosen', at: at(), node, step, branch, move: 0 }),
    pause: () => must({ type: 'run.paused', at: at(), why: 'user', detail: 'SIGINT', resetAt: null }),
    resume(moves = 0) {
      const { ledger } = run.state();
      if (!ledger) throw new Error('no ledger');
      const limits = { ...ledger.limits, maxTime: ledger.clock.maxTime, until: ledger.clock.until };
      must({ type: 'run.resumed', at: at(), limits, concurrency: 1, models: null, moves });
    },
  };
}

const NO_SUCH = { choice: 'very formal', detail: 'there is no such branch' };

/** A night with all that may happen on the way. */
function complete(): Scene {
  const run = flowPlay();
  run.base();
  run.move();
  run.move(NO_SUCH);
  run.move({ choice: 'formal' });
  run.pause();
  run.resume();
  run.move({ outcome: 'short', detail: 'it used up the requests of one move' });
  run.move();
  run.move({ choice: 'once more' });
  run.move();
  run.choose('read', 'good enough');
  run.move();
  return sceneOf(run);
}

function stuck(): Scene {
  const run = flowPlay();
  run.base();
  run.move();
  for (let i = 0; i < 6; i++) run.move(i === 2 ? NO_SUCH : { detail: 'it chose no branch' });
  return sceneOf(run);
}

/** Its moves are used up, and a person has decided while it rests. */
function spent(): Scene {
  const run = flowPlay({ maxMoves: 3 });
  run.base();
  run.move();
  run.move(NO_SUCH);
  run.move({ outcome: 'failed', detail: 'the provider answered with nothing' });
  run.choose('formal', 'formal');
  run.choose('formal', 'casual');
  return sceneOf(run);
}

export const EVIL =
  '<img src="http://evil.example/x.png" onerror="window.evil=1"></style><script>window.evil=1</script>';
const LONG = 'averylongwordwithoutanyblank'.repeat(12);

/** Every text of it wants out, and is as long as texts are. */
function hostile(): Scene {
  const sly = `${EVIL}\`| \x1b[31m\u202e\n# x\n\`\`\`\n${LONG}`;
  const chart = chartOf(
    {
      begin: ['gn-final'],
      'gn-final': [`${LONG} ${EVIL}`, `gn-final ${sly}`, `end x'  goalgraph clear  y`],
      [LONG]: ['end'],
      end: [],
    },
    { 'gn-final': sly, [LONG]: sly },
  );
  const run = flowPlay({ name: EVIL, flow: chart, args: sly });
  run.base();
  run.move({ choice: sly });
  for (let i = 0; i < 6; i++) run.move({ choice: EVIL + LONG, detail: `there is no such branch ${EVIL}` });
  return sceneOf(run);
}

const FILES: NonNullable<RunDiffs['total']> = [
  { path: 'mail.txt', from: null, change: 'added', added: 7, removed: 0 },
  { path: 'outbox/mail.txt', from: null, change: 'added', added: 7, removed: 0 },
];

const diffsOf = (files: NonNullable<RunDiffs['total']>): RunDiffs => ({
  total: files,
  nodes: new Map([[nodeId('email'), files]]),
  missing: null,
});

export const FLOW_SCENES = { complete: complete(), stuck: stuck(), spent: spent(), hostile: hostile() };

export const FLOW_REPORTS: Readonly<Record<string, ReportData>> = {
  'flow-complete': reportData({ ...FLOW_SCENES.complete, diffs: diffsOf(FILES) }),
  'flow-stuck': reportData({ ...FLOW_SCENES.stuck, diffs: diffsOf(FILES.slice(0, 1)) }),
  'flow-moves': reportData({ ...FLOW_SCENES.spent, diffs: null }),
  'flow-hostile': reportData({ ...FLOW_SCENES.hostile, diffs: null }),
};
