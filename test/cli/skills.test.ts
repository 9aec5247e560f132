/** Where skills are looked for, which one of a name counts, and what becomes of a broken one. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSkills, skillRoots, type Searching } from '../../src/cli/skills.ts';
import { tempFolder } from '../support/os.ts';

interface Place extends Searching {
  readonly home: string;
}

/** A project with a git repository, worked on in a folder of it, and a home. */
function place(more: Partial<Searching> = {}): Place {
  const root = tempFolder();
  const home = join(root, 'home');
  const workspace = join(root, 'project', 'packages', 'a');
  mkdirSync(workspace, { recursive: true });
  mkdirSync(home);
  execFileSync('git', ['init', '-q', join(root, 'project')]);
  return { workspace, home, env: { HOME: home }, skillDirs: [], instead: [], ...more };
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const named = (name: string, description: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nText.\n`;

async function found(of: Searching): Promise<readonly string[]> {
  const { skills } = await findSkills(of);
  return skills.map(({ name, scope, description }) => `${name} ${scope} ${description}`);
}

describe('skills', () => {
  it('are looked for in the project, then at home, then where the person says; the first of a name counts', async () => {
    const of = place({ skillDirs: ['~/more', 'shared'] });
    const project = dirname(dirname(of.workspace));
    const folders: readonly (readonly [string, string])[] = [
      [project, '.goalgraph/skills'],
      [project, '.kimi/skills'],
      [project, '.claude/skills'],
      [project, '.codex/skills'],
      [project, '.agents/skills'],
      [of.home, '.config/goalgraph/skills'],
      [of.home, '.kimi/skills'],
      [of.home, '.claude/skills'],
      [of.home, '.codex/skills'],
      [of.home, '.config/agents/skills'],
      [of.home, 'more'],
      [project, 'shared'],
    ];
    // Each of them has the next one's skill, too, and all have one of the same name in another case.
    for (const [i, [base, folder]] of folders.entries()) {
      put(join(base, folder, 'own/SKILL.md'), named(`s${i}`, `of ${i}`));
      put(join(base, folder, 'same/SKILL.md'), named(i % 2 === 0 ? 'same' : 'SAME', `of ${i}`));
    }
    expect(skillRoots(of).map(({ folder }) => folder)).toEqual(
      folders.map(([base, folder]) => join(base, folder)),
    );
    const names = await found(of);
    expect(names).toContain('same project of 0');
    expect(names.filter((name) => /^same /i.test(name))).toHaveLength(1);
    expect(names).toContain('s11 extra of 11');
    expect(names).toHaveLength(13);
  });

  it('of ~/.agents are taken only where ~/.config/agents has none', async () => {
    const of = place();
    put(join(of.home, '.agents/skills/a/SKILL.md'), named('a', 'x'));
    expect(await found(of)).toEqual(['a user x']);
    mkdirSync(join(of.home, '.config/agents/skills'), { recursive: true });
    expect(await found(of)).toEqual([]);
  });

  it('of folders that are named on the command line stand instead of those of project and home', async () => {
    const of = place();
    const project = dirname(dirname(of.workspace));
    put(join(project, '.kimi/skills/a/SKILL.md'), named('a', 'project'));
    put(join(of.home, 'b/b/SKILL.md'), named('b', 'named'));
    expect(await found({ ...of, instead: [join(of.home, 'b')] })).toEqual(['b extra named']);
  });

  it('of a folder that two links lead to are there once', () => {
    const of = place();
    put(join(of.home, '.kimi/skills/a/SKILL.md'), named('a', 'x'));
    symlinkSync(join(of.home, '.kimi'), join(of.home, '.claude'));
    expect(skillRoots(of)).toHaveLength(1);
  });

  it('of the project may not be links that lead out of it; a person may link their own', async () => {
    const of = place();
    const project = dirname(dirname(of.workspace));
    const secret = join(of.home, 'credentials');
    writeFileSync(secret, 'hunter2-hunter2\n');
    put(join(project, '.agents/skills/good/SKILL.md'), named('good', 'x'));
    symlinkSync(secret, join(project, '.agents/skills/creds.md'));
    mkdirSync(join(project, '.agents/skills/deep'));
    symlinkSync(secret, join(project, '.agents/skills/deep/SKILL.md'));
    symlinkSync(of.home, join(project, '.kimi'));
    put(join(of.home, 'skills/own/SKILL.md'), named('own', 'x'));
    symlinkSync(join(of.home, 'skills/own'), join(of.home, 'linked'));
    const { skills, warnings } = await findSkills(of);
    expect(skills.map(({ name }) => name)).toEqual(['good']);
    expect(warnings.map(({ name, message }) => [name, message.includes('leads out of the project')])).toEqual(
      [
        ['own', true],
        ['deep', true],
        ['creds', true],
      ],
    );
    mkdirSync(join(of.home, '.claude'));
    symlinkSync(join(of.home, 'skills'), join(of.home, '.claude/skills'));
    expect(await found(of)).toEqual(['good project x', 'own user x']);
  });

  it('may be single files, which a skill with a folder of its own comes before', async () => {
    const of = place();
    const folder = join(of.workspace, '..', '..', '.agents/skills');
    put(join(folder, 'notes.md'), 'How notes are written.\n');
    put(join(folder, 'mail.MD'), named('mail', 'file'));
    put(join(folder, 'mail/SKILL.md'), named('mail', 'folder'));
    put(join(folder, 'skill.md'), named('none', 'x'));
    put(join(folder, 'deep/er/SKILL.md'), named('deep', 'x'));
    put(join(folder, 'text.txt'), 'x');
    expect(await found(of)).toEqual(['mail project folder', 'notes project How notes are written.']);
  });

  it('with front matter that would take a parser for ever are refused at once', async () => {
    const of = place();
    const folder = join(of.workspace, '..', '..', '.agents/skills');
    const keys = Array.from({ length: 80_000 }, (_, i) => `k${i}: 1`).join('\n');
    const hostile = [
      `a: ${'['.repeat(20_000)}`,
      `a: ${'['.repeat(400)}`,
      '- '.repeat(2_000),
      '? '.repeat(2_000),
      keys,
    ];
    for (const [i, text] of [...hostile, ...hostile].entries()) {
      put(join(folder, `s${i}/SKILL.md`), `---\n${text}\nname: x\n---\nx`);
    }
    const start = performance.now();
    const { skills, warnings } = await findSkills(of);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect([skills.length, warnings.length]).toEqual([0, 10]);
  });

  it('that are broken are left out or degraded, with file and line, and keep no other from being found', async () => {
    const of = place();
    const folder = join(of.workspace, '..', '..', '.agents/skills');
    put(join(folder, 'a/SKILL.md'), '---\nname: "x\n---\n');
    put(join(folder, 'b/SKILL.md'), '---\nname: b\ntype: flow\n---\n```d2\nBEGIN -> x\n```\n');
    put(join(folder, 'c/SKILL.md'), '');
    put(join(folder, 'd/SKILL.md'), Buffer.from([0xff, 0xfe, 0]).toString('latin1'));
    put(join(folder, 'e/SKILL.md'), `---\nname: e\n---\n${'x'.repeat(2_000_000)}`);
    execFileSync('mkdir', ['-p', join(folder, 'f')]);
    execFileSync('mkfifo', [join(folder, 'f/SKILL.md')]);
    put(join(folder, 'good/SKILL.md'), named('good', 'x'));
    const { skills, warnings } = await findSkills(of);
    expect(skills.map(({ name, flow }) => `${name} ${flow === null ? 'standard' : 'flow'}`)).toEqual([
      'b standard',
      'good standard',
    ]);
    expect(warnings).toHaveLength(6);
    const told = warnings.map(({ message }) => message);
    expect(told.find((line) => line.includes('a/SKILL.md:2:'))).toContain('no YAML');
    expect(told.find((line) => line.includes('b/SKILL.md:5: '))).toContain('END');
  });
});
