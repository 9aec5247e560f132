import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Flow } from '../../src/contract/flow.ts';
import { nodeId } from '../../src/contract/ids.ts';
import {
  chart,
  exitsOf,
  flowRun,
  flows,
  LABELS,
  type FlowTester,
  type FlowTesterOptions,
} from '../support/flow-runs.ts';

const LOOP = chart('work: review', 'review: yes > end, no > work');

let runs: FlowTester[] = [];

/** Every run of these tables folds to what it is. */
afterEach(() => {
  for (const run of runs) run.mustFold();
  runs = [];
});

function open(flow: Flow = LOOP, options: FlowTesterOptions = {}): FlowTester {
  const run = flowRun(flow, options);
  runs.push(run);
  return run;
}

/** Asked for its first step. */
function begun(flow: Flow = LOOP, options: FlowTesterOptions = {}): FlowTester {
  const run = open(flow, options);
  run.base();
  return run;
}

/** Asked for the decision. */
function deciding(options: FlowTesterOptions = {}): FlowTester {
  const run = begun(LOOP, options);
  run.says();
  return run;
}

function times(count: number, act: () => void): void {
  for (let i = 0; i < count; i++) act();
}

describe('the goal of a flow', () => {
  it('takes its base first, then asks for the step behind BEGIN', () => {
    const run = open();
    expect(run.owes()).toEqual(['base']);
    run.base();
    expect(run.owes()).toEqual(['move 1 work']);
    expect(run.goal()).toMatchObject({ why: 'start', tries: 1 });
  });

  it('goes on from a task by its only way, whatever the agent chose', () => {
    const run = begun(chart('work: no > review', 'review: yes > end, no > work'));
    run.says('yes');
    expect(run.owes()).toEqual(['move 2 review']);
    expect(run.goal()).toMatchObject({ why: 'next', note: null });
  });

  it('goes on from a decision by the branch that was chosen', () => {
    const run = deciding();
    run.says('no');
    expect(run.owes()).toEqual(['move 3 work']);
    expect(run.goal()).toMatchObject({ why: 'next', note: 'no' });
    run.says();
    run.says('yes');
    expect([run.stands(), run.owes(), run.goal()]).toEqual(['complete', [], null]);
  });

  it('ends where BEGIN leads straight to END, without a move', () => {
    const run = begun(chart());
    expect(run.stands()).toBe('complete');
    expect(run.view()).toMatchObject({ at: null, moves: 0, trail: [] });
  });

  it('stays at a step that leads to itself', () => {
    const run = begun(chart('only: again > only, done > end'));
    run.says('again');
    expect(run.owes()).toEqual(['move 2 only']);
    expect(run.goal()).toMatchObject({ why: 'next', tries: 1 });
  });

  it.each([
    ['no choice', (run: FlowTester) => run.says(), { why: 'no_choice', note: null }],
    ['an empty choice', (run: FlowTester) => run.says(''), { why: 'no_choice', note: '' }],
    ['an unknown choice', (run: FlowTester) => run.says('maybe'), { why: 'unknown_choice', note: 'maybe' }],
    // A person may type it so; of an agent the label is asked for letter for letter.
    ['a label in other letters', (run: FlowTester) => run.says('YES'), { why: 'unknown_choice' }],
    ['no end', (run: FlowTester) => run.falls('short'), { why: 'short' }],
    ['no reply', (run: FlowTester) => run.falls('failed'), { why: 'failed' }],
  ])('asks for the same step again after %s, and says why', (_, answer, told) => {
    const run = deciding();
    answer(run);
    expect(run.owes()).toEqual(['move 3 review']);
    expect(run.goal()).toMatchObject({ ...told, tries: 2 });
  });

  it.each(['short', 'failed'] as const)('asks for a task again that is %s', (outcome) => {
    const run = begun();
    run.falls(outcome);
    expect(run.owes()).toEqual(['move 2 work']);
  });

  it('asks five times more, then a person', () => {
    const run = deciding();
    times(5, () => run.says('maybe'));
    expect([run.stands(), run.owes()]).toEqual(['running', ['move 7 review']]);
    run.says('perhaps');
    expect([run.stands(), run.owes()]).toEqual(['paused stuck', []]);
    expect(run.detail()).toBe(
      '6 moves at the step review came to nothing (what was chosen is no branch: perhaps)',
    );
  });

  it('counts anew at the next step, and after a person has come back', () => {
    const run = begun();
    times(5, () => run.falls('short'));
    run.says();
    times(6, () => run.says());
    expect(run.stands()).toBe('paused stuck');
    expect(run.resume()).toBeNull();
    times(5, () => run.says());
    expect([run.stands(), run.owes()]).toEqual(['running', ['move 18 review']]);
    run.says();
    expect(run.stands()).toBe('paused stuck');
  });

  it('keeps its count over a pause and a crash', () => {
    const run = deciding();
    times(3, () => run.says('maybe'));
    run.pause();
    run.resume();
    times(2, () => run.says('maybe'));
    run.crash();
    run.resume();
    run.says('maybe');
    expect(run.stands()).toBe('paused stuck');
  });
});

