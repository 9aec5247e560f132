import { afterEach, describe, expect, it } from 'vitest';
import type { Vote } from '../../src/contract/goal.ts';
import { nodeId } from '../../src/contract/ids.ts';
import type { ModelSettings } from '../../src/contract/settings.ts';
import { GREEN, RED } from '../support/answers.ts';
import { modelRun, report, type ModelRun, type ModelRunOptions } from '../support/model-runs.ts';
import type { NodeText } from '../support/plans.ts';

const DAY = 24 * 60 * 60 * 1_000;
const CAPS = { rounds: 12, verifications: 10, turns: 60 };
const tree = (digit: number | string) => String(digit).repeat(40).slice(0, 40);

let runs: ModelRun[] = [];

/** Every run of these tables folds to what it is. */
afterEach(() => {
  for (const run of runs) run.mustFold();
  runs = [];
});

function open(node: Partial<NodeText> = {}, options: ModelRunOptions = {}): ModelRun {
  const run = modelRun([{ slug: 'a', ...node }], options);
  runs.push(run);
  return run;
}

/** At work on its first round. */
function working(node: Partial<NodeText> = {}, options: ModelRunOptions = {}): ModelRun {
  const run = open(node, options);
  run.base();
  return run;
}

/** In front of its panel. */
function judged(panel: Partial<ModelSettings['panel']> = {}, options: ModelRunOptions = {}): ModelRun {
  const run = working(
    {},
    { ...options, models: { panel: { node: 1, final: 0, ...panel }, ...options.models } },
  );
  run.round('claim');
  run.check();
  return run;
}

/** In the final verification. */
function final(panel = 3, checks: readonly string[] = []): ModelRun {
  const run = working({}, { models: { panel: { node: 0, final: panel } }, checks });
  run.round('claim');
  run.check();
  return run;
}

describe('the goal of a model', () => {
  it('takes its base first, then works: a node with checks needs no brief', () => {
    const run = open();
    expect(run.owes()).toEqual(['base a']);
    run.base();
    expect(run.owes()).toEqual(['round a 1']);
    expect(run.goal()).toMatchObject({ round: 1, why: 'start', base: 'e'.repeat(40), brief: null });
  });

  it('writes down what must hold, when nothing else says it', () => {
    const run = open({ checks: [] });
    run.base();
    expect(run.owes()).toEqual(['brief a']);
    run.brief();
    expect(run.owes()).toEqual(['round a 1']);
    expect(run.goal().brief?.criteria).toHaveLength(1);
  });

  it('goes from a claim to its checks, and from green checks to its panel', () => {
    const run = working(
      { checks: [{ run: 'x' }, { run: 'y' }] },
      { models: { panel: { node: 2, final: 1 } } },
    );
    run.round('claim');
    expect(run.owes()).toEqual(['check a 0']);
    run.check();
    expect(run.owes()).toEqual(['check a 1']);
    run.check();
    expect(run.owes()).toEqual(['vote a 1.1.1', 'vote a 1.2.1']);
    run.vote('achieved', { seat: 2 });
    expect(run.owes()).toEqual(['vote a 1.1.1']);
    run.vote('achieved');
    expect(run.status()).toBe('achieved');
  });

  it('needs no panel where there is none: green checks achieve it', () => {
    const run = working({}, { models: { panel: { node: 0, final: 0 } } });
    run.round('claim');
    run.check();
    expect(run.status()).toBe('achieved');
  });

  it('takes a red check for a gap, with the tail of its output, and asks no skeptic', () => {
    const run = working({ checks: [{ run: 'x' }, { run: 'y' }] });
    run.round('claim');
    run.check({ ...RED, tail: '1 test failed' });
    run.check();
    expect(run.owes()).toEqual(['round a 2']);
    expect(run.goal()).toMatchObject({
      why: 'refuted',
      verification: 0,
      gaps: [{ from: 'check', text: 'check `x`: exit 1\n1 test failed' }],
    });
  });

  it('gives the gaps of a refutation back verbatim', () => {
    const run = judged();
    run.vote('refuted', { gaps: ['  No header.\n', 'Nor a footer'] });
    expect(run.goal().gaps).toEqual([
      { from: 'skeptic', text: '  No header.\n' },
      { from: 'skeptic', text: 'Nor a footer' },
    ]);
    expect(run.owes()).toEqual(['round a 2']);
  });
});

