import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/contract/command.ts';
import type { Ended, RunEvent } from '../../src/contract/event.ts';
import { nodeId } from '../../src/contract/ids.ts';
import { eventOf } from '../../src/graph/request.ts';
import { owed } from '../../src/graph/owed.ts';
import { planOf } from '../../src/graph/graph-context.ts';
import { cellAt } from '../../src/graph/table.ts';
import { answer, GREEN, RED, runOf } from '../support/answers.ts';
import { created, plan, stepper, type Stepper } from '../support/plans.ts';

function effect(run: Stepper, command: string): Effect {
  const found = owed(run.state()).find((one) => runOf(one) === command);
  if (!found) throw new Error(`${command} is not owed; owed: ${commands(run).join(', ')}`);
  return found;
}

const commands = (run: Stepper) => owed(run.state()).map(runOf);
const types = (run: Stepper) => run.events().map((event) => event.type);
const pause: RunEvent = { type: 'run.paused', at: 3_000, why: 'user', detail: null, resetAt: null };

function resume(run: Stepper): string | null {
  const { state } = run;
  const limits = { tokens: null, cost: null, maxTime: null, until: null };
  return run.step({
    type: 'run.resumed',
    at: 4_000,
    limits,
    concurrency: state().graph.context.concurrency,
    models: null,
    moves: 0,
  });
}

/** Answers a command, well or not. */
function end(run: Stepper, command: string, how: Ended = GREEN, tree: string | null = null): void {
  expect(run.step(answer(effect(run, command), how, tree))).toBeNull();
}

function statuses(run: Stepper): readonly string[] {
  const { context } = run.state().graph;
  return planOf(context).nodes.map((_, place) => cellAt(context.table, place).status);
}

