/** Charts that direct an agent, as a person uses them: the example, kill -9 at every step, choices, and broken files. */

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../support/os.ts';
import { CHECKOUT } from '../support/rig-cli.ts';
import { kill, MAYBE } from '../support/rig-model-kill.ts';
import { reckon } from '../support/rig-model-ledger.ts';
import { bash, plainStory, type Step } from '../support/rig-model-story.ts';
import { by, MODEL, test, type Provider } from '../support/rig-model.ts';
import { inTerminal } from '../support/rig-pty.ts';
import type { Rig } from '../support/rig.ts';

const EXAMPLE = join(CHECKOUT, 'examples/email');
const SKILLS = '.agents/skills';
const WISH = 'thank ACME for the offer, and decline it';

function copyInto(rig: Rig): void {
  cpSync(join(EXAMPLE, SKILLS), join(rig.workspace, SKILLS), { recursive: true });
}

function skill(rig: Rig, name: string, text: string): string {
  const folder = join(rig.workspace, SKILLS, name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'SKILL.md');
  writeFileSync(file, text);
  return file;
}

function chart(name: string, text: string): string {
  return `---\nname: ${name}\ntype: flow\n---\n\n\`\`\`mermaid\n${text}\n\`\`\`\n`;
}

/** Each step of the example writes what it did to a file, so that one that is done twice shows. */
const STORY: readonly Step[] = [
  ...[1, 3, 4].flatMap((round): readonly Step[] => [
    { role: 'agent', round, turn: 1, calls: [bash(`echo ${round} >> done.txt`)] },
    { role: 'agent', round, turn: 2, text: 'Done.' },
  ]),
  { role: 'agent', round: 2, text: 'Companies want it so. <choice>formal</choice>' },
];

const email = (provider: Provider) =>
  by(provider, 'flow', 'run', 'email', WISH, '--budget', '500k', '--sandbox', 'off');

/** `draft said`, for each move in order. */
function moves(rig: Rig): readonly string[] {
  return rig
    .journal()
    .events.flatMap((event) =>
      event.type === 'move.ended'
        ? [`${event.step} ${event.detail ?? event.choice ?? event.outcome}`]
        : event.type === 'flow.chosen'
          ? [`${event.step} <- ${event.branch}`]
          : [],
    );
}

const WHOLE = ['draft said', 'formal formal', 'polish said', 'send said'];

describe('the example of a flow', () => {
  test('runs offline, and sends what it has written', async ({ rig }) => {
    copyInto(rig);
    const script = `scripted:${join(EXAMPLE, 'script.yaml')}`;
    const { exit, stdout } = await rig.run([
      'flow',
      'run',
      'email',
      WISH,
      '--model',
      script,
      '--budget',
      '200k',
    ]);
    expect(exit).toBe(0);
    expect(readFileSync(join(rig.workspace, 'outbox/mail.txt'), 'utf8')).toContain('Dear Ms. Coyote');
    expect(stdout).toContain('there is no such branch: very formal');
    expect(moves(rig)).toEqual([
      'draft said',
      'formal there is no such branch',
      'formal formal',
      'polish said',
      'send said',
    ]);
    const show = await rig.run(['show']);
    expect(show.stdout).toContain('casual → send');
    expect((await rig.run(['export', '--format', 'mermaid'])).stdout).toContain('|"formal"|');
    const status = await rig.status();
    // Nobody has looked at what came of it.
    expect(status.nodes).toMatchObject([{ executed: true, claimed: true, verified: false }]);
  });
});

