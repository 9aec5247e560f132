/** The rules for edges: each dep is a known other node, and nothing goes round. */

import { FINAL_NODE } from '../contract/ids.ts';
import { findCycles } from './cycle.ts';
import { CAPS, type DraftNode, type PlanSource } from './draft.ts';
import { itemAt } from './item-at.ts';
import { nearest } from './nearest.ts';
import { ownerOf } from './node-rules.ts';
import { fault, list, quote, warn, type Notes } from './notes.ts';

/** Suggestions for mistyped deps: each is a search through all slugs, and a broken plan may hold thousands. */
const MAX_SUGGESTIONS = 20;

/** By place in `nodes`: the places each depends on, without repeats. Deps that are none are left out and noted. */
export function resolveDeps(
  notes: Notes,
  nodes: readonly DraftNode[],
  source: PlanSource,
): readonly (readonly number[])[] {
  const places = new Map<string, number>();
  nodes.forEach(({ slug }, i) => {
    if (!places.has(slug)) places.set(slug, i);
  });
  const slugs = nodes.map(({ slug }) => slug);
  /** By place: the node, counted from 1, that named it last. */
  const namedBy = new Int32Array(nodes.length);
  let suggestions = 0;
  return nodes.map((node, own) => {
    const deps: number[] = [];
    let wrong: Set<string> | null = null;
    let repeats = 0;
    for (const { value, line } of node.deps) {
      const slug = value.trim();
      const place = slug === node.slug ? undefined : places.get(slug);
      if (place !== undefined) {
        if (namedBy[place] === own + 1) repeats += 1;
        else deps.push(place);
        namedBy[place] = own + 1;
        continue;
      }
      wrong ??= new Set();
      if (wrong.has(slug)) {
        repeats += 1;
        continue;
      }
      wrong.add(slug);
      const about = { ...ownerOf(node), line, witness: slug };
      if (slug === node.slug) {
        fault(notes, 'self_dep', { ...about, message: `${about.name} depends on itself: take that dep out` });
      } else {
        suggestions += 1;
        const near = suggestions > MAX_SUGGESTIONS ? null : nearest(slug, slugs.toSpliced(own, 1));
        const message = `${about.name} depends on ${quote(slug)}, ${unknown(slug, near)}`;
        fault(notes, 'unknown_dep', { ...about, message });
      }
    }
    if (repeats > 0) repeatedDeps(notes, node);
    depCountRule(notes, node, { count: deps.length + (wrong?.size ?? 0), source });
    return deps;
  });
}

function repeatedDeps(notes: Notes, node: DraftNode): void {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { value } of node.deps) (seen.has(value.trim()) ? repeated : seen).add(value.trim());
  for (const slug of repeated) {
    const owner = ownerOf(node);
    const message = `${owner.name} names the dep ${quote(slug)} more than once: once is enough`;
    warn(notes, 'duplicate_dep', { ...owner, message });
  }
}

function unknown(slug: string, near: string | null): string {
  if (slug.toLowerCase() === FINAL_NODE) return 'which comes last by itself: take that dep out';
  const fix =
    near === null ? 'name a node of the plan, or take that dep out' : `did you mean ${quote(near)}?`;
  return `which is no node of the plan: ${fix}`;
}

export function cycleRules(
  notes: Notes,
  nodes: readonly DraftNode[],
  deps: readonly (readonly number[])[],
): void {
  for (const cycle of findCycles(deps)) {
    const first = itemAt(nodes, itemAt(cycle, 0));
    const slugs = cycle.map((place) => itemAt(nodes, place).slug);
    const message = `these nodes wait for each other, each for the next and the last for the first: ${list(slugs)}; take out one of these deps`;
    fault(notes, 'cycle', { ...ownerOf(first), witness: [...slugs, first.slug].join(' → '), message });
  }
}

/** A model's plan is held to fewer deps a node: more are a sign that it chains everything to everything. */
export function depCountRule(
  notes: Notes,
  node: DraftNode,
  limits: { count: number; source: PlanSource },
): void {
  const cap = CAPS[limits.source].deps;
  if (cap === null || limits.count <= cap) return;
  const owner = ownerOf(node);
  const message = `${owner.name} has ${limits.count} deps, at most ${cap} are allowed: keep those it cannot start without`;
  fault(notes, 'too_many', { ...owner, witness: String(limits.count), message });
}