describe('the moves of a flow', () => {
  it('are used up when one more would be asked for; what came of the last one counts', () => {
    const run = deciding({ maxMoves: 2 });
    run.says('no');
    expect([run.stands(), run.owes()]).toEqual(['paused moves', []]);
    expect(run.detail()).toBe('its 2 moves are used up at the step work');
    expect(run.view()).toMatchObject({ at: 'work', moves: 2, maxMoves: 2 });
  });

  it('may be used up just as END is reached', () => {
    const run = deciding({ maxMoves: 2 });
    run.says('yes');
    expect(run.stands()).toBe('complete');
  });

  it('count repeated questions, too', () => {
    const run = begun(LOOP, { maxMoves: 3 });
    times(3, () => run.falls('short'));
    expect(run.stands()).toBe('paused moves');
  });

  it('are added by a resume, which without them is refused in words', () => {
    const run = deciding({ maxMoves: 2 });
    run.says('no');
    expect(run.resume()).toBe('its moves are used up: resume with --max-moves to add some');
    expect(run.resume({ moves: 2 })).toBeNull();
    expect(run.owes()).toEqual(['move 3 work']);
    run.says();
    run.says('no');
    expect(run.stands()).toBe('paused moves');
    expect(run.view()).toMatchObject({ moves: 4, maxMoves: 4 });
  });

  it('are not asked for where a person has chosen END, and are where the next step needs one', () => {
    const done = deciding({ maxMoves: 2 });
    done.says();
    expect([done.stands(), done.choose('yes'), done.resume()]).toEqual(['paused moves', null, null]);
    expect(done.stands()).toBe('complete');
    const stuck = begun(LOOP, { maxMoves: 6 });
    times(6, () => stuck.falls('short'));
    expect([stuck.stands(), stuck.resume()]).toEqual([
      'paused stuck',
      'its moves are used up: resume with --max-moves to add some',
    ]);
    const chosen = deciding({ maxMoves: 2 });
    chosen.pause();
    chosen.choose('no');
    expect(chosen.resume()).toContain('resume with --max-moves');
    expect(chosen.resume({ moves: 1 })).toBeNull();
    expect(chosen.owes()).toEqual(['move 3 work']);
  });

  it('may be added before they are used up', () => {
    const run = deciding({ maxMoves: 2 });
    run.pause();
    run.resume({ moves: 1 });
    run.says('no');
    expect([run.stands(), run.owes()]).toEqual(['running', ['move 3 work']]);
  });

  it('do not end a count of repeats by being used up', () => {
    const run = begun(LOOP, { maxMoves: 3 });
    times(3, () => run.falls('short'));
    run.resume({ moves: 10 });
    times(3, () => run.falls('short'));
    expect(run.stands()).toBe('paused stuck');
  });

  it('cannot be added where there is no limit of them', () => {
    const run = deciding({ maxMoves: null });
    run.pause();
    expect(run.resume({ moves: 5 })).toBe('the flow has no limit of moves: --max-moves adds to nothing');
    expect(run.resume()).toBeNull();
  });

  it('are not spent by a cut, a crash or a refusal: the same one is asked for again', () => {
    const run = deciding({ maxMoves: 2 });
    for (const cut of ['pause', 'crash', 'fails'] as const) {
      run[cut]();
      expect(run.owes()).toEqual([]);
      expect(run.resume()).toBeNull();
      expect(run.owes()).toEqual(['move 2 review']);
    }
    run.says('yes');
    expect(run.stands()).toBe('complete');
  });
});