describe.concurrent('a flow that is killed', () => {
  for (const round of [1, 2, 3, 4]) {
    test(`while it asks for its move ${round} goes on there`, async ({ rig, provider }) => {
      copyInto(rig);
      provider.tell(STORY);
      const held = provider.hold(({ key }) => key.role === 'agent' && key.round === round);
      const owner = rig.start(email(provider));
      const before = await held.arrived;
      await kill(owner);
      expect((await rig.run(['resume'])).exit).toBe(0);
      expect(moves(rig)).toEqual(WHOLE);
      expect(readFileSync(join(rig.workspace, 'done.txt'), 'utf8')).toBe('1\n3\n4\n');
      const again = provider.chats('agent').filter(({ key }) => key.round === round);
      expect(again[1]?.body).toEqual(before.body);
      const sums = reckon(rig.journal().events);
      expect(sums.reserved).toBe(0);
      expect(sums.spent).toBeLessThanOrEqual(500_000);
    });
  }

  test('while a command of its step runs tells the agent so, and goes on in that step', async ({
    rig,
    provider,
  }) => {
    copyInto(rig);
    const puppet = rig.puppet('polish');
    provider.tell([{ role: 'agent', round: 3, turn: 1, calls: [bash(puppet.command)] }, ...STORY]);
    const owner = rig.start(email(provider));
    await puppet.called();
    await kill(owner);
    const next = rig.start(['resume']);
    (await puppet.called()).exit(0);
    expect((await next.ended).exit).toBe(0);
    expect(moves(rig)).toEqual(WHOLE);
    const third = provider.chats('agent').filter(({ key }) => key.round === 3);
    expect(JSON.stringify(third[1]?.body.messages)).toContain(MAYBE);
  });
});

describe('a decision', () => {
  const NEVER: readonly Step[] = [{ role: 'agent', text: 'I cannot say.' }];

  test('that is not made is asked for five times more, then waits for a person, who decides', async ({
    rig,
    provider,
  }) => {
    copyInto(rig);
    provider.tell(NEVER);
    const first = await rig.run(email(provider));
    expect(first.exit).toBe(3);
    expect(first.stdout).toContain('goalgraph choose');
    expect(provider.chats('agent')).toHaveLength(7);
    expect((await rig.run(['choose', 'perhaps'])).stderr).toContain(
      'has no branch perhaps. It has: formal, casual',
    );
    expect((await rig.run(['choose', 'Casual'])).exit).toBe(0);
    expect(provider.chats('agent')).toHaveLength(7);
    provider.tell([{ role: 'agent', text: 'Done.' }]);
    expect((await rig.run(['resume'])).exit).toBe(0);
    expect(moves(rig).slice(-2)).toEqual(['formal <- casual', 'send said']);
    const [last] = provider.chats('agent').slice(-1);
    expect(JSON.stringify(last?.body.messages)).toContain('has chosen the branch');
    expect((await rig.run(['choose', 'casual'])).exit).toBe(2);
  });

  test('can be made from another terminal while the agent is asked, and its request is dropped', async ({
    rig,
    provider,
  }) => {
    copyInto(rig);
    provider.tell(STORY);
    const held = provider.hold(({ key }) => key.role === 'agent' && key.round === 2);
    const owner = rig.start(email(provider));
    const asked = await held.arrived;
    provider.tell([{ role: 'agent', text: 'Done.' }]);
    expect((await rig.run(['choose', 'casual'])).exit).toBe(0);
    expect((await owner.ended).exit).toBe(0);
    await asked.request.ended;
    expect(moves(rig)).toEqual(['draft said', 'formal <- casual', 'send said']);
  });

  test('can be typed into the shell as it stands', async ({ rig, provider }) => {
    copyInto(rig);
    provider.tell(STORY);
    const held = provider.hold(({ key }) => key.role === 'agent' && key.round === 2);
    const person = inTerminal({
      argv: [process.execPath, join(CHECKOUT, 'dist/cli/main.js'), '-C', rig.workspace],
      cwd: rig.root,
      env: { ...rig.env, NO_COLOR: '1' },
      columns: 100,
      rows: 40,
      from: /\x1b/,
    });
    await person.sees('/help lists the rest');
    person.type('/flow:e');
    await until('it is completed', () => {
      // Skills are looked for while the prompt is there already.
      person.type('\t');
      return person.screen.text().join('\n').includes('/flow:email');
    });
    person.type('\x15');
    person.type(`/flow:email ${WISH} --budget 500k --base-url ${provider.baseUrl} --model ${MODEL}\r`);
    await held.arrived;
    await person.sees('type one to decide: formal · casual');
    await person.sees('► formal');
    provider.tell([{ role: 'agent', text: 'Done.' }]);
    person.type('cassual\r');
    await person.sees('Did you mean the branch casual?');
    person.type('/choose cas\t');
    await person.sees('/choose casual');
    person.type('\x15');
    person.type('casual\r');
    await person.sees('Chosen: casual');
    await person.sees('report:');
    person.type('/quit\r');
    expect((await person.ended).exit).toBe(0);
    expect(moves(rig)).toEqual(['draft said', 'formal <- casual', 'send said']);
    expect(provider.chats('guide')).toEqual([]);
  });
});

