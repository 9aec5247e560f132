/** Runs worth looking at, for golden screens. */

import type { NodeView, RunView } from '../../src/contract/view.ts';
import { FINAL_NODE } from '../../src/contract/ids.ts';
import { checkView, ended, planView, runView, START } from './views.ts';

const DONE: Partial<NodeView> = {
  status: 'achieved',
  attempts: 1,
  ms: 3_240,
  executed: true,
  claimed: true,
  verified: true,
  work: ended(),
};

function achieved(...slugs: readonly string[]): Record<string, Partial<NodeView>> {
  return Object.fromEntries(slugs.map((slug) => [slug, DONE]));
}

function layered(): RunView {
  const deps: Record<string, string[]> = {};
  const sizes = [3, 5, 5, 4, 2];
  sizes.forEach((size, layer) => {
    for (let i = 0; i < size; i++) {
      const before = sizes[layer - 1] ?? 0;
      const on = [i, i + 2, i * 2 + 1]
        .slice(0, 1 + ((i + layer) % 3))
        .map((j) => `l${layer - 1}-${j % before}`);
      deps[`l${layer}-${i}`] = layer === 0 ? [] : [...new Set(on)];
    }
  });
  deps['l3-0'] = ['l0-2', ...(deps['l3-0'] ?? [])];
  const run = { objective: 'Twenty tasks in five layers', deadline: START + 3_600_000 };
  return planView(deps, {
    run,
    nodes: {
      ...achieved('l0-0', 'l0-1', 'l0-2'),
      'l1-0': {
        status: 'running',
        attempts: 1,
        startedAt: START + 100_000,
        command: 'npm run build -- l1-0',
      },
      'l1-1': { status: 'ready' },
    },
  });
}

function cjk(): RunView {
  const nodes = {
    parse: { ...DONE, title: '解析带引号的 CSV 文件' },
    write: {
      title: 'ファイルを書き出す 👨‍👩‍👧 と終了する',
      status: 'running' as const,
      startedAt: START,
      command: 'echo 漢字',
    },
    docs: {
      title: '문서를 쓰고 예제를 더한다',
      status: 'failed' as const,
      reason: 'exit 1: 文件不存在，请检查路径是否正确',
    },
  };
  const run = { objective: '用一条命令完成全部工作：解析、转换、写出 CSV 文件，并且验证每一步的结果' };
  return planView({ parse: [], write: ['parse'], docs: ['parse'] }, { nodes, run });
}

function hostile(): RunView {
  const nodes = {
    ansi: {
      title: '\x1b[2J\x1b[31mred\x1b[0m and \x9b1m',
      status: 'failed' as const,
      reason: 'exit 1: \x1b]0;owned\x07',
    },
    link: { title: '\x1b]8;;https://evil.example\x07click\x1b]8;;\x07', command: 'printf "\\n\r"' },
    rtl: {
      title: 'invoice\u202efdp.exe',
      status: 'running' as const,
      startedAt: START,
      command: 'a\nb\u2066c',
    },
    html: { title: '<img src=x onerror=alert(1)> "quoted" \\back ]| -->' },
    boxes: { title: '┌──┐ │ ▼ └──┘' },
    zalgo: { title: 'Z' + '\u0301\u0302\u0303'.repeat(20) + 'algo\u200b\u200b' },
  };
  const run = {
    objective: 'line one\nline two\x1b[5m \u202e evil',
    detail: 'by \x1b[7muser',
    run: 'r\x1b[0m',
  };
  return planView(
    { ansi: [], link: ['ansi'], rtl: ['ansi'], html: ['link'], boxes: ['rtl'], zalgo: ['rtl'] },
    { nodes, run },
  );
}

function stuck(): RunView {
  const red = { exit: 1, ms: 2_400, tail: 'FAIL csv.test.ts\nexpected 3 to be 4' };
  return planView(
    {
      'read-file': [],
      options: [],
      'parse-csv': ['read-file', 'options'],
      'write-json': ['parse-csv'],
      docs: ['options'],
      bench: ['read-file'],
      lint: [],
    },
    {
      run: {
        status: 'paused',
        why: 'stuck',
        runningSince: null,
        ran: 65_000,
        objective: 'A command that turns CSV into JSON, with tests and documentation',
      },
      nodes: {
        ...achieved('read-file', 'options'),
        'parse-csv': {
          ...DONE,
          status: 'failed',
          verified: false,
          attempts: 3,
          reason: 'check_red: npm test -- csv: exit 1: expected 3 to be 4',
          checks: [checkView('npm test -- csv', red)],
        },
        'write-json': { status: 'held', reason: 'held by parse-csv' },
        docs: { status: 'skipped' },
        bench: {
          status: 'blocked',
          reason: 'cut: its command was cut and on-cut is block',
          attempts: 1,
          rerun: true,
        },
        lint: { ...DONE, attempts: 2, rerun: true, ms: 130_000 },
        [FINAL_NODE]: { status: 'held', reason: 'held by parse-csv, bench' },
      },
    },
  );
}

function finished(): RunView {
  const test = checkView('npm test');
  const lint = checkView('npm run lint');
  return planView(
    { code: [], tests: ['code'] },
    {
      run: { status: 'complete', runningSince: null },
      nodes: {
        code: { ...DONE, checks: [lint] },
        tests: { ...DONE, checks: [test, lint] },
        [FINAL_NODE]: {
          ...DONE,
          checks: [checkView('npm run e2e', { ms: 61_000 }), lint, checkView('npm test', { reused: true })],
        },
      },
    },
  );
}

function finalRed(): RunView {
  const view = finished();
  const nodes = view.nodes.map((node) =>
    node.id === FINAL_NODE
      ? {
          ...node,
          status: 'failed' as const,
          verified: false,
          reason: 'check_red: npm run lint (code, tests)',
          checks: [
            checkView('npm run e2e'),
            checkView('npm run lint', { exit: 2 }),
            checkView('npm test', null),
          ],
        }
      : node,
  );
  return runView(nodes, { status: 'paused', why: 'stuck', runningSince: null });
}

export const SCENES: Readonly<Record<string, RunView>> = {
  empty: runView([], { objective: '', ran: 0, runningSince: null }),
  chain: planView({ first: [], second: ['first'], third: ['second'] }, { nodes: achieved('first') }),
  diamond: planView({ top: [], left: ['top'], right: ['top'], bottom: ['left', 'right'] }),
  fan: planView({
    start: [],
    ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`part-${name}`, ['start']])),
  }),
  layered: layered(),
  cjk: cjk(),
  hostile: hostile(),
  stuck: stuck(),
  finished: finished(),
  'final-red': finalRed(),
};
