/** The example that shows the main job without a key: an objective, a scripted model, real files and real checks. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { test, type Rig } from '../support/rig.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/slug', import.meta.url));
const SCRIPT = join(EXAMPLE, 'script.yaml');
const OBJECTIVE =
  'Write slug() as the README describes it, and a command that prints the slug of its arguments';

const ask = [OBJECTIVE, '--model', `scripted:${SCRIPT}`, '--budget', '2m'];

function copyInto(rig: Rig): void {
  cpSync(join(EXAMPLE, 'workspace'), rig.workspace, { recursive: true });
}

describe('the example without a key', () => {
  test('ends complete, with files that are there and tests that pass', async ({ rig }) => {
    copyInto(rig);
    const { exit, stdout } = await rig.run(['graph', ...ask]);
    expect(exit).toBe(0);
    const node = (...args: readonly string[]) =>
      execFileSync(process.execPath, [...args], { cwd: rig.workspace, encoding: 'utf8' });
    expect(node('--test', 'test/slug.test.mjs')).toContain('# pass 5');
    expect(node('bin/slug.mjs', 'Crème', 'brûlée!')).toBe('creme-brulee\n');
    expect(stdout).toContain('estimate ~');
    const report = stdout.slice(stdout.indexOf('run complete'));
    expect(report).toMatch(/round 1 +skeptic +closed in 2 +slug\('\s+Crème\s+brûlée! '\) must be/);
    for (const role of ['planner', 'worker', 'skeptic', 'total']) {
      expect(report).toMatch(new RegExp(`^${role} +\\d+ `, 'm'));
    }
  });

  test('shows what was changed as a patch that makes the same files', async ({ rig }) => {
    copyInto(rig);
    await rig.run(['graph', ...ask]);
    const { stdout: patch } = await rig.run(['diff']);
    const again = join(rig.root, 'again');
    cpSync(join(EXAMPLE, 'workspace'), again, { recursive: true });
    writeFileSync(join(rig.root, 'run.patch'), patch);
    execFileSync('git', ['apply', '../run.patch'], { cwd: again });
    for (const file of ['src/slug.mjs', 'test/slug.test.mjs', 'bin/slug.mjs']) {
      expect(readFileSync(join(again, file), 'utf8')).toBe(readFileSync(join(rig.workspace, file), 'utf8'));
    }
    const { stdout: ofNode } = await rig.run(['diff', 'command']);
    expect(ofNode).toContain('bin/slug.mjs');
    expect(ofNode).not.toContain('a/src/slug.mjs');
    const { exit, stderr } = await rig.run(['diff', 'comand']);
    expect(exit).toBe(2);
    expect(stderr).toContain('no node comand');
  });

  test('fails loudly when the script tells another story than the run', async ({ rig }) => {
    copyInto(rig);
    const script = readFileSync(SCRIPT, 'utf8');
    const more = join(rig.root, 'more.yaml');
    writeFileSync(more, `${script}\n  - { role: worker, node: command, round: 7, text: Never asked for. }\n`);
    const unasked = await rig.run(['graph', OBJECTIVE, '--model', `scripted:${more}`, '--budget', '2m']);
    expect(unasked.exit).toBe(5);
    expect(unasked.stderr).toContain('node: command, round: 7');
    mkdirSync(join(rig.root, 'other'));
    const less = join(rig.root, 'less.yaml');
    writeFileSync(less, script.slice(0, script.indexOf('  # The first attempt')));
    const missing = await rig.run(['graph', OBJECTIVE, '--model', `scripted:${less}`, '--budget', '2m'], {
      dir: join(rig.root, 'other'),
    });
    expect(missing.exit).toBe(1);
    expect(missing.stdout).toContain('no step for {role: worker, node: slug, round: 1');
  });
});
