/** The gate's own figure, see `gate.ts`: in a process of its own, as `goalgraph check` meets it. */

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Row } from './rows.ts';

const MOST_MS = 250;

export async function gateTime(): Promise<Row> {
  const text = await outputOf(fileURLToPath(new URL('gate.ts', import.meta.url)));
  const medians = [...text.matchAll(/^(\w+) .*median (\d+) ms/gm)];
  if (medians.length === 0) throw new Error(`bench/gate.ts says no median:\n${text}`);
  return {
    what: 'gate of 10000 nodes, 30000 edges: text to plan',
    goal: `< ${MOST_MS} ms`,
    met: medians.every(([, , ms]) => Number(ms) < MOST_MS),
    measured: medians.map(([, format, ms]) => `${format ?? ''} ${ms ?? ''} ms`).join(', '),
  };
}

function outputOf(script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = fork(script, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`exit ${code ?? '?'}`))));
  });
}
