/**
 * XState machines used as pure functions. `transition()` of the library builds a whole actor, and runs the
 * initial context factory, on every call (21 µs here); one scope kept and passed to the machine's own
 * `transition` costs 4 µs. The scope's shape is internal to the library: it is made in this file only, the
 * version is pinned, and a test holds this equal to `transition()`.
 */

import { createActor, initialTransition, type AnyStateMachine } from 'xstate';

/** The only action a machine may take: its params are a wanted effect or a wanted event, null for none. */
export const COMMAND = 'command';

/** What this file uses of an XState snapshot. */
export interface Snapshot<Context, Value extends string> {
  readonly status: string;
  readonly value: Value;
  readonly context: Context;
}

export type MachineStep<S, C> =
  { readonly ok: true; readonly next: S; readonly commands: readonly C[] } | { readonly ok: false };

export interface PureMachine<S, E, C> {
  readonly initial: S;
  /** Never touches anything but its result. Not `ok` when the machine does not take the event now, or is at its end. */
  step(snapshot: S, event: E): MachineStep<S, C>;
}

interface Taken {
  readonly type: string;
  readonly params: unknown;
}

/** `S`, `E`, `C`: the machine's own snapshot, event and command types; its `setup` is what checks them. */
export function pureMachine<S extends Snapshot<unknown, string>, E extends { type: string }, C>(
  machine: AnyStateMachine,
): PureMachine<S, E, C> {
  let taken: Taken[] = [];
  const scope = inertScope(machine, (action) => taken.push(action));
  const [initial] = initialTransition(machine);
  return {
    initial: initial as unknown as S,
    step(snapshot, event) {
      const current = snapshot as unknown as typeof initial;
      // `can` answers true on a finished machine, so an end is only an end if it is asked for here.
      if (current.status !== 'active' || !current.can(event)) return { ok: false };
      taken = [];
      const next = machine.transition(current, event, scope) as unknown as S;
      return { ok: true, next, commands: taken.map(paramsOf).filter((params) => params !== null) as C[] };
    },
  };
}

function paramsOf({ type, params }: Taken): unknown {
  if (type !== COMMAND) throw new Error(`a machine may only command, not ${type}`);
  return params;
}

type Scope = Parameters<AnyStateMachine['transition']>[2];

function inertScope(machine: AnyStateMachine, take: (action: Taken) => void): Scope {
  const self = createActor(machine);
  const nothing = () => undefined;
  return {
    self,
    system: self.system,
    id: '',
    sessionId: '',
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    get actionExecutor() {
      return take;
    },
    // The library puts a function of its own here at every step, around this one. If it is kept, all that the step
    // has made lives until the next full collection: that was a fifth of the time of a long run.
    set actionExecutor(_) {
      // Not kept.
    },
  };
}
