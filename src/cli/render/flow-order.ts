/** The steps of a chart from BEGIN on, and which of its arrows lead back to where one came from. */

import type { FlowStepView } from '../../contract/view.ts';

export interface FlowOrder {
  /** Those that can be reached; without the arrows that lead back, each stands before those that it leads to. */
  readonly order: readonly FlowStepView[];
  /** Per step the places of its exits that lead back. */
  readonly back: ReadonlyMap<string, ReadonlySet<number>>;
}

export function flowOrder(steps: readonly FlowStepView[]): FlowOrder {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const begin = steps.find(({ kind }) => kind === 'begin');
  const state = new Map<string, 'open' | 'done'>();
  const back = new Map<string, Set<number>>();
  const done: FlowStepView[] = [];
  // A stack of its own: a chart may be longer than the program's is deep.
  const stack = begin === undefined ? [] : [{ step: begin, next: 0 }];
  if (begin !== undefined) state.set(begin.id, 'open');
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { step } = top;
    const place = top.next++;
    const exit = step.kind === 'end' ? undefined : step.exits[place];
    if (exit === undefined) {
      state.set(step.id, 'done');
      done.push(step);
      stack.pop();
      continue;
    }
    const target = byId.get(exit.to);
    if (target === undefined || state.get(exit.to) === 'done') continue;
    if (state.get(exit.to) === 'open') {
      back.set(step.id, (back.get(step.id) ?? new Set()).add(place));
      continue;
    }
    state.set(exit.to, 'open');
    stack.push({ step: target, next: 0 });
  }
  return { order: done.toReversed(), back };
}