describe('the same gap', () => {
  const refute = (run: ModelRun, gap: string) => {
    run.vote('refuted', { gaps: [gap] });
  };
  const claim = (run: ModelRun) => {
    run.round('claim');
    run.check();
  };

  it('twice running asks for another way, once; a third time it ends the node', () => {
    const run = judged();
    refute(run, 'line 12 is wrong');
    claim(run);
    refute(run, 'Line 14 is wrong.');
    expect(run.owes()).toEqual(['strategy a 2']);
    run.strategy('turn it round');
    expect(run.goal()).toMatchObject({ suggestion: 'turn it round', round: 3 });
    claim(run);
    expect(run.goal().suggestion).toBeNull();
    refute(run, 'line 99 is wrong');
    expect(run.last('node.failed')).toMatchObject({ why: 'no_progress' });
    expect(run.last('node.failed').detail).toContain('line 99 is wrong');
  });

  it('with another in between begins to count anew', () => {
    const run = judged();
    for (const gap of ['one', 'two', 'one', 'two']) {
      refute(run, gap);
      expect(run.goal().next).toBe('working');
      claim(run);
    }
    refute(run, 'two');
    expect(run.owes()).toEqual(['strategy a 5']);
  });

  it('of red checks counts just the same', () => {
    const run = working();
    for (const tail of ['took 12 ms', 'took 15 ms']) {
      run.round('claim');
      run.check({ ...RED, tail });
    }
    expect(run.owes()).toEqual(['strategy a 2']);
    run.strategy(null);
    expect(run.owes()).toEqual(['round a 3']);
  });
});

describe('red checks', () => {
  it('whose commands differ by a number are two gaps', () => {
    const run = working({ checks: [{ run: 'test part1' }, { run: 'test part2' }] });
    for (const ends of [
      [RED, GREEN],
      [GREEN, RED],
      [RED, GREEN],
    ]) {
      run.round('claim');
      for (const end of ends) run.check(end);
      expect(run.goal().next).toBe('working');
    }
    run.round('claim');
    for (const end of [RED, GREEN]) run.check(end);
    expect(run.owes()).toEqual(['strategy a 4']);
  });
});

describe('a worker that gets nowhere', () => {
  const idle = { results: 0 } as const;

  it('fails after three rounds without a claim, a change or a new result', () => {
    const run = working();
    run.round('none', idle);
    run.round('none', idle);
    expect(run.owes()).toEqual(['round a 3']);
    run.round('none', idle);
    expect(run.last('node.failed')).toMatchObject({ why: 'no_progress' });
  });

  it('is not stalled while the tree changes, whatever it says', () => {
    const run = working();
    for (let round = 1; round <= 5; round++) run.round('none', { results: 0, tree: tree(round) });
    expect(run.owes()).toEqual(['round a 6']);
  });

  it('is not stalled while it learns, nor when the tree cannot be told', () => {
    const run = working();
    for (let round = 1; round <= 3; round++) run.round('none', { results: 1 });
    for (let round = 4; round <= 6; round++) run.round('none', { results: 0, tree: null });
    expect(run.owes()).toEqual(['round a 7']);
  });

  it('fails at once for a loop', () => {
    const run = working();
    run.round('loop', { detail: 'read x, 8 times' });
    expect(run.last('node.failed')).toMatchObject({ why: 'no_progress', detail: 'read x, 8 times' });
  });

  it('is blocked when it says so three rounds running, and not before', () => {
    const run = working();
    const says = { report: report({ status: 'blocked', summary: 'no licence' }) };
    run.round('blocked', says);
    run.round('blocked', says);
    run.round('none');
    run.round('blocked', says);
    expect(run.goal()).toMatchObject({ why: 'blocked', note: 'no licence', blocked: 1 });
    run.round('blocked', says);
    run.round('blocked', says);
    expect(run.last('node.blocked')).toMatchObject({ why: 'claimed', detail: 'no licence' });
  });

  it('fails when three turns running fail', () => {
    const run = working();
    for (let round = 1; round <= 3; round++) run.round('failed', { results: 0, detail: 'empty reply' });
    expect(run.last('node.failed')).toMatchObject({ why: 'turns', detail: 'empty reply' });
  });

  it('fails at the cap of rounds, with what is open', () => {
    const run = working({}, { models: { caps: { ...CAPS, rounds: 2 } } });
    run.round('claim');
    run.check({ ...RED, tail: 'boom' });
    run.round('none');
    expect(run.last('node.failed')).toMatchObject({ why: 'cap' });
    expect(run.last('node.failed').detail).toMatch(/not done after 2 rounds: check `check a`.*boom/s);
  });

  it('fails at the cap of verifications, with what is open', () => {
    const run = judged({}, { models: { caps: { ...CAPS, verifications: 2 } } });
    for (const gap of ['no header', 'no footer']) {
      run.vote('refuted', { gaps: [gap] });
      run.round('claim');
      run.check();
    }
    expect(run.last('node.failed')).toMatchObject({
      why: 'cap',
      detail: 'not verified after 2 verifications: no footer',
    });
  });
});

