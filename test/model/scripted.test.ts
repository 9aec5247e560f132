import { describe, expect, it } from 'vitest';
import { lastOf } from '../../src/contract/model.ts';
import { parseScript } from '../../src/model/script.ts';
import { scriptedModel } from '../../src/model/scripted.ts';
import type { ScriptedModel } from '../../src/model/scripted.ts';
import { LIVE, modelCases, request } from './model-cases.ts';

function scripted(yaml: string): ScriptedModel {
  const script = parseScript('s.yaml', yaml);
  if (!script.ok) throw new Error(script.fault.message);
  return scriptedModel('scripted:s.yaml', script.value);
}

modelCases('a script', (replies) => {
  const steps = replies.map((reply, at) => ({
    role: 'worker',
    node: 'a',
    turn: at + 1,
    ...('fail' in reply ? { fail: { code: reply.fail } } : reply),
  }));
  // JSON is YAML.
  return Promise.resolve({ model: scripted(JSON.stringify({ steps })), close: () => Promise.resolve() });
});

const TWO = `
steps:
  - { role: worker, node: a, text: one }
  - { role: skeptic, node: a, seat: 2, text: two }
`;

describe('a scripted model', () => {
  it('finds steps by key, in any order, and the same twice', async () => {
    const model = scripted(TWO);
    const key = { role: 'skeptic', node: 'a', round: 1, turn: 1, seat: 2 };
    for (let i = 0; i < 2; i++) {
      const end = await lastOf(model.turn(request({ key }), LIVE));
      expect(end).toMatchObject({ type: 'done', message: { text: 'two' } });
    }
    expect(await lastOf(model.turn(request(), LIVE))).toMatchObject({ message: { text: 'one' } });
    expect(model.unasked()).toEqual([]);
  });

  it('is loud about a request without a step, and about steps never asked for', async () => {
    const model = scripted(TWO);
    const end = await lastOf(model.turn(request({}, 7), LIVE));
    expect(end).toEqual({
      type: 'failed',
      billable: false,
      fault: {
        code: 'bad_request',
        message:
          'The script has no step for {role: worker, node: a, round: 1, turn: 7, seat: 1}. ' +
          'The nearest it has is {role: worker, node: a, round: 1, turn: 1, seat: 1}. Add the step.',
      },
    });
    expect(model.unasked()).toEqual([
      '{role: worker, node: a, round: 1, turn: 1, seat: 1}',
      '{role: skeptic, node: a, round: 1, turn: 1, seat: 2}',
    ]);
  });

  it('fails as often as told before it replies', async () => {
    const model = scripted(`
steps:
  - role: worker
    node: a
    fails: [{ code: rate, retryAfter: 30000 }, { code: cut }]
    calls: [{ name: read, args: { path: a } }]
`);
    const ends = [];
    for (let i = 0; i < 3; i++) ends.push(await lastOf(model.turn(request(), LIVE)));
    expect(ends).toMatchObject([
      { fault: { code: 'rate', retryAfter: 30_000 }, billable: false },
      { fault: { code: 'cut' }, billable: true },
      { finish: 'tools', message: { calls: [{ id: 'call00000', args: '{"path":"a"}' }] } },
    ]);
  });

  it('counts tokens when the script gives no usage', async () => {
    const end = await lastOf(scripted(TWO).turn(request(), LIVE));
    expect(end).toMatchObject({ usage: { cached: 0, reasoning: 0, output: 4 } });
  });

  it.each([
    ['steps: [', 's.yaml is not YAML'],
    ['steps: []', 's.yaml: at steps'],
    ['hello', 's.yaml: Invalid input'],
    ['steps: [{role: worker, txt: x}]', 'Unrecognized key: "txt"'],
    ['steps: [{role: worker}, {role: worker}]', 'two steps for {role: worker, round: 1, turn: 1, seat: 1}'],
    ['steps: [{role: worker, fail: {code: nope}}]', 'at steps.0.fail'],
    ['a: &a [x]\nsteps: [*a, *a]', 's.yaml'],
  ])('refuses the script %j', (yaml, said) => {
    const script = parseScript('s.yaml', yaml);
    expect(script.ok ? null : script.fault.message).toContain(said);
  });
});
