/**
 * A run as the ledger sees it, for properties: random requests, ends, crashes and top-ups, and beside them the
 * plain bookkeeping of an outsider, who looks at every single event. Shares no arithmetic with the ledger.
 */

import fc from 'fast-check';
import { expect } from 'vitest';
import type { BudgetRequest, LedgerEvent, Price, Usage } from '../../src/contract/budget.ts';
import type { Result } from '../../src/contract/fault.ts';
import { openLedger, type Ledger } from '../../src/kernel/ledger.ts';
import { applyLedger } from '../../src/kernel/ledger-apply.ts';
import { charge, crashed, dropWaiting, release, request, topUp } from '../../src/kernel/ledger-calls.ts';

export type Act =
  | { readonly do: 'ask'; readonly request: BudgetRequest }
  /** `which`, modulo the open calls; `input`, `output`: thousandths of the law, which rogues break. */
  | {
      readonly do: 'end';
      readonly which: number;
      readonly input: number;
      readonly output: number;
      readonly cached: number;
    }
  | { readonly do: 'cut'; readonly which: number }
  | { readonly do: 'release'; readonly which: number }
  | { readonly do: 'drop' }
  | { readonly do: 'crash' }
  | { readonly do: 'save' }
  | {
      readonly do: 'add';
      readonly tokens: number | null;
      readonly cost: number | null;
      readonly standing: number;
    };

const PRICES: readonly Price[] = [
  { input: 3_000_000, cached: 300_000, output: 15_000_000 },
  { input: 150_000, cached: 200_000, output: 1 },
  { input: 0, cached: 0, output: 0 },
];

const MODELS = ['sonnet', 'mini', '__proto__'] as const;

export const aRequest: fc.Arbitrary<BudgetRequest> = fc
  .record({
    role: fc.constantFrom('worker', 'planner', 'skeptic', 'constructor'),
    model: fc.nat(MODELS.length - 1),
    final: fc.boolean(),
    known: fc.nat(3_000),
    fresh: fc.integer({ min: 1, max: 3_000 }),
    maxOutput: fc.integer({ min: 1, max: 4_000 }),
    floor: fc.integer({ min: 0, max: 2_500 }),
  })
  .map(({ role, model, final, known, fresh, maxOutput, floor }) => ({
    call: 'a call',
    role,
    model: MODELS[model] ?? '',
    final,
    input: { known, fresh },
    maxOutput,
    floor,
    price: PRICES[model] ?? null,
  }));

/** `reach`: how far reports go, in thousandths of the law. */
export function acts(reach: number): fc.Arbitrary<readonly Act[]> {
  const part = fc.nat(reach);
  const which = fc.nat(20);
  const more = fc.option(fc.integer({ min: 1, max: 20_000 }));
  const act = fc.oneof(
    { weight: 10, arbitrary: aRequest.map((request): Act => ({ do: 'ask', request })) },
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('end' as const),
        which,
        input: part,
        output: part,
        cached: fc.nat(1_000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), which }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), which }) },
    { weight: 1, arbitrary: fc.constantFrom<Act[]>({ do: 'drop' }, { do: 'crash' }, { do: 'save' }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('add' as const),
        tokens: more,
        cost: more,
        standing: fc.nat(9_000),
      }),
    },
  );
  return fc.array(act, { maxLength: 80, size: 'max' });
}

export const someLimits = fc.record({
  tokens: fc.option(fc.integer({ min: 1, max: 60_000 }), { freq: 8 }),
  cost: fc.option(fc.integer({ min: 1, max: 200_000 }), { freq: 3 }),
  standing: fc.record({ tokens: fc.nat(20_000), cost: fc.nat(60_000) }),
});

/** What the outsider knows of one call. */
interface Seen {
  readonly request: BudgetRequest;
  state: 'waiting' | 'open' | 'tripped' | 'charged' | 'released';
}

export interface World {
  ledger: Ledger;
  readonly first: Ledger;
  readonly events: LedgerEvent[];
  readonly seen: Map<number, Seen>;
  /** Tokens that were reported or estimated, all calls. */
  charged: number;
  at: number;
}