describe('a person who decides', () => {
  it('is heard at once while it runs: the move in flight is not waited for', () => {
    const run = deciding();
    expect(run.choose(' NO')).toBeNull();
    expect(run.owes()).toEqual(['move 3 work']);
    expect(run.goal()).toMatchObject({ why: 'chosen', note: 'no', tries: 1 });
    const late = { node: nodeId('flow'), epoch: 0, attempt: 1, move: 2, step: 'review' } as const;
    const said = { outcome: 'said', choice: 'yes', tree: null, detail: null } as const;
    expect(run.step({ type: 'move.ended', at: 5_000, ...late, ...said })).toBe('nobody waits for move.ended');
  });

  it('ends it with a branch that leads to END', () => {
    const run = deciding();
    expect(run.choose('yes')).toBeNull();
    expect([run.stands(), run.owes()]).toEqual(['complete', []]);
  });

  it.each(['pause', 'crash'] as const)('is heard after a %s, when it goes on', (cut) => {
    const run = deciding();
    run[cut]();
    expect(run.choose('no')).toBeNull();
    expect([run.owes(), run.goal()?.step, run.view()?.picked]).toEqual([[], 'review', 'no']);
    run.resume();
    expect(run.owes()).toEqual(['move 3 work']);
    expect(run.goal()).toMatchObject({ why: 'chosen', note: 'no', picked: null });
  });

  it('may think again while it rests: the last word counts', () => {
    const run = deciding();
    run.pause();
    run.choose('no');
    run.choose('yes');
    run.crash();
    run.resume();
    expect(run.stands()).toBe('complete');
  });

  it('helps one that is stuck: it completes when it goes on', () => {
    const run = deciding();
    times(6, () => run.says());
    expect(run.choose('yes')).toBeNull();
    expect(run.stands()).toBe('paused stuck');
    run.resume();
    expect(run.stands()).toBe('complete');
  });

  it('needs moves for the step behind the branch', () => {
    const run = deciding({ maxMoves: 2 });
    expect(run.choose('no')).toBeNull();
    expect(run.stands()).toBe('paused moves');
    run.resume({ moves: 1 });
    expect(run.owes()).toEqual(['move 3 work']);
  });

  it.each([
    ['before it begins', () => open(), 'the flow is at no step: there is nothing to choose'],
    ['at a task', () => begun(), 'the flow is at the step work, where nothing is decided'],
    ['no branch of it', () => deciding(), 'the step review has no branch maybe. It has: yes, no'],
    ['at its end', () => begun(chart()), 'the flow is at no step: there is nothing to choose'],
  ])('is told why not: %s', (_, make, why) => {
    const run = make();
    expect(run.choose('maybe')).toBe(why);
  });

  it('cannot choose for a step that is left', () => {
    const run = deciding();
    const choice = { type: 'flow.chosen', at: 5_000, node: nodeId('flow'), branch: 'yes', move: 2 } as const;
    expect(run.step({ ...choice, step: 'work' })).toBe('there is no branch yes to choose at the step work');
    run.says('no');
    expect(run.step({ ...choice, step: 'review' })).toContain('there is no branch yes');
  });

  it.each(['running', 'paused user', 'paused stuck', 'paused moves'])(
    'can neither retry nor skip nor edit it while it is %s',
    (where) => {
      const run = deciding({ maxMoves: where === 'paused moves' ? 2 : null });
      if (where === 'paused user') run.pause();
      if (where === 'paused stuck') times(6, () => run.says());
      if (where === 'paused moves') run.says('no');
      expect(run.stands()).toBe(where);
      const before = run.events().length;
      const edit = { type: 'edit', spec: 'x', run: null, checks: null } as const;
      for (const request of [{ type: 'retry' } as const, { type: 'skip' } as const, edit]) {
        expect(run.ask({ ...request, node: 'flow' })).toContain('is not retried, skipped or edited');
      }
      // Nor would the machine take them, if somebody wrote them down.
      const node = nodeId('flow');
      expect(run.step({ type: 'node.retried', at: 9_000, node })).not.toBeNull();
      expect(run.step({ type: 'node.skipped', at: 9_000, node })).not.toBeNull();
      expect(run.events()).toHaveLength(before);
    },
  );

  it('decides for the step that was seen, and not for the next one', () => {
    const run = deciding();
    expect(run.choose('yes', 'work')).toBe('the flow has gone on to the step review meanwhile');
    expect(run.choose('yes', 'review')).toBeNull();
  });

  it('is shown as what they did: a choice that was replaced, or never taken, leads nowhere', () => {
    const visits = (run: FlowTester) => run.view()?.steps.find(({ id }) => id === 'review')?.visits;
    const run = deciding();
    run.pause();
    run.choose('no');
    run.choose('yes');
    expect([visits(run), run.view()?.picked]).toEqual([0, 'yes']);
    run.resume();
    expect([run.stands(), visits(run), run.view()?.moves]).toEqual(['complete', 1, 2]);
    const cleared = deciding();
    cleared.pause();
    cleared.choose('no');
    cleared.ask({ type: 'clear' });
    expect(visits(cleared)).toBe(0);
  });

  it('can give it up anywhere', () => {
    const run = deciding();
    run.pause();
    run.choose('no');
    expect(run.ask({ type: 'clear' })).toBeNull();
    expect([run.stands(), run.owes()]).toEqual(['cleared', []]);
  });
});

