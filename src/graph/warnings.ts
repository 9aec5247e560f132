/** What is allowed but probably not meant: shapes that keep a plan from running side by side, or from proving much. */

import type { Plan } from '../contract/plan.ts';
import { list, quote, warn, type Notes } from './notes.ts';
import { reachOf, type Reach } from './reach.ts';
import { scopeGroups, type ScopeGroup } from './scope-groups.ts';
import { canFail } from './trivial-check.ts';

export interface Shape {
  readonly plan: Plan;
  /** By place in the plan, the final node left out: the places each depends on. */
  readonly deps: readonly (readonly number[])[];
  /** By place in the plan: what a warning about the node points at. */
  readonly owners: readonly { readonly entry: number; readonly slug: string; readonly line: number | null }[];
  readonly hasPanel: boolean;
}

/** A chain of so many nodes may well be meant. */
const SHORT_CHAIN = 4;

export function shapeWarnings(notes: Notes, shape: Shape): void {
  const { plan, deps } = shape;
  const reach = reachOf(deps);
  redundantDeps(notes, shape, reach);
  // In an order where each node follows from the one right before it, nothing can stand beside anything.
  if (deps.length > SHORT_CHAIN && deps.every((list, place) => place === 0 || list.includes(place - 1))) {
    const message = `the ${deps.length} nodes form one chain, so none can run beside another: take out deps that are not needed`;
    warn(notes, 'narrow', { message });
  }
  const scopes = plan.nodes.slice(0, -1).map(({ scope }) => scope);
  for (const group of scopeGroups(scopes, reach)) overlap(notes, shape, group);
  if (!shape.hasPanel && !provesSomething(plan)) {
    const message =
      'the final node has no check that can fail, so it proves nothing about the whole: add a check under the objective';
    warn(notes, 'no_checks', { message });
  }
}

function provesSomething(plan: Plan): boolean {
  if (plan.checks.some(({ run }) => canFail(run))) return true;
  return plan.nodes.some(({ checks }) => checks.some(({ run, once }) => !once && canFail(run)));
}

function redundantDeps(notes: Notes, shape: Shape, reach: Reach): void {
  for (const { node, deps } of reach.redundant) {
    const owner = shape.owners[node];
    if (!owner) continue;
    const slugs = deps.map((dep) => slugAt(shape, dep));
    const them = slugs.length === 1 ? 'it' : 'them';
    const message = `${quote(owner.slug)} need not name the deps ${list(slugs)}: others of its deps come after ${them} anyway`;
    warn(notes, 'redundant_dep', { ...owner, message });
  }
}

function overlap(notes: Notes, shape: Shape, group: ScopeGroup): void {
  const names = (places: readonly number[]) => list(places.map((place) => slugAt(shape, place)));
  const { cut, owners, members } = group;
  if (cut === '') {
    const unscoped = owners.every((place) => shape.plan.nodes[place]?.scope.length === 0);
    const [have, runs] = owners.length === 1 ? ['has', 'it runs'] : ['have', 'each runs'];
    const found = unscoped ? `${have} no scope` : 'may write anywhere';
    const message = `${names(owners)} ${found}, so ${runs} alone: a scope lets a node run beside others`;
    warn(notes, 'overlapping_scopes', { message });
    return;
  }
  const message = `${names(members)} may write ${quote(cut)} at the same time: part their scopes, or make one a dep of the other`;
  warn(notes, 'overlapping_scopes', { message });
}

function slugAt(shape: Shape, place: number): string {
  return shape.owners[place]?.slug ?? '';
}
