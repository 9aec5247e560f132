import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planFromText, submitPlanTool, type PlanOutcome } from '../../../src/engine/roles/submit-plan.ts';

const signal = new AbortController().signal;
const OBJECTIVE = 'Count words.\nKeep --json.';
const PLANNING = { objective: OBJECTIVE, gate: { hasModel: true, hasPanel: true, budget: null } };

function node(slug: string, more: object = {}): object {
  return {
    slug,
    title: slug,
    spec: `do ${slug}`,
    scope: [`${slug}/**`],
    checks: [{ run: `sh ${slug}.sh` }],
    ...more,
  };
}

const PLAN = {
  objective: 'something of its own',
  checks: [{ run: 'npm test' }],
  nodes: [node('a'), node('b', { deps: ['a'] })],
};
const CYCLE = { nodes: [node('a', { deps: ['b'] }), node('b', { deps: ['a'] })] };

async function submitted(calls: readonly unknown[], more: { limit?: number; before?: number } = {}) {
  const outcomes: PlanOutcome[] = [];
  const answers: string[] = [];
  const tool = submitPlanTool({ ...PLANNING, ...more, take: (outcome) => outcomes.push(outcome) });
  for (const args of calls) {
    const result = await tool.run(args, signal);
    answers.push(result.ok ? result.value.forModel : result.fault.message);
  }
  return { outcomes, answers };
}

describe('submit_plan', () => {
  it.each<[string, unknown]>([
    ['the plan itself', PLAN],
    ['a plan under its name', { plan: PLAN }],
    ['a plan as text', { plan: JSON.stringify(PLAN) }],
    ['a plan as text in a fence', { plan: `\uFEFFHere:\r\n\`\`\`json\r\n${JSON.stringify(PLAN)}\r\n\`\`\`` }],
    ['a text that holds a plan under its name', { plan: JSON.stringify({ plan: PLAN }) }],
    ['a plan whose objective is no text', { ...PLAN, objective: { text: 'x' } }],
    ['a plan without an objective', { checks: PLAN.checks, nodes: PLAN.nodes }],
  ])('takes %s, for the objective of the user', async (_, args) => {
    const { outcomes, answers } = await submitted([args]);
    expect(answers).toEqual(['The plan is taken. Stop here.']);
    expect(outcomes).toMatchObject([{ ok: true, submissions: 1, plan: { objective: OBJECTIVE } }]);
    const [outcome] = outcomes;
    if (!outcome?.ok) throw new Error('refused');
    expect(outcome.plan.nodes.map(({ slug }) => slug)).toEqual(['a', 'b', 'gn-final']);
    expect(outcome.plan.nodes.at(-1)?.spec).toContain(OBJECTIVE);
    expect(outcome.plan.checks).toEqual([{ run: 'npm test', once: false }]);
  });

  it('answers with every fault, word for word, and takes the next one', async () => {
    const broken = { nodes: [node('a', { deps: ['aa'] }), node('a'), null, node('gn-final', { spec: '' })] };
    const { outcomes, answers } = await submitted([broken, PLAN]);
    const [first, second] = outcomes;
    if (!first || first.ok) throw new Error('taken');
    expect(first.faults.length).toBeGreaterThanOrEqual(4);
    for (const fault of first.faults) expect(answers[0]).toContain(`- ${fault}`);
    expect(answers[0]).toContain('submit the whole plan again');
    expect(second).toMatchObject({ ok: true, submissions: 2 });
  });

  it('names the exact cycle', async () => {
    const { answers } = await submitted([CYCLE]);
    expect(answers[0]).toMatch(/a.*b/);
  });

  it('ends with the second refusal', async () => {
    const { outcomes, answers } = await submitted([CYCLE, { nodes: [] }, PLAN]);
    expect(outcomes.map(({ ok, submissions }) => [ok, submissions])).toEqual([
      [false, 1],
      [false, 2],
    ]);
    expect(answers[1]).toContain('last attempt');
    expect(answers[2]).toBe('There are no attempts left. Stop here.');
  });

  it('ends with the first plan', async () => {
    const { outcomes, answers } = await submitted([PLAN, PLAN]);
    expect(outcomes).toHaveLength(1);
    expect(answers[1]).toBe('The plan was taken already. Stop here.');
  });

  it('counts the submissions of a session that goes on', async () => {
    const { outcomes, answers } = await submitted([CYCLE, PLAN], { before: 1 });
    expect(outcomes).toMatchObject([{ ok: false, submissions: 2 }]);
    expect(answers[1]).toBe('There are no attempts left. Stop here.');
  });

  it.each<[string, unknown]>([
    ['an empty plan (F-59)', { nodes: [] }],
    ['nothing', {}],
    ['nodes that are no list (F-67)', { nodes: {} }],
    ['entries that are none (F-67)', { nodes: [null, {}] }],
    ['a number as plan', { plan: 7 }],
    ['null as plan', { plan: null }],
    ['a list as plan', { plan: [] }],
    ['prose as plan', { plan: 'first a, then b' }],
    ['a cut-off plan', { plan: JSON.stringify(PLAN).slice(0, -30) }],
    ['25 nodes', { nodes: Array.from({ length: 25 }, (_, i) => node(`n${i}`)) }],
    ['a very long text', { plan: 'x'.repeat(2_000_000) }],
  ])('refuses %s with a reason', async (_, args) => {
    const { outcomes, answers } = await submitted([args]);
    expect(outcomes).toMatchObject([{ ok: false, submissions: 1 }]);
    expect(answers[0]).toMatch(/^The plan is refused: \S/);
    expect(answers[0]?.length).toBeLessThan(20_000);
  });

  it('ignores what only a person may set', async () => {
    const { outcomes } = await submitted([{ nodes: [node('a', { run: 'rm -rf .', budget: 1 })] }]);
    const [outcome] = outcomes;
    if (!outcome?.ok) throw new Error('refused');
    expect(outcome.plan.nodes[0]).toMatchObject({ run: null, budget: null });
    expect(outcome.warnings.map(({ code }) => code)).toContain('ignored_key');
  });

  it('never takes the word of a spec for a dep (F-68)', async () => {
    const { outcomes } = await submitted([
      { nodes: [node('a'), node('b', { spec: 'parallel-safe with a' })] },
    ]);
    const [outcome] = outcomes;
    expect(outcome?.ok && outcome.plan.nodes[1]?.deps).toEqual([]);
  });

  it('holds the plan to the budget', async () => {
    const outcomes: PlanOutcome[] = [];
    const gate = { ...PLANNING.gate, budget: { tokens: 20_000, panel: 3 } };
    await submitPlanTool({ objective: OBJECTIVE, gate, take: (one) => outcomes.push(one) }).run(PLAN, signal);
    expect(JSON.stringify(outcomes)).toContain('budget of 20000 tokens is too small');
  });

  it('bounds its answer, however many faults there are', async () => {
    const deps = Array.from({ length: 20_000 }, (_, i) => `x${i}`);
    const { answers } = await submitted([{ nodes: [node('a', { deps })] }]);
    expect(answers[0]?.length).toBeLessThan(60_000);
  });

  it('has the schema of the format for the model', () => {
    const { parameters } = submitPlanTool({ ...PLANNING, take: () => undefined });
    expect(parameters).toMatchObject({
      type: 'object',
      required: ['nodes'],
      properties: {
        checks: { type: 'array' },
        nodes: {
          type: 'array',
          maxItems: 24,
          items: { type: 'object', required: ['slug', 'title', 'spec', 'checks'] },
        },
      },
    });
    expect(JSON.stringify(parameters)).not.toContain('$schema');
  });

  it('has a defined outcome for whatever it is called with', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ nodes: fc.jsonValue() }),
          fc.record({ plan: fc.oneof(fc.string(), fc.jsonValue()) }),
        ),
        async (args) => {
          const { answers } = await submitted([args]);
          expect(answers[0]).toMatch(/^(?:The plan is refused:|submit_plan was not run\.)/);
        },
      ),
    );
  });
});