describe('what a flow may use', () => {
  test('is limited in moves, and more are added', async ({ rig, provider }) => {
    copyInto(rig);
    provider.tell(STORY);
    const first = await rig.run([...email(provider), '--max-moves', '2']);
    expect(first.exit).toBe(4);
    expect(first.stdout).toContain('paused (moves)');
    expect(moves(rig)).toEqual(WHOLE.slice(0, 2));
    expect((await rig.run(['resume'])).stderr).toContain('resume with --max-moves');
    expect((await rig.run(['resume', '--max-moves', '1'])).exit).toBe(4);
    expect((await rig.run(['resume', '--max-moves', '50'])).exit).toBe(0);
    expect(moves(rig)).toEqual(WHOLE);
  });

  test('is limited by its budget, and it goes on from its step with more', async ({ rig, provider }) => {
    copyInto(rig);
    provider.tell(STORY, { usage: 'dear' });
    const words = by(provider, 'flow', 'run', 'email', WISH, '--budget', '30k', '--sandbox', 'off');
    expect((await rig.run(words)).exit).toBe(4);
    const sums = reckon(rig.journal().events);
    expect(sums.spent).toBeLessThanOrEqual(30_000);
    const before = moves(rig).length;
    expect(before).toBeLessThan(WHOLE.length);
    expect((await rig.run(['resume', '--budget', '500k'])).exit).toBe(0);
    expect(moves(rig)).toEqual(WHOLE);
  });

  test('is paused by a person, and no request is made after that', async ({ rig, provider }) => {
    copyInto(rig);
    provider.tell(STORY);
    const held = provider.hold(({ key }) => key.role === 'agent' && key.round === 3);
    const owner = rig.start(email(provider));
    const asked = await held.arrived;
    expect((await rig.run(['pause'])).exit).toBe(0);
    expect((await owner.ended).exit).toBe(3);
    await asked.request.ended;
    const sent = provider.chats().length;
    expect((await rig.run(['status'])).stdout).toContain('at polish');
    expect(provider.chats()).toHaveLength(sent);
    expect((await rig.run(['resume'])).exit).toBe(0);
    expect(moves(rig)).toEqual(WHOLE);
  });
});

