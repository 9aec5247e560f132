/**
 * `npm run sim:mutants [-- NAME…]`: breaks the program on purpose, one patch at a time, and sees to it that the
 * simulation notices within 200 seeds. A rule that can be broken unnoticed is not tested. Exit 1 when one survives.
 */

import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';

const ROOT = resolve(import.meta.dirname, '../..');
const PATCHES = import.meta.dirname;
const SEEDS = '200';

/** A copy to break, beside the real thing. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'goalgraph-mutant-'));
  for (const part of ['src', 'test/sim', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function simulate(copy: string): Promise<{ readonly found: boolean; readonly said: string }> {
  const main = join(copy, 'test/sim/main.ts');
  const args = ['--import', 'tsx', main, '--seeds', SEEDS];
  const { exitCode, stdout, stderr } = await execa(process.execPath, args, { cwd: copy, reject: false });
  const said = stdout.split('\n').find((line) => line.startsWith('seed ')) ?? '';
  // A program that does not even start has shown nothing: the finding must name its seed.
  if (exitCode !== 0 && said === '') throw new Error(`the simulation did not run:\n${stdout}\n${stderr}`);
  return { found: exitCode !== 0, said };
}

async function apply(copy: string, patch: string, ...flags: readonly string[]): Promise<void> {
  await execa('git', ['apply', '--unsafe-paths', ...flags, join(PATCHES, patch)], { cwd: copy });
}

async function main(names: readonly string[]): Promise<number> {
  const patches = readdirSync(PATCHES)
    .filter((file) => file.endsWith('.patch'))
    .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
    .sort();
  const copy = copyTree();
  let survived = 0;
  try {
    const sound = await simulate(copy);
    if (sound.found) throw new Error(`the program fails as it is: ${sound.said}`);
    for (const patch of patches) {
      await apply(copy, patch);
      const { found, said } = await simulate(copy);
      await apply(copy, patch, '--reverse');
      if (!found) survived++;
      console.log(
        `${found ? 'caught  ' : 'SURVIVED'} ${patch.replace('.patch', '')}${found ? `: ${said.slice(0, 110)}` : ''}`,
      );
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  console.log(`${patches.length - survived} of ${patches.length} mutants caught within ${SEEDS} seeds`);
  return survived === 0 && patches.length > 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