describe('a claim', () => {
  it('that rests on no tool call at all is not judged', () => {
    const run = working();
    run.round('claim', { results: 0 });
    expect(run.owes()).toEqual(['round a 2']);
    expect(run.goal()).toMatchObject({ why: 'refuted', verification: 0 });
    expect(run.goal().note).toContain('no tool call');
    run.round('claim', { results: 0 });
    run.round('claim', { results: 0 });
    expect(run.last('node.failed').why).toBe('no_progress');
  });

  it('made again without a change after it was refuted is not judged', () => {
    const run = judged();
    run.vote('refuted');
    run.round('claim', { results: 0 });
    expect(run.owes()).toEqual(['round a 3']);
    expect(run.goal().note).toContain('Nothing was changed');
    run.round('claim', { results: 0, tree: tree(7) });
    expect(run.owes()).toEqual(['check a 0']);
  });
});

describe('a worker that waits', () => {
  const waits = (wait: NonNullable<ReturnType<typeof report>['wait']>) => ({
    report: report({ status: 'wait', summary: 'the build runs', wait }),
  });

  it('gives its slot back, owes no request, and goes on when its time has come', () => {
    const run = modelRun([{ slug: 'a' }, { slug: 'b' }], { concurrency: 1 });
    runs.push(run);
    run.base();
    run.round('wait', waits({ kind: 'time', ms: 60_000 }));
    expect(run.status()).toBe('parked');
    expect(run.owes()).toEqual(['base b', 'wake a 1']);
    const parked = run.last('node.parked');
    expect(parked).toMatchObject({ until: parked.at + 60_000, pid: null, detail: 'the build runs' });
    run.wake();
    expect(run.status()).toBe('ready');
    expect(run.owes()).toEqual(['base b']);
    run.base();
    run.round('loop');
    expect(run.owes()).toEqual(['round a 2']);
    expect(run.goal()).toMatchObject({ why: 'woken', idle: 0 });
  });

  it.each([
    ['for longer than a day', { kind: 'time', ms: 3 * DAY }, DAY, null],
    ['for a process', { kind: 'process', pid: 77 }, DAY, 77],
    ['for part of a millisecond', { kind: 'time', ms: 0.5 }, 1, null],
  ] as const)('waits no longer than a day: %s', (_, wait, ms, pid) => {
    const run = working();
    run.round('wait', waits(wait));
    const { at, until, pid: told } = run.last('node.parked');
    expect([until - at, told]).toEqual([ms, pid]);
  });

  it('keeps the run alive, over a pause too', () => {
    const run = working();
    run.round('wait', waits({ kind: 'time', ms: 5 }));
    expect(run.state().graph.value).toBe('running');
    run.pause();
    expect([run.status(), run.owes()]).toEqual(['parked', []]);
    run.resume();
    expect(run.owes()).toEqual(['wake a 1']);
    run.wake();
    expect(run.owes()).toEqual(['round a 2']);
    expect(run.last('node.started').rerun).toBe(false);
  });

  it('with no round left is at its cap, not parked', () => {
    const run = working({}, { models: { caps: { ...CAPS, rounds: 1 } } });
    run.round('wait', waits({ kind: 'time', ms: 5 }));
    expect(run.last('node.failed').why).toBe('cap');
  });

  it('can be skipped meanwhile', () => {
    const run = working();
    run.round('wait', waits({ kind: 'time', ms: 5 }));
    expect(run.step({ type: 'node.skipped', at: 9_000, node: nodeId('a') })).toBeNull();
    expect(run.status()).toBe('skipped');
    expect(run.owes()).toEqual(['base gn-final']);
  });
});