describe('the Ralph loop', () => {
  const LOOP: readonly Step[] = [
    { role: 'agent', round: 1, text: 'Begun.' },
    { role: 'agent', round: 2, text: 'More to do. <choice>CONTINUE</choice>' },
    { role: 'agent', round: 3, text: 'All there. <choice>STOP</choice>' },
  ];
  const ralph = (provider: Provider, ...more: readonly string[]) =>
    by(provider, 'goal', 'Write it all', ...more);

  test('asks again until the agent says that it is done', async ({ rig, provider }) => {
    provider.tell(LOOP);
    const { exit } = await rig.run(ralph(provider, '--max-ralph-iterations', '5', '--budget', '200k'));
    expect(exit).toBe(0);
    expect(moves(rig)).toEqual(['first said', 'again CONTINUE', 'again STOP']);
  });

  test('that runs out is neither done nor a crash, and goes on with more', async ({ rig, provider }) => {
    provider.tell([LOOP[0] as Step, { role: 'agent', text: '<choice>CONTINUE</choice>' }]);
    const { exit, stdout } = await rig.run(
      ralph(provider, '--max-ralph-iterations', '2', '--budget', '200k'),
    );
    expect(exit).toBe(4);
    expect(stdout).toContain('paused (moves)');
    provider.tell([{ role: 'agent', text: '<choice>STOP</choice>' }]);
    expect((await rig.run(['resume', '--max-moves', '1'])).exit).toBe(0);
  });

  test('without an end wants something that ends it', async ({ rig, provider }) => {
    const refused = await rig.run(ralph(provider, '--max-ralph-iterations', '-1'));
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toContain('--budget');
    provider.tell([{ role: 'agent', text: '<choice>CONTINUE</choice>' }]);
    const ended = await rig.run(ralph(provider, '--max-ralph-iterations', '-1', '--budget', '40k'));
    expect(ended.exit).toBe(4);
    expect(reckon(rig.journal().events).spent).toBeLessThanOrEqual(40_000);
  });
});

describe('skills', () => {
  test('are listed, checked and refused with file and line', async ({ rig }) => {
    copyInto(rig);
    const file = skill(rig, 'broken', chart('broken', 'B([BEGIN]) --> a\na --> [x'));
    skill(rig, 'notes', '---\nname: notes\ndescription: How notes are written\n---\nShort.\n');
    const list = await rig.run(['flow', 'list']);
    expect(list.exit).toBe(0);
    expect(list.stdout).toMatch(/^broken +standard/m);
    expect(list.stdout).toMatch(/^email +flow/m);
    expect(list.stdout).toMatch(/^notes +standard +project +How notes are written/m);
    expect(list.stderr).toContain(`${file}:8:`);
    for (const words of [
      ['check', join(SKILLS, 'broken/SKILL.md')],
      ['flow', 'check', 'broken'],
      ['flow', 'run', 'broken'],
    ]) {
      const { exit, stderr } = await rig.run(words);
      expect({ exit, told: stderr.includes('SKILL.md:8:') }).toEqual({ exit: 2, told: true });
    }
    const asked = await rig.run(['flow', 'check', 'broken', '--json']);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      fault: { code: 'plan_file', place: { file, line: 8, column: expect.any(Number) as number } },
    });
    expect((await rig.run(['check', join(SKILLS, 'notes/SKILL.md')])).exit).toBe(0);
    expect((await rig.run(['flow', 'run', 'emial'])).stderr).toContain('did you mean email?');
    expect((await rig.run(['flow', 'run', 'notes'])).stderr).toContain('instructions only');
    expect(existsSync(join(rig.workspace, '.goalgraph/journal.db'))).toBe(false);
  });

  test('of instructions are the objective of a goal, and are offered to its worker by name', async ({
    rig,
    provider,
  }) => {
    skill(rig, 'notes', '---\nname: notes\ndescription: How notes are written\n---\nKeep them short.\n');
    provider.tell([{ role: 'briefer', text: 'No.' }, ...plainStory('goal')]);
    const held = provider.hold(({ key }) => key.role === 'worker');
    const owner = rig.start(by(provider, 'skill', 'notes', 'about birds', '--budget', '500k'));
    const { body } = await held.arrived;
    owner.kill('SIGINT');
    await owner.ended;
    const sent = body.messages.map(({ content }) => content).join('\n');
    expect(sent).toContain('Keep them short.');
    expect(sent).toContain('about birds');
    expect(sent).toMatch(/^- notes \(.*\/notes\/SKILL\.md\): How notes are written$/m);
    expect(body.tools?.map((tool) => tool.function.name)).toContain('skill');
  });
});