export function newWorld(of: {
  readonly tokens: number | null;
  readonly cost: number | null;
  readonly standing: { readonly tokens: number; readonly cost: number };
}): World {
  const ledger = openLedger({ tokens: of.tokens, cost: of.cost, maxTime: null, until: null }, of.standing);
  return { ledger, first: ledger, events: [], seen: new Map(), charged: 0, at: 0 };
}

/** Plays one act; `look` is called with the ledger before and after each single event. */
export function play(world: World, act: Act, look: Look): void {
  const at = ++world.at;
  const open = world.ledger.open;
  const chosen = 'which' in act ? open[act.which % Math.max(1, open.length)] : undefined;
  switch (act.do) {
    case 'ask': {
      const asked = valueOf(request(world.ledger, act.request, at));
      world.seen.set(asked.answer.id, { request: act.request, state: 'waiting' });
      take(world, { ledger: asked.ledger, events: [asked.answer] }, look);
      return;
    }
    case 'end': {
      if (!chosen) return;
      const input = Math.max(1, Math.round(((chosen.input.known + chosen.input.fresh) * act.input) / 1_000));
      const output = Math.round((chosen.granted * act.output) / 1_000);
      const usage: Usage = { input, cached: Math.round((input * act.cached) / 1_000), output };
      world.charged += input + output;
      take(world, valueOf(charge(world.ledger, { id: chosen.id, usage, at })), look);
      return;
    }
    case 'cut':
      if (!chosen) return;
      world.charged += chosen.hold.input + chosen.hold.output;
      take(world, valueOf(charge(world.ledger, { id: chosen.id, usage: null, at })), look);
      return;
    case 'release': {
      const all = [...open, ...world.ledger.waiting];
      const id = all[act.which % Math.max(1, all.length)]?.id;
      if (id === undefined) return;
      take(world, valueOf(release(world.ledger, { id, at })), look);
      return;
    }
    case 'drop':
      take(world, dropWaiting(world.ledger, at), look);
      return;
    case 'crash':
      for (const { hold } of open) world.charged += hold.input + hold.output;
      take(world, crashed(world.ledger, at), look);
      return;
    case 'save':
      world.ledger = JSON.parse(JSON.stringify(world.ledger)) as Ledger;
      return;
    case 'add': {
      const standing = { tokens: act.standing, cost: act.standing };
      take(world, valueOf(topUp(world.ledger, { tokens: act.tokens, cost: act.cost, standing, at })), look);
    }
  }
}

export type Look = (before: Ledger, event: LedgerEvent, after: Ledger, world: World) => void;

/** Takes a step's events one at a time: each must be applicable, and together they must give the step's ledger. */
function take(world: World, moved: { ledger: Ledger; events: readonly LedgerEvent[] }, look: Look): void {
  for (const event of moved.events) {
    const before = world.ledger;
    world.ledger = valueOf(applyLedger(before, event));
    world.events.push(event);
    look(before, event, world.ledger, world);
    if (event.type !== 'budget.added') seenAfter(world, event);
  }
  expect(world.ledger).toEqual(moved.ledger);
}

function seenAfter(world: World, event: Exclude<LedgerEvent, { type: 'budget.added' }>): void {
  const call = world.seen.get(event.id);
  if (!call) throw new Error(`an event of call ${event.id}, which nobody asked for`);
  const next = {
    'budget.reserved': 'open',
    'budget.waiting': 'waiting',
    'budget.tripped': 'tripped',
    'budget.charged': 'charged',
    'budget.released': 'released',
  } as const;
  const from =
    event.type === 'budget.charged'
      ? ['open']
      : event.type === 'budget.released'
        ? ['open', 'waiting']
        : ['waiting'];
  expect(from).toContain(call.state);
  call.state = next[event.type];
}

/** Ends all that is open within the law, until nothing is. */
export function drain(world: World, look: Look): void {
  for (let turn = 0; world.ledger.open.length > 0; turn++) {
    play(world, { do: 'end', which: turn, input: 700, output: 300, cached: 0 }, look);
  }
}

export function valueOf<T, F>(result: Result<T, F>): T {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.fault)}`);
  return result.value;
}

export function faultOf<T, F>(result: Result<T, F>): F {
  if (result.ok) throw new Error(`not refused: ${JSON.stringify(result.value)}`);
  return result.fault;
}