/** Letters: a achieved, r refuted, u unverifiable, i inconclusive. */
const VERDICTS: Readonly<Record<string, Vote['verdict']>> = {
  a: 'achieved',
  r: 'refuted',
  u: 'unverifiable',
  i: 'inconclusive',
};

describe('a panel', () => {
  it.each([
    ['a', 'achieved'],
    ['r', 'refuted'],
    ['u', 'unverifiable'],
    ['i', 'again 1'],
    ['aa', 'achieved'],
    ['ar', 'refuted'],
    ['au', 'unverifiable'],
    ['ai', 'again 2'],
    ['aar', 'achieved'],
    ['aai', 'achieved'],
    ['arr', 'refuted'],
    ['aru', 'refuted'],
    ['aui', 'unverifiable'],
    ['aii', 'again 2,3'],
    ['aarr', 'refuted'],
    ['aaar', 'achieved'],
    ['aauu', 'unverifiable'],
    ['aaii', 'again 3,4'],
    ['aaarr', 'achieved'],
    ['aarru', 'refuted'],
    ['aauui', 'unverifiable'],
    ['aaiii', 'again 3,4,5'],
    ['iiiii', 'again 1,2,3,4,5'],
  ])('that says %s: %s', (said, expected) => {
    const run = judged({ node: said.length });
    for (const letter of said) run.vote(VERDICTS[letter] ?? 'inconclusive');
    if (expected === 'achieved') expect(run.status()).toBe('achieved');
    else if (expected === 'refuted') expect(run.owes()).toEqual(['round a 2']);
    else if (expected === 'unverifiable')
      expect(run.last('node.blocked')).toMatchObject({ why: 'unverifiable' });
    else {
      const seats = expected.slice('again '.length).split(',');
      expect(run.owes()).toEqual(seats.map((seat) => `vote a 1.${seat}.2`));
    }
  });

  it('without a readable verdict is asked twice more, then blocks for want of one', () => {
    const run = judged();
    for (const ballot of [1, 2, 3]) {
      expect(run.owes()).toEqual([`vote a 1.1.${ballot}`]);
      run.vote('inconclusive', { why: 'no tool call' });
    }
    expect(run.last('node.blocked')).toMatchObject({ why: 'infra', detail: 'no verdict: no tool call' });
  });

  it('that refutes without a gap counts for nothing, and is asked again', () => {
    const run = judged();
    run.vote('refuted', { gaps: [] });
    expect(run.owes()).toEqual(['vote a 1.1.2']);
  });

  it('is not asked a second time whether something can be verified', () => {
    const run = judged();
    run.vote('unverifiable', { why: 'needs a printer' });
    expect(run.last('node.blocked')).toMatchObject({ why: 'unverifiable', detail: 'needs a printer' });
  });

  it('that judged another tree than was checked has it checked, and judges again', () => {
    const run = judged({ node: 3 });
    run.vote('achieved', { tree: tree(1) });
    run.vote('achieved', { tree: tree(1) });
    run.vote('achieved', { tree: tree(2) });
    expect(run.owes()).toEqual(['check a 0']);
    run.check();
    expect(run.owes()).toEqual(['vote a 1.1.2', 'vote a 1.2.2', 'vote a 1.3.2']);
    run.vote('achieved', { tree: tree(2) });
    run.vote('achieved', { tree: tree(2) });
    run.vote('refuted', { tree: tree(2) });
    expect(run.status()).toBe('achieved');
  });

  it('is red when what it judged is no more what was checked', () => {
    const run = judged({ node: 1 });
    run.vote('achieved', { tree: tree(2) });
    run.check({ ...RED, tail: 'gone' });
    expect(run.owes()).toEqual(['round a 2']);
  });

  it('does not have the checks run for ever when they change the tree each time', () => {
    const run = judged({ node: 1 });
    for (const nth of [2, 3]) {
      run.vote('achieved', { tree: tree(nth) });
      run.check();
    }
    run.vote('achieved', { tree: tree(4) });
    expect(run.status()).toBe('achieved');
  });

  it('takes each seat once, and only of this verification and ballot', () => {
    const run = judged({ node: 2 });
    const vote = run.effect('vote', 1);
    if (vote.type !== 'vote') throw new Error('no vote');
    const { node, epoch, attempt, verification, seat } = vote;
    const body = { verdict: 'achieved', gaps: [], why: '', injection: null, tree: tree(1) } as const;
    const cast = {
      type: 'vote.ended',
      at: 3_000,
      node,
      epoch,
      attempt,
      verification,
      seat,
      ...body,
    } as const;
    expect(run.step({ ...cast, ballot: 2 })).toContain('nobody waits');
    expect(run.step({ ...cast, ballot: 1, verification: 2 })).toContain('nobody waits');
    expect(run.step({ ...cast, ballot: 1 })).toBeNull();
    expect(run.step({ ...cast, ballot: 1 })).toContain('nobody waits');
  });
});

