/** The Ralph loop as a flow: the task once, then again and again until the agent says that it is completely done. */

import type { Flow, FlowRun } from '../contract/flow.ts';

export const CONTINUE = 'CONTINUE';
export const STOP = 'STOP';

export interface Ralph {
  readonly task: string;
  /** Rounds after the first; -1 for no limit. */
  readonly iterations: number;
}

export function ralphFlow({ task, iterations }: Ralph): FlowRun {
  const again = `${task}

This is asked of you in a loop that runs by itself, and nobody looks in between. Look at how it stands, and go on with what is
missing. Choose ${STOP} only when all of it is done and you have seen that it works; in doubt choose ${CONTINUE}.`;
  const flow: Flow = {
    nodes: [
      { id: 'BEGIN', label: 'BEGIN', kind: 'begin', exits: [{ to: 'first', label: null }] },
      { id: 'first', label: task, kind: 'task', exits: [{ to: 'again', label: null }] },
      {
        id: 'again',
        label: again,
        kind: 'decision',
        exits: [
          { to: 'again', label: CONTINUE },
          { to: 'END', label: STOP },
        ],
      },
      { id: 'END', label: 'END', kind: 'end', exits: [] },
    ],
    begin: 'BEGIN',
    end: 'END',
  };
  return { name: 'ralph', flow, args: '', maxMoves: iterations < 0 ? null : iterations + 1 };
}