describe('a run', () => {
  it('starts what is ready, checks what has worked, and ends with the final verification', () => {
    const run = stepper(created(plan([{ slug: 'a' }, { slug: 'b', deps: ['a'] }], ['whole'])));
    expect(commands(run)).toEqual(['work a']);
    end(run, 'work a');
    expect(commands(run)).toEqual(['check a']);
    end(run, 'check a');
    expect(commands(run)).toEqual(['work b']);
    end(run, 'work b');
    end(run, 'check b');
    end(run, 'whole');
    end(run, 'check a');
    end(run, 'check b');
    expect(run.state().graph.value).toBe('complete');
    expect(types(run).at(-1)).toBe('run.completed');
  });

  it('takes nothing more once it is complete', () => {
    const run = stepper(created(plan([{ slug: 'a' }])));
    end(run, 'work a');
    end(run, 'check a');
    const last = effect(run, 'check a');
    end(run, 'check a');
    for (const event of [
      pause,
      { type: 'run.cleared', at: 9 },
      { type: 'node.retried', at: 9, node: nodeId('a') },
    ] as const) {
      expect(run.step(event)).toMatch(/^the run is complete: .*goalgraph run FILE$/);
    }
    expect(run.step(answer(last))).toBeNull();
    expect(types(run).at(-1)).toBe('late');
    expect(run.state().graph.value).toBe('complete');
  });

  it('completes even when the last end comes after the deadline', () => {
    const run = stepper(created(plan([{ slug: 'a' }]), { limits: { maxTime: 1_500 } }));
    end(run, 'work a');
    end(run, 'check a');
    expect(run.step(answer(effect(run, 'check a'), GREEN, null, 99_000))).toBeNull();
    expect(run.state().graph.value).toBe('complete');
  });

  it('starts nothing at its deadline or after it', () => {
    const run = stepper(
      created(plan([{ slug: 'a' }, { slug: 'b', deps: ['a'] }]), { limits: { maxTime: 1_500 } }),
    );
    end(run, 'work a');
    expect(run.step(answer(effect(run, 'check a'), GREEN, null, 2_500))).toBeNull();
    expect(run.state().graph.context.paused).toEqual({ why: 'deadline', detail: null, resetAt: null });
    expect(owed(run.state())).toEqual([]);
  });

  it('keeps the end of a command over a pause, and goes on with its checks', () => {
    const run = stepper(created(plan([{ slug: 'a' }])));
    end(run, 'work a');
    run.step(pause);
    expect(owed(run.state())).toEqual([]);
    resume(run);
    expect(commands(run)).toEqual(['check a']);
    expect(run.events().findLast((event) => event.type === 'node.started')).toMatchObject({
      rerun: false,
      epoch: 1,
    });
  });

  it('runs a command that was cut again, and says so', () => {
    const run = stepper(created(plan([{ slug: 'a' }])));
    run.step({ type: 'run.restored', at: 3_000 });
    expect(run.state().graph.context.paused?.why).toBe('infra');
    resume(run);
    expect(effect(run, 'work a')).toMatchObject({ rerun: true, epoch: 1, attempt: 1 });
  });

  it.each([
    [
      'on another tree sees again, after the others, what it saw before a pause',
      'other',
      ['more', 'check a', 'whole'],
    ],
    ['on the same tree goes on where it was', 'same', ['more', 'check a']],
    ['that cannot tell the tree sees it all again', null, ['more', 'check a', 'whole']],
  ])('whose final verification %s', (_, tree, left) => {
    const run = stepper(created(plan([{ slug: 'a' }], ['whole', 'more'])));
    for (const command of ['work a', 'check a']) end(run, command);
    end(run, 'whole', GREEN, 'same');
    run.step(pause);
    resume(run);
    for (const command of left) {
      expect(commands(run)).toEqual([command]);
      end(run, command, GREEN, tree);
    }
    expect(run.state().graph.value).toBe('complete');
  });

  it('forgets at the end what was red before a pause, if it is another tree now', () => {
    const run = stepper(created(plan([{ slug: 'a' }], ['whole', 'more'])));
    for (const command of ['work a', 'check a']) end(run, command);
    end(run, 'whole', RED, 'same');
    run.step(pause);
    resume(run);
    for (const command of ['more', 'check a', 'whole']) end(run, command, GREEN, 'mended');
    expect(run.state().graph.value).toBe('complete');
  });

  it.each(['rerun', 'block'] as const)(
    'takes a command that could not be started as never run (on-cut: %s)',
    (onCut) => {
      const run = stepper(created(plan([{ slug: 'a', 'on-cut': onCut }])));
      end(run, 'work a', { ...GREEN, outcome: 'spawn', exit: null, detail: 'EAGAIN' });
      expect(statuses(run)[0]).toBe('ready');
      resume(run);
      expect(effect(run, 'work a')).toMatchObject({ rerun: false });
      run.step(pause);
      expect(statuses(run)[0]).toBe(onCut === 'block' ? 'blocked' : 'ready');
    },
  );

  it('blocks a command that was cut, where its plan says so, and holds what waits for it', () => {
    const run = stepper(
      created(
        plan([
          { slug: 'a', 'on-cut': 'block' },
          { slug: 'b', deps: ['a'] },
        ]),
      ),
    );
    run.step(pause);
    expect(statuses(run)).toEqual(['blocked', 'held', 'held']);
    resume(run);
    expect(run.state().graph.context.paused?.why).toBe('stuck');
    expect(run.step({ type: 'node.retried', at: 5_000, node: nodeId('a') })).toBeNull();
    expect(statuses(run)).toEqual(['ready', 'waiting', 'waiting']);
  });

  it('takes the answer of an older epoch as late, and goes by the new one', () => {
    const run = stepper(created(plan([{ slug: 'a' }])));
    const old = effect(run, 'work a');
    run.step(pause);
    resume(run);
    run.step(answer(old, RED));
    expect(types(run).at(-1)).toBe('late');
    expect(commands(run)).toEqual(['work a']);
    end(run, 'work a');
    run.step(answer(effect(run, 'check a')));
    run.step(answer(old));
    expect(types(run).at(-1)).toBe('late');
  });

  it.each([
    ['exit', RED, 'exit 1', 'exit'],
    ['a signal', { ...GREEN, outcome: 'signal', exit: null, detail: 'SIGSEGV' }, 'signal SIGSEGV', 'exit'],
    ['the time-out', { ...GREEN, outcome: 'timeout', exit: null }, 'timed out', 'timeout'],
  ] as const)('fails a node for %s of its command, holding only what waits for it', (_, how, detail, why) => {
    const run = stepper(created(plan([{ slug: 'a' }, { slug: 'b', deps: ['a'] }, { slug: 'c' }])));
    end(run, 'work a', how);
    expect(run.events().find((event) => event.type === 'node.failed')).toMatchObject({ why, detail });
    expect(statuses(run)).toEqual(['failed', 'held', 'running', 'held']);
    end(run, 'work c');
    end(run, 'check c');
    expect(run.state().graph.context.paused?.why).toBe('stuck');
    expect(run.events().at(-1)).toMatchObject({ type: 'run.paused', why: 'stuck' });
  });

  it('runs every check of a node even when one is red, and names the first', () => {
    const run = stepper(created(plan([{ slug: 'a', checks: [{ run: 'x' }, { run: 'y' }, { run: 'z' }] }])));
    end(run, 'work a');
    end(run, 'x', RED);
    end(run, 'y');
    end(run, 'z', RED);
    expect(run.events().find((event) => event.type === 'node.failed')).toMatchObject({
      why: 'check_red',
      detail: 'check `x`: exit 1 (and 1 more red)',
    });
  });

  it('tries a node again as often as it may, from its command on', () => {
    const run = stepper(created(plan([{ slug: 'a', retries: 1 }])));
    end(run, 'work a');
    end(run, 'check a', RED);
    expect(effect(run, 'work a')).toMatchObject({ attempt: 2, rerun: false });
    end(run, 'work a', RED);
    expect(statuses(run)[0]).toBe('failed');
  });

  it('does the checks of a node without a command, and nothing else', () => {
    const run = stepper(created(plan([{ slug: 'a', run: null }])));
    expect(commands(run)).toEqual(['check a']);
    end(run, 'check a');
    expect(statuses(run)[0]).toBe('achieved');
  });

  it('pauses when a command cannot be started at all, and fails nobody for it', () => {
    const run = stepper(created(plan([{ slug: 'a' }])));
    end(run, 'work a', { ...GREEN, outcome: 'spawn', exit: null, detail: 'the folder is gone' });
    expect(run.state().graph.context.paused).toEqual({
      why: 'infra',
      detail: 'cannot start a command: the folder is gone',
      resetAt: null,
    });
    expect(statuses(run)[0]).toBe('ready');
  });

  it('never runs nodes with overlapping scopes side by side, and lets nobody overtake', () => {
    const of = plan([
      { slug: 'a', scope: ['src/**'] },
      { slug: 'b', scope: ['src/lib/x.ts', 'docs/**'] },
      { slug: 'c', scope: ['docs/a.md'] },
      { slug: 'd', scope: ['test/**'] },
    ]);
    const run = stepper(created(of, { concurrency: 4 }));
    expect(commands(run)).toEqual(['work a', 'work d']);
  });

  it('runs a node without a scope alone', () => {
    const run = stepper(created(plan([{ slug: 'a' }, { slug: 'b', scope: [] }, { slug: 'c' }])));
    expect(commands(run)).toEqual(['work a']);
    end(run, 'work a');
    end(run, 'check a');
    expect(commands(run)).toEqual(['work b']);
  });

  it('hands the tree of a green check to the final verification', () => {
    const run = stepper(created(plan([{ slug: 'a' }])));
    end(run, 'work a');
    end(run, 'check a', GREEN, 'tree-1');
    expect(effect(run, 'check a')).toMatchObject({ node: 'gn-final', green: 'tree-1' });
  });

  it('does not repeat a `once` check at the end, and repeats a shared one once', () => {
    const run = stepper(
      created(
        plan([
          { slug: 'a', checks: [{ run: 'x', once: true }, { run: 'shared' }] },
          { slug: 'b', checks: [{ run: 'shared' }] },
        ]),
      ),
    );
    for (const command of ['work a', 'work b', 'x', 'shared']) end(run, command);
    end(run, 'shared');
    expect(commands(run)).toEqual(['shared']);
    end(run, 'shared');
    expect(run.state().graph.value).toBe('complete');
  });

  describe('whose final verification went red', () => {
    function redAtTheEnd(): Stepper {
      const run = stepper(created(plan([{ slug: 'a' }, { slug: 'b', deps: ['a'] }, { slug: 'c' }])));
      for (const command of ['work a', 'work c', 'check a', 'check c', 'work b', 'check b'])
        end(run, command);
      end(run, 'check a', RED);
      end(run, 'check b');
      end(run, 'check c');
      return run;
    }

    it('is stuck, and names the nodes whose checks they are', () => {
      const run = redAtTheEnd();
      expect(run.events().find((event) => event.type === 'node.failed')).toMatchObject({
        node: 'gn-final',
        red: [nodeId('a')],
      });
      expect(run.state().graph.context.paused?.why).toBe('stuck');
    });

    it('lets such a node be retried, and what was built on it with it', () => {
      const run = redAtTheEnd();
      expect(run.step({ type: 'node.retried', at: 5_000, node: nodeId('a') })).toBeNull();
      expect(statuses(run)).toEqual(['ready', 'waiting', 'achieved', 'waiting']);
    });

    it('lets no other achieved node be retried', () => {
      const run = redAtTheEnd();
      expect(run.step({ type: 'node.retried', at: 5_000, node: nodeId('c') })).toMatch(
        /^c is achieved: only a failed/,
      );
    });
  });

  it('goes on past a node that a person skips, also one that holds others', () => {
    const run = stepper(created(plan([{ slug: 'a' }, { slug: 'b', deps: ['a'] }])));
    end(run, 'work a', RED);
    expect(statuses(run)).toEqual(['failed', 'held', 'held']);
    expect(run.step({ type: 'node.skipped', at: 3_000, node: nodeId('a') })).toBeNull();
    expect(statuses(run)).toEqual(['skipped', 'ready', 'waiting']);
    expect(run.step({ type: 'node.skipped', at: 3_000, node: 'gn-final' })).toBe(
      'the final verification cannot be skipped',
    );
  });

  it('does not look at the end for what only skipped nodes would have made', () => {
    const of = plan([
      { slug: 'a', checks: [{ run: 'own' }, { run: 'shared' }] },
      { slug: 'b', checks: [{ run: 'shared' }] },
    ]);
    const run = stepper(created(of));
    run.step({ type: 'node.skipped', at: 2_000, node: nodeId('a') });
    end(run, 'work b');
    end(run, 'shared');
    expect(commands(run)).toEqual(['shared']);
    end(run, 'shared');
    expect(run.state().graph.value).toBe('complete');
  });

  it('leaves what runs behind a skipped node alone when a node before it is edited', () => {
    const of = plan([{ slug: 'a' }, { slug: 'b', deps: ['a'] }, { slug: 'c', deps: ['b'] }]);
    const run = stepper(created(of));
    run.step({ type: 'node.skipped', at: 2_000, node: nodeId('b') });
    expect(statuses(run)).toEqual(['running', 'skipped', 'running', 'waiting']);
    const edit = { type: 'edit', node: 'a', spec: null, run: 'other', checks: null } as const;
    const event = eventOf(run.state(), edit, 2_500);
    if (!event.ok) throw new Error(event.fault);
    expect(run.step(event.value)).toBeNull();
    expect(statuses(run)).toEqual(['running', 'skipped', 'running', 'waiting']);
    expect(commands(run)).toEqual(['work c', 'other']);
  });

  it('takes no end of a node that its goal has not come to', () => {
    const run = stepper(created(plan([{ slug: 'a' }])));
    const about = { at: 2_000, node: nodeId('a') };
    for (const event of [
      { type: 'node.achieved', ...about },
      { type: 'node.blocked', ...about, why: 'cut', detail: '' },
      { type: 'node.failed', ...about, why: 'exit', detail: '', red: [] },
    ] as const) {
      expect(run.step(event)).toContain('its goal is working');
    }
  });

  it('refuses events about nodes it does not have', () => {
    const run = stepper(created(plan([{ slug: 'a' }])));
    expect(run.step({ type: 'node.retried', at: 2_000, node: 'gn-0000000000000000' })).toBe(
      'there is no node gn-0000000000000000',
    );
  });
});
