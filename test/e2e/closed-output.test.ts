/** A reader that goes away is no reason to stop a run. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect } from 'vitest';
import { MAIN } from '../support/rig-cli.ts';
import { test, type Rig } from '../support/rig.ts';

/** The command line in a pipe, in a shell that tells the exit codes of both sides. */
async function piped(rig: Rig, args: string, reader: string): Promise<{ text: string; exit: string }> {
  const script = `{ "$0" "$1" -C "$2" ${args}; echo "exit $?" >&3; } 3>&2 | ${reader}`;
  const child = spawn('sh', ['-c', script, process.execPath, MAIN, rig.workspace], { env: rig.env });
  let text = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await once(child, 'close');
  return { text, exit: errors };
}

describe('a run whose output is closed early', () => {
  test('goes on to its end', async ({ rig }) => {
    const nodes = ['a', 'b', 'c', 'd'].map((slug, i) => ({
      slug,
      deps: i === 0 ? [] : ['a'],
      scope: [slug],
      run: `echo ${slug} > ${slug}`,
    }));
    for (const json of ['', ' --json']) {
      const { text, exit } = await piped(rig, `run '${rig.plan({ nodes })}'${json}`, 'head -1');
      expect(text.split('\n')).toHaveLength(2);
      expect(exit).toBe('exit 0\n');
      expect((await rig.status()).status).toBe('complete');
    }
  });

  test('goes on to its end with nobody reading from the start', async ({ rig }) => {
    const plan = rig.plan({ nodes: [{ slug: 'a', run: 'sleep 0.2; touch a' }] });
    expect((await piped(rig, `run '${plan}' 2>&1`, 'true')).exit).toBe('exit 0\n');
    expect((await rig.status()).status).toBe('complete');
  });
});

describe('a look whose output is closed early', () => {
  test('ends without a word', async ({ rig }) => {
    await rig.run(['run', rig.plan({ nodes: [{ slug: 'a', run: 'seq 100000' }] })]);
    for (const args of ['log a', 'status', 'export --format json']) {
      expect((await piped(rig, args, 'head -c 1')).exit).toBe('exit 0\n');
    }
  });
});