describe('the final verification by a model', () => {
  it('takes its base, does the checks, then asks its panel; its worker only when it is refuted', () => {
    const run = final(2, ['whole']);
    expect(run.owes()).toEqual(['base gn-final']);
    run.base();
    run.check();
    run.check();
    expect(run.owes()).toEqual(['vote gn-final 1.1.1', 'vote gn-final 1.2.1']);
    run.vote('refuted', { gaps: ['x'] });
    run.vote('achieved');
    expect(run.owes()).toEqual(['round gn-final 1']);
    run.round('claim');
    run.check();
    run.check();
    run.vote('achieved');
    run.vote('achieved');
    expect(run.state().graph.value).toBe('complete');
  });

  it('names the nodes whose checks were red, so that they can be retried', () => {
    const run = final(1);
    run.base();
    run.check({ ...RED, tail: 'broken' });
    run.round('loop');
    expect(run.last('node.failed')).toMatchObject({ node: 'gn-final', red: [nodeId('a')] });
    expect(run.step({ type: 'node.retried', at: 9_000, node: nodeId('a') })).toBeNull();
    expect(run.status()).toBe('ready');
  });

  it('cut while it votes sees its checks again, and keeps the votes on the same tree', () => {
    const run = final(3);
    run.base();
    run.check();
    run.vote('achieved');
    for (let cut = 0; cut < 12; cut++) {
      run.pause();
      run.resume();
      expect(run.owes()).toEqual(['check gn-final 0']);
      run.check();
      expect(run.owes()).toEqual(['vote gn-final 1.2.1', 'vote gn-final 1.3.1']);
    }
    run.vote('refuted');
    run.vote('achieved');
    expect(run.state().graph.value).toBe('complete');
  });

  it('counts the votes from before a cut for nothing on another tree', () => {
    const run = final(3);
    run.base();
    run.check();
    run.vote('achieved');
    run.vote('achieved');
    run.pause();
    run.resume();
    run.check();
    run.vote('achieved', { tree: tree(9) });
    expect(run.owes()).toEqual(['check gn-final 0']);
    run.check();
    expect(run.owes()).toEqual(['vote gn-final 1.1.2', 'vote gn-final 1.2.2', 'vote gn-final 1.3.2']);
  });

  it('cut while it votes and red since is refuted', () => {
    const run = final(3);
    run.base();
    run.check();
    run.vote('achieved');
    run.pause();
    run.resume();
    run.check({ ...RED, tail: 'broken' });
    expect(run.owes()).toEqual(['round gn-final 1']);
    expect(run.goal('gn-final')).toMatchObject({ voting: false, votes: [], verification: 1 });
  });
});