/** An answer of the agent, or something that happens to the run meanwhile. */
type Act =
  | { readonly type: 'says'; readonly choice: string | null }
  | { readonly type: 'falls'; readonly outcome: 'short' | 'failed' }
  | { readonly type: 'choose'; readonly branch: string }
  | { readonly type: 'resume'; readonly moves: number }
  | { readonly type: 'pause' | 'crash' | 'fails' };

const choices = fc.constantFrom<(string | null)[]>(...LABELS, ...LABELS, '', null, 'none');
const answers: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: choices.map((choice): Act => ({ type: 'says', choice })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('short', 'failed').map((outcome): Act => ({ type: 'falls', outcome })),
  },
);
const cuts: fc.Arbitrary<Act> = fc.constantFrom('pause', 'crash', 'fails').map((type): Act => ({ type }));
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: answers },
  { weight: 1, arbitrary: cuts },
  { weight: 2, arbitrary: fc.constantFrom(...LABELS).map((branch): Act => ({ type: 'choose', branch })) },
  { weight: 2, arbitrary: fc.nat(3).map((moves): Act => ({ type: 'resume', moves })) },
);
const limits = fc.option(fc.integer({ min: 1, max: 12 }));

function act(run: FlowTester, { ...one }: Act): void {
  const { value } = run.state().graph;
  const asked = value === 'running' && run.owes()[0] !== 'base';
  switch (one.type) {
    case 'says':
      if (asked) run.says(one.choice);
      return;
    case 'falls':
      if (asked) run.falls(one.outcome);
      return;
    case 'fails':
      if (asked) run.fails();
      return;
    case 'choose':
      run.choose(one.branch);
      return;
    case 'resume':
      if (value === 'paused') run.resume({ moves: one.moves });
      return;
    case 'pause':
    case 'crash':
      if (value === 'running') run[one.type]();
  }
}

/** Goes on wherever it can, with moves enough. */
function goOn(run: FlowTester): void {
  const { value, context } = run.state().graph;
  if (value === 'paused') run.resume(context.flow?.maxMoves == null ? {} : { moves: 1 });
}

/** The step of each move that was answered, and how it ended. */
function wayOf(run: FlowTester): readonly string[] {
  const way = run.events().flatMap((event) => {
    if (event.type === 'move.ended') return [`${event.move} ${event.step}`];
    return event.type === 'flow.chosen' ? [`${event.step} ${event.branch}`] : [];
  });
  return [...way, run.goal()?.step ?? 'none'];
}