describe('a plan in the text of a reply', () => {
  it.each<[string, string]>([
    ['alone', JSON.stringify(PLAN)],
    ['in a fence (F-76)', `\`\`\`json\n${JSON.stringify(PLAN, null, 2)}\n\`\`\``],
    ['with prose around it (F-158)', `Here is {my} plan:\n${JSON.stringify(PLAN)}\nGood luck!`],
    [
      'with a byte order mark and line ends of Windows (F-76)',
      `\uFEFF${JSON.stringify(PLAN, null, 2).replaceAll('\n', '\r\n')}`,
    ],
    ['under its name', JSON.stringify({ plan: PLAN })],
  ])('is taken %s', (_, text) => {
    expect(planFromText(text, PLANNING)).toMatchObject({
      ok: true,
      plan: { objective: OBJECTIVE },
      submissions: 1,
    });
  });

  it.each<[string, string, string]>([
    ['a comma too many (F-76)', '{"nodes": [],}', 'remove the comma'],
    ['two plans', `${JSON.stringify(PLAN)}\n${JSON.stringify(PLAN)}`, 'exactly one'],
    ['no JSON', 'Ready when you are', 'no JSON object'],
    ['nothing', '', 'no JSON object'],
    ['a plan that was cut off', JSON.stringify(PLAN).slice(0, 100), 'all of it'],
  ])('is refused for %s, precisely', (_, text, reason) => {
    const outcome = planFromText(text, PLANNING, 2);
    expect(outcome).toMatchObject({ ok: false, submissions: 2 });
    expect(JSON.stringify(outcome)).toContain(reason);
  });
});
