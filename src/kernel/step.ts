/**
 * The next state comes out of one pure call. An event may derive others (a node's last green check derives the
 * node's end, which derives the next node's start): they are facts of the same step and are stored in the same
 * transaction. Effects are not listed here: what a state wants done is a function of the state (`owed`), the
 * same on the way forward as after a crash.
 */

/** What one event does: the state after it, and the events that follow from it. */
export type Applied<S, E> =
  | { readonly ok: true; readonly next: S; readonly derived: readonly E[] }
  | { readonly ok: false; readonly why: string };

export type Apply<S, E> = (state: S, event: E) => Applied<S, E>;

export type Stepped<S, E> =
  | {
      readonly ok: true;
      readonly next: S;
      /** The event and all it derived, in the order in which they happened. */
      readonly events: readonly E[];
    }
  | { readonly ok: false; readonly why: string };

/** A refusal is a value with a reason. A derived event that is refused is a bug, and throws. */
export function step<S, E>(apply: Apply<S, E>, state: S, event: E): Stepped<S, E> {
  const first = apply(state, event);
  if (!first.ok) return first;
  const events = [event];
  const queue = [...first.derived];
  let next = first.next;
  for (let derived = queue.shift(); derived !== undefined; derived = queue.shift()) {
    const applied = apply(next, derived);
    if (!applied.ok) throw new Error(`derived event refused (${applied.why}): ${JSON.stringify(derived)}`);
    events.push(derived);
    queue.push(...applied.derived);
    next = applied.next;
  }
  return { ok: true, next, events };
}

export type Folded<S> =
  | { readonly ok: true; readonly state: S }
  /** `index`: 0-based place of the event that the state did not take. */
  | { readonly ok: false; readonly index: number; readonly why: string };

/** State from stored events. Derived events are among them, so nothing is derived again. */
export function fold<S, E>(apply: Apply<S, E>, state: S, events: Iterable<E>): Folded<S> {
  let index = 0;
  for (const event of events) {
    const applied = apply(state, event);
    if (!applied.ok) return { ok: false, index, why: applied.why };
    state = applied.next;
    index++;
  }
  return { ok: true, state };
}