describe('a pause', () => {
  const stages: readonly (readonly [string, readonly string[], (run: ModelRun) => void])[] = [
    ['its base', ['base a'], () => undefined],
    ['a round', ['round a 1'], (run) => run.base()],
    [
      'a check',
      ['check a 1'],
      (run) => {
        run.base();
        run.round('claim');
        run.check();
      },
    ],
    [
      'a vote',
      ['vote a 1.2.1'],
      (run) => {
        run.base();
        run.round('claim');
        run.check();
        run.check();
        run.vote('achieved');
      },
    ],
    [
      'a strategy',
      ['strategy a 2'],
      (run) => {
        run.base();
        for (let i = 0; i < 2; i++) {
          run.round('claim');
          run.check(RED);
          run.check();
        }
      },
    ],
  ];
  it.each(stages)('in %s keeps all that came before', (_, owes, go) => {
    for (const how of ['pause', 'crash'] as const) {
      const run = open(
        { checks: [{ run: 'x' }, { run: 'y' }] },
        { models: { panel: { node: 2, final: 1 } } },
      );
      go(run);
      const { epoch, cut, ...before } = run.goal();
      expect([epoch, cut]).toEqual([0, false]);
      run[how]();
      expect([run.status(), run.owes()]).toEqual(['ready', []]);
      run.resume();
      expect(run.owes()).toEqual(owes);
      expect(run.goal()).toEqual({ ...before, epoch: 1, cut: true });
      expect(run.last('node.started').rerun).toBe(owes[0] === 'round a 1');
    }
  });

  it('does not make later rounds reruns', () => {
    const run = working();
    run.pause();
    run.resume();
    run.round('none');
    expect(run.goal().cut).toBe(false);
  });

  it('when a check could not be started fails nobody', () => {
    const run = working();
    run.round('claim');
    run.check({ ...GREEN, outcome: 'spawn', exit: null, detail: 'EAGAIN' });
    expect(run.state().graph.context.paused?.why).toBe('infra');
    run.resume();
    expect(run.owes()).toEqual(['check a 0']);
  });

  it.each(['provider', 'infra'] as const)('by an effect that failed (%s) says when to go on', (why) => {
    const run = working();
    const { node, epoch, attempt } = run.effect('round') as Extract<
      ReturnType<ModelRun['effect']>,
      { type: 'round' }
    >;
    const failed = { type: 'effect.failed', at: 3_000, why, detail: '429', resetAt: 99_000 } as const;
    expect(run.step({ ...failed, effect: `${node} ${epoch}.${attempt} round 7` })).toContain('nobody waits');
    expect(run.step({ ...failed, effect: `${node} ${epoch}.${attempt} round 1` })).toBeNull();
    expect(run.state().graph.context.paused).toEqual({ why, detail: '429', resetAt: 99_000 });
    expect(run.status()).toBe('ready');
    run.resume();
    expect(run.state().graph.context.paused).toBeNull();
    expect(run.owes()).toEqual(['round a 1']);
  });
});

describe('a new try', () => {
  it('after a retry begins anew, with sessions of its own', () => {
    const run = working();
    run.round('none');
    run.round('loop');
    expect(run.step({ type: 'node.retried', at: 3_000, node: nodeId('a') })).toBeNull();
    run.resume();
    expect(run.owes()).toEqual(['base a']);
    expect(run.goal().born).toBeGreaterThan(0);
    run.base();
    expect(run.goal()).toMatchObject({ round: 1, results: 0, gaps: [] });
  });

  it('keeps its name over pauses', () => {
    const run = working();
    run.pause();
    run.resume();
    expect(run.goal()).toMatchObject({ born: 0, epoch: 1 });
  });
});