describe('whatever happens to a flow', () => {
  it('its step is one of the chart, reached by a drawn exit; END is the only way to be done', () => {
    fc.assert(
      fc.property(flows, limits, fc.array(acts, { maxLength: 60 }), (flow, maxMoves, script) => {
        const run = flowRun(flow, { maxMoves });
        run.base();
        let step = exitsOf(flow, flow.begin)[0]?.to;
        expect(run.goal()?.step ?? flow.end).toBe(step);
        for (const one of script) {
          if (step === flow.end) break;
          act(run, one);
          const next: string = run.goal()?.step ?? flow.end;
          if (next !== step) expect(exitsOf(flow, step ?? '').map(({ to }) => to)).toContain(next);
          step = next;
          expect(run.state().graph.value === 'complete').toBe(step === flow.end);
        }
        run.mustFold();
      }),
      { numRuns: 300 },
    );
  });

  it('it owes one move while it runs and none at rest, and never one beyond the limit', () => {
    fc.assert(
      fc.property(flows, limits, fc.array(acts, { maxLength: 60 }), (flow, maxMoves, script) => {
        const run = flowRun(flow, { maxMoves });
        expect(run.owes()).toEqual(['base']);
        run.base();
        for (const one of script) {
          act(run, one);
          const goal = run.goal();
          const most = run.state().graph.context.flow?.maxMoves ?? Infinity;
          const isRunning = run.state().graph.value === 'running';
          expect(run.owes()).toEqual(isRunning ? [`move ${goal?.move ?? 0} ${goal?.step ?? ''}`] : []);
          expect(goal?.move ?? 0).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('moves are counted one by one, and no step is asked for more than six times running', () => {
    fc.assert(
      fc.property(flows, fc.array(answers, { maxLength: 80 }), (flow, script) => {
        const run = flowRun(flow);
        run.base();
        let vain = 0;
        let moves = 0;
        for (const one of script) {
          if (run.state().graph.value === 'complete') break;
          if (run.stands() === 'paused stuck') {
            expect(vain).toBe(6);
            vain = 0;
            run.resume();
          }
          act(run, one);
          moves++;
          const why = run.goal()?.why;
          vain = why === 'next' || why === undefined ? 0 : vain + 1;
          expect(vain).toBeLessThanOrEqual(6);
          expect(run.stands() === 'paused stuck').toBe(vain === 6);
        }
        const numbers = run.events().flatMap((event) => (event.type === 'move.ended' ? [event.move] : []));
        expect(numbers).toEqual(Array.from({ length: moves }, (_, i) => i + 1));
      }),
      { numRuns: 300 },
    );
  });

  it('cuts and limits between the same answers change nothing about the way', () => {
    const scripts = fc.array(fc.tuple(answers, fc.array(cuts, { maxLength: 2 })), { maxLength: 40 });
    fc.assert(
      fc.property(flows, limits, scripts, (flow, maxMoves, script) => {
        const [calm, troubled] = [flowRun(flow), flowRun(flow, { maxMoves })];
        calm.base();
        troubled.crash();
        troubled.resume();
        troubled.base();
        for (const [answer, trouble] of script) {
          goOn(calm);
          goOn(troubled);
          for (const cut of trouble) {
            act(troubled, cut);
            goOn(troubled);
          }
          act(calm, answer);
          act(troubled, answer);
        }
        expect(wayOf(troubled)).toEqual(wayOf(calm));
        expect(troubled.view()?.trail.map(({ step }) => step)).toEqual(
          calm.view()?.trail.map(({ step }) => step),
        );
        troubled.mustFold();
      }),
      { numRuns: 300 },
    );
  });

  it('a choice at rest leads where the same choice leads at once', () => {
    const scripts = fc.array(fc.tuple(answers, fc.option(fc.constantFrom(...LABELS))), { maxLength: 30 });
    fc.assert(
      fc.property(flows, scripts, (flow, script) => {
        const [live, rested] = [flowRun(flow), flowRun(flow)];
        for (const run of [live, rested]) run.base();
        for (const [answer, branch] of script) {
          for (const run of [live, rested]) goOn(run);
          if (branch !== null) {
            if (rested.state().graph.value === 'running') rested.pause();
            expect(rested.choose(branch)).toBe(live.choose(branch));
            goOn(rested);
          }
          for (const run of [live, rested]) act(run, answer);
        }
        expect(wayOf(rested)).toEqual(wayOf(live));
        rested.mustFold();
      }),
      { numRuns: 300 },
    );
  });
});
