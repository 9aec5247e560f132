/** How a planner hands in its plan: by a tool, or as JSON in its reply. The gate decides; its faults go back verbatim. */

import { z } from 'zod';
import { fail, ok, type PlanWarning } from '../../contract/fault.ts';
import type { Plan } from '../../contract/plan.ts';
import type { Tool } from '../../contract/tool.ts';
import type { Draft } from '../../graph/draft.ts';
import { gate, type GateOptions } from '../../graph/gate.ts';
import { isObject, readJson, type JsonObject } from '../../graph/json-text.ts';
import { parsePlan } from '../../graph/parse-plan.ts';
import { defineTool } from '../../tool/define.ts';

export interface Planning {
  /** The user's own words: they are the plan's objective, whatever the model wrote. */
  readonly objective: string;
  readonly gate: Omit<GateOptions, 'source'>;
}

/** `submissions`: how many there were, this one included. */
export type PlanOutcome =
  | {
      readonly ok: true;
      readonly plan: Plan;
      readonly warnings: readonly PlanWarning[];
      readonly submissions: number;
    }
  | { readonly ok: false; readonly faults: readonly string[]; readonly submissions: number };

export interface PlanTool extends Planning {
  /** How many there were before, when a session goes on. */
  readonly before?: number;
  /** Called for each submission that is looked at; the last one counts, and the first plan ends it. */
  readonly take: (outcome: PlanOutcome) => void;
}

/** Submissions that are looked at. */
export const SUBMISSIONS = 2;

export function submitPlanTool({ objective, gate: options, before = 0, take }: PlanTool): Tool {
  let submissions = before;
  let done = false;
  const tool = defineTool({
    name: 'submit_plan',
    description:
      'Hands in the whole plan. It is checked at once: either it is taken, or all its faults are named. Then submit the whole plan again, mended.',
    // The plan is read by the parser of plans: its faults say more than those of a schema.
    schema: z.looseObject({}),
    run: (args) => {
      if (done || submissions >= SUBMISSIONS) {
        const message = done
          ? 'The plan was taken already. Stop here.'
          : 'There are no attempts left. Stop here.';
        return Promise.resolve(fail({ code: 'arguments' as const, message }));
      }
      submissions += 1;
      const outcome = outcomeOf(draftOf(args), { objective, gate: options }, submissions);
      done = outcome.ok;
      take(outcome);
      if (!outcome.ok) {
        return Promise.resolve(
          fail({ code: 'arguments' as const, message: refusal(outcome.faults, SUBMISSIONS - submissions) }),
        );
      }
      const nodes = outcome.plan.nodes.length - 1;
      return Promise.resolve(
        ok({
          forModel: 'The plan is taken. Stop here.',
          forPerson: `a plan of ${nodes} node${nodes === 1 ? '' : 's'}`,
        }),
      );
    },
  });
  return { ...tool, parameters: FORMAT };
}

/** What was handed in by the tool, read again. */
export function planFromArgs(args: JsonObject, planning: Planning, submissions: number): PlanOutcome {
  return outcomeOf(draftOf(args), planning, submissions);
}

/** For models that answer with JSON in their text. */
export function planFromText(text: string, planning: Planning, submissions = 1): PlanOutcome {
  return outcomeOf(draftOfText(text), planning, submissions);
}

/** Nobody mends more than that at once; a list of unknown deps can be endless. */
const MOST_FAULTS = 100;

/** What is said to a planner whose plan was refused. */
export function refusal(faults: readonly string[], left: number): string {
  const next =
    left > 0
      ? 'Mend all of them and submit the whole plan again.'
      : 'That was the last attempt: stop here, and say in a sentence what keeps you from it.';
  const shown = faults.slice(0, MOST_FAULTS).map((one) => `- ${one}`);
  const rest = faults.length - shown.length;
  const more = rest > 0 ? [`- and ${rest} more`] : [];
  // The first line is all that a person who watches is shown.
  const also = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const head = `The plan is refused: ${faults[0] ?? ''}${also}`;
  return [head, ...(faults.length > 1 ? [...shown, ...more] : []), next].join('\n');
}

function outcomeOf(draft: Draft, { objective, gate: options }: Planning, submissions: number): PlanOutcome {
  const gated = gate({ ...draft, objective }, { ...options, source: 'planner' });
  return gated.ok
    ? { ok: true, plan: gated.plan, warnings: gated.warnings, submissions }
    : { ok: false, faults: gated.faults.map(({ message }) => message), submissions };
}

/** The plan itself, or something that holds it under `plan`. */
function draftOf(args: JsonObject): Draft {
  const inner = 'nodes' in args ? args : (args['plan'] ?? args);
  if (typeof inner === 'string') return draftOfText(inner);
  if (!isObject(inner)) return parsed(jsonOf(args));
  // Not the model's to say; a slip in it must not cost an attempt.
  const rest = Object.fromEntries(Object.entries(inner).filter(([key]) => key !== 'objective'));
  return parsed(jsonOf(rest));
}

function draftOfText(text: string): Draft {
  const whole = text.length > LONGEST_TEXT ? null : readJson(text.replace(/^\uFEFF/, ''), 'planner');
  if (!whole?.ok) return parsed(text);
  const { object } = whole;
  const inner = 'nodes' in object ? object : object['plan'];
  return isObject(inner) ? draftOf(inner) : draftOf({ ...object, plan: null });
}

/** Empty for what is nested too deep to be written, which is then no plan. */
function jsonOf(value: JsonObject): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '';
  }
}

/** Longer than what the parser takes, prose around the plan included. */
const LONGEST_TEXT = 1_000_000;

function parsed(text: string): Draft {
  return parsePlan({ text, file: 'the submitted plan', source: 'planner', format: 'json' });
}

const check = z.strictObject({
  run: z
    .string()
    .describe('A shell command whose exit code decides. It can fail, ends by itself, asks nothing.'),
  once: z.boolean().optional().describe('true: not run again by the final verification.'),
});

const format = z.strictObject({
  objective: z.string().optional().describe('May be left out: the words of the user are used.'),
  checks: z.array(check).max(16).optional().describe('Checks of the objective as a whole.'),
  nodes: z
    .array(
      z.strictObject({
        slug: z
          .string()
          .describe('Its name: letters, digits, - and _, at most 64; another one for each node.'),
        title: z.string().describe('One line, at most 200 characters.'),
        spec: z
          .string()
          .describe('What must be true when it is done. Stands alone. At most 20,000 characters.'),
        deps: z.array(z.string()).max(16).optional().describe('Slugs of nodes that must be finished first.'),
        scope: z.array(z.string()).optional().describe('Where it may write: path or dir/**.'),
        checks: z.array(check).min(1).max(16).describe('Commands that show whether it is done.'),
        frozen: z
          .array(z.string())
          .optional()
          .describe('Globs of files nobody may change to pass the checks.'),
      }),
    )
    .min(1)
    .max(24),
});

const FORMAT = schemaOf(format);

function schemaOf(type: z.ZodType): Readonly<Record<string, unknown>> {
  const schema: Record<string, unknown> = { ...z.toJSONSchema(type, { io: 'input' }) };
  // Some vendors refuse a keyword they do not know.
  delete schema['$schema'];
  return schema;
}
