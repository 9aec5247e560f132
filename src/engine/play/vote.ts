/** One skeptic: a fresh session that tries to refute a claim. Whatever goes wrong, it is never a pass. */

import { effectKey, type VoteCommand } from '../../contract/command.ts';
import type { Vote } from '../../contract/goal.ts';
import type { SessionId } from '../../contract/session-event.ts';
import { SYSTEM, skepticPacket } from '../prompts/skeptic.ts';
import { readVotes, supported, verdictTool } from '../roles/verdict.ts';
import { tracesOf } from '../session-index.ts';
import { playRound as playSession } from '../session.ts';
import type { SessionEnd } from '../session-spec.ts';
import { notLet, providerFailed } from './faults.ts';
import { checkResults, goalFacts, type GoalFacts } from './goal-facts.ts';
import { copyBash, lookingTools } from './role-tools.ts';
import { roundSpec, sessionDeps } from './spec.ts';
import { failedEffect, type Played, type Playing, type World } from './world.ts';

const VERDICT = 'verdict';

/** Requests of one skeptic. */
const TURNS = 30;

/** Bytes of the difference that a skeptic is shown; it can read the rest. */
const MOST_DIFF = 200_000;

export async function playVote(playing: Playing<VoteCommand>): Played {
  const { world, effect, signal, say } = playing;
  const { node, epoch, attempt, verification, seat, ballot } = effect;
  const state = say.state();
  const facts = goalFacts(state, effect);
  const ground = await judged(playing, facts, state.base);
  if (!ground.ok) return failedEffect(effectKey(effect), { why: 'infra', detail: ground.why });
  const taken: Vote[] = [];
  const bash = copyBash(world, { tree: ground.tree, key: effectKey(effect) });
  // Fresh after a cut, too: what it was shown may be no more.
  const series = (verification - 1) * BALLOTS + ballot;
  const id: SessionId = { role: 'skeptic', node, born: epoch, series, seat };
  const spec = roundSpec({
    id,
    slug: facts.node.slug,
    round: verification,
    final: facts.final,
    by: world.verifier,
    system: SYSTEM,
    ask: () => Promise.resolve(ground.packet),
    tools: [...(await lookingTools(world)), bash.tool, verdictTool((vote) => taken.push(vote))],
    ending: (tool) => tool === VERDICT,
    silent: [VERDICT],
    turns: TURNS,
  });
  const end = await playSession(sessionDeps(world, say, world.verifier), spec, signal);
  await bash.remove();
  if (end.type === 'cut') return signal.aborted ? null : notLet(effect, end.detail);
  const failed = end.type === 'failed' ? providerFailed(effect, end.fault, world.clock.now()) : null;
  if (failed) return failed;
  const after = await world.shadow.snapshot();
  if (!after.ok) return failedEffect(effectKey(effect), { why: 'infra', detail: after.fault.message });
  const trouble =
    bash.broken() ?? (after.value === ground.tree ? null : 'the work was changed while it was judged');
  const vote = supported({
    vote: trouble === null ? voteOf(end, taken) : inconclusive(trouble),
    diffEmpty: ground.diffEmpty,
    greenChecks: ground.greenChecks,
    looks: looksOf(world, id),
  });
  return { type: 'vote.ended', node, epoch, attempt, verification, seat, ballot, tree: after.value, ...vote };
}

/** Tools that showed it something. */
function looksOf({ index }: World, id: SessionId): number {
  return tracesOf(index.of(id)).filter(({ name, ok }) => ok && name !== VERDICT).length;
}

/** More than a seat is ever asked: only names of sessions depend on it. */
const BALLOTS = 16;

type Ground =
  | {
      readonly ok: true;
      readonly tree: string;
      readonly packet: string;
      readonly diffEmpty: boolean;
      readonly greenChecks: number;
    }
  | { readonly ok: false; readonly why: string };

/** What is judged: the work as it stands, against the node's own base; the final node's against the run's. */
async function judged(
  { world, effect, say }: Playing<VoteCommand>,
  facts: GoalFacts,
  runBase: string | null,
): Promise<Ground> {
  const { plan, node, goal, final, skipped } = facts;
  const base = (final ? runBase : goal.base) ?? goal.base;
  const tree = await world.shadow.snapshot();
  if (!tree.ok) return { ok: false, why: tree.fault.message };
  if (base === null) return { ok: false, why: `${node.slug} has no snapshot from before its work` };
  const diff = await world.shadow.diff(base, tree.value, MOST_DIFF);
  if (!diff.ok) return { ok: false, why: diff.fault.message };
  const { files, patch, cut } = diff.value;
  const checks = checkResults(say.state(), effect.node, world.records);
  const packet = skepticPacket({
    objective: plan.objective,
    node,
    brief: goal.brief,
    claim: goal.claim,
    diff: { text: world.mask(patch), cut, files: files.map(({ path, change }) => `${change} ${path}`) },
    checks,
    priorGaps: goal.gaps,
    skipped,
    final,
    // A third of a small window, at most three bytes a token.
    room: world.verifier.window,
  });
  const greenChecks = checks.filter(({ exit }) => exit === 0).length;
  return { ok: true, tree: tree.value, packet, diffEmpty: files.length === 0, greenChecks };
}

function voteOf(end: Exclude<SessionEnd, { type: 'cut' }>, taken: readonly Vote[]): Vote {
  switch (end.type) {
    case 'ended':
      return readVotes({ taken, text: '', finish: 'tools' });
    case 'said':
      return readVotes({ taken, text: end.text, finish: end.finish });
    case 'turns':
      return inconclusive('it used up its requests without a verdict');
    case 'loop':
      return inconclusive(`it made no way: ${end.detail}`);
    case 'failed':
      return inconclusive(end.fault.message);
  }
}

function inconclusive(why: string): Vote {
  return { verdict: 'inconclusive', gaps: [], why, injection: null };
}
