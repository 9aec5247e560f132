/** Charts at random, of everything both parsers are meant to read alike. The same seed gives the same charts. */

/** mulberry32 */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function* charts(seed, count) {
  const next = random(seed);
  const dice = {
    chance: (share) => next() < share,
    below: (limit) => Math.floor(next() * limit),
    pick: (list) => list[Math.floor(next() * list.length)],
  };
  for (let i = 0; i < count; i += 1) yield chart(dice);
}

const IDS = [
  'A',
  'B',
  'C',
  'a1',
  '1',
  '42',
  'n_1',
  '_x',
  'a-b',
  'fix-it-2',
  'a.b',
  'v1.2',
  'src/x',
  'endpoint',
  'graph1',
  'classify',
  'styled',
  'clicks',
  'subgraphs',
  'direction',
  'default',
  'v',
  'End',
  'END',
  'BEGIN',
  'Style',
  'Graph',
  'ok',
  'xy',
  'done!',
  'why?',
  'é',
  '数据',
  'ключ',
  'constructor',
  '__proto__',
  'toString',
  'x1',
  'o2',
  'node',
];

const WORDS = [
  'go',
  'on',
  'the',
  'next',
  'step',
  'fix',
  'box',
  'end',
  'class',
  'graph',
  'it',
  'no',
  '50',
  'é',
  '数据',
  'C++',
];
/** Text to the language without quotes, in brackets and between pipes. */
const BARE = [
  ...WORDS,
  '-->',
  '--flag',
  '%%',
  'a & b',
  'a; b',
  'x, y',
  'a > b',
  'a < b',
  'a:b',
  '==>',
  '<br/>',
  '<br>',
  '#quot;q#quot;',
  '#35;',
  "it's",
  '?',
  '50%',
  '*',
  '@',
  '=',
  '-',
  '<b>b</b>',
];
const QUOTED = [
  ...BARE,
  '[x]',
  '(y)',
  '{z}',
  '|',
  'a | b',
  ']',
  ')',
  '}',
  '-.->',
  '~~',
  '&amp;',
  '&lt;x&gt;',
  '\n',
  '\n   ',
  'f(x)[0]',
  '/',
  '\\',
  'A --> B',
  ':::c',
  '#amp;',
  '@{ a: b }',
];

const SHAPES = [
  ['[', ']'],
  ['(', ')'],
  ['([', '])'],
  ['[[', ']]'],
  ['[(', ')]'],
  ['((', '))'],
  ['(((', ')))'],
  ['>', ']'],
  ['{', '}'],
  ['{{', '}}'],
  ['[/', '/]'],
  ['[\\', '\\]'],
  ['[/', '\\]'],
  ['[\\', '/]'],
];

const LINKS = [
  '-->',
  '-->',
  '-->',
  '--->',
  '----->',
  '==>',
  '===>',
  '-.->',
  '-..->',
  '---',
  '----',
  '===',
  '====',
  '-.-',
  '-..-',
  '--o',
  '--x',
  '---o',
  '---x',
  '==o',
  '==x',
  '-.-o',
  '-.-x',
  'o--o',
  'x--x',
  'o==o',
  'x==x',
  'o-.-o',
  'x-.-x',
  '<-->',
  '<==>',
  '<-.->',
  '<---->',
  '~~~',
  '~~~~',
  '.->',
  'x-->',
  'o-->',
];
const GLUED = new Set(['-->', '--->', '==>', '===>', '-.->', '-..->', '---', '===', '-.-', '<-->', '~~~']);
const HALVES = [
  ['--', '-->'],
  ['--', '--->'],
  ['--', '---'],
  ['--', '--o'],
  ['--', '--x'],
  ['==', '==>'],
  ['==', '==='],
  ['==', '==x'],
  ['-.', '.->'],
  ['-.', '-.->'],
  ['-.', '.-'],
  ['-.', '..->'],
  ['<--', '-->'],
  ['x--', '--x'],
  ['o==', '==o'],
  ['<-.', '.->'],
];

function text({ below, pick }, words, most = 4) {
  const parts = Array.from({ length: 1 + below(most) }, () => pick(words)).join(' ');
  // A line of a label that begins with %% is text to us and a comment to the official parser.
  if (/\n\s*%%/.test(parts)) return 'go';
  return WORDS.some((word) => parts.startsWith(word)) ? parts : `go ${parts}`;
}

function chart(dice) {
  const { chance, below, pick } = dice;
  const ids = Array.from({ length: 2 + below(5) }, () => pick(IDS)).filter(
    (id, i, all) => all.indexOf(id) === i,
  );
  const shapes = new Map(ids.filter(() => chance(0.6)).map((id) => [id, shape(dice)]));
  const state = { dice, ids, shapes, seen: [], linkIds: 0, frames: 0 };
  const lines = [];
  const count = 1 + below(6);
  for (let i = 0; i < count; i += 1) lines.push(...statement(state, 0));
  const newline = chance(0.1) ? '\r\n' : '\n';
  let body = '';
  for (const line of lines) {
    const indent = pick(['', '', '', '  ', '    ', '\t']);
    const end = chance(0.08) && !line.startsWith('%%') && !line.startsWith('acc') ? ';' : '';
    const gap = chance(0.06) ? `\n${pick(['', '  ', '%% a --> b', '  %% x'])}` : '';
    body += `${indent}${line}${end}\n${gap === '' ? '' : `${gap.slice(1)}\n`}`;
  }
  return `${header(dice)}${body}`.replaceAll('\n', newline);
}

function header({ chance, pick }) {
  const front = chance(0.04) ? '---\ntitle: A --> Z\n---\n' : '';
  const before = chance(0.05)
    ? pick(['%% c --> d\n', '%%{init: {"theme": "dark"}}%%\n', '\n\n', '  \n'])
    : '';
  const word = pick(['flowchart', 'flowchart', 'graph', 'flowchart-elk']);
  const way = pick([' TD', ' LR', ' TB', ' RL', ' BT', '', ' >', ' v', ' ^']);
  const end = way === '' ? '\n' : pick(['\n', '\n', '\n', ';', '; ', ' \n', ';\n']);
  return `${front}${before}${word}${way}${end}`;
}

function shape(dice) {
  const { chance, pick } = dice;
  if (chance(0.08)) return `@{ ${chance(0.5) ? 'shape: rect, ' : ''}label: "${text(dice, WORDS)}" }`;
  if (chance(0.02)) return `@{\n  shape: diamond\n  label: "${text(dice, WORDS)}"\n}`;
  const [open, close] = pick(SHAPES);
  if (chance(0.06)) return `${open}"\`${text(dice, [...WORDS, '**b**', '*i*', '\n'])}\`"${close}`;
  if (chance(0.5)) return `${open}"${text(dice, QUOTED)}"${close}`;
  const bare = text(
    dice,
    BARE.filter((word) => !/[=]/.test(word) || open.length === 1),
  );
  return `${open}${chance(0.2) ? ` ${bare} ` : bare}${close}`;
}

function node(state) {
  const { dice, ids, shapes, seen } = state;
  const id = dice.pick(ids);
  const first = !seen.includes(id);
  seen.push(id);
  const label = shapes.get(id);
  const drawn = label !== undefined && (dice.chance(first ? 0.8 : 0.15) ? label : '');
  return `${id}${drawn === false ? '' : drawn}${dice.chance(0.06) && !String(drawn).startsWith('@') ? ':::hot' : ''}`;
}

function fan(state) {
  const more = state.dice.chance(0.15) ? 1 + state.dice.below(2) : 0;
  return Array.from({ length: 1 + more }, () => node(state)).join(' & ');
}

function link(state) {
  const { dice } = state;
  const { chance, pick } = dice;
  const id = chance(0.04) ? `e${(state.linkIds += 1)}@` : '';
  if (chance(0.25)) {
    const [first, second] = pick(HALVES);
    if (chance(0.3))
      return ` ${id}${first} "${text(
        dice,
        QUOTED.filter((word) => !word.includes('\n')),
      )}" ${second} `;
    if (chance(0.1)) return ` ${id}${first} "\`${text(dice, WORDS)}\`" ${second} `;
    const plain = text(
      dice,
      [...WORDS, 'a > b', 'a & b', '<br/>', "it's", '#35;', 'a; b'].filter((word) => !word.includes('+')),
      3,
    );
    const tight =
      id === '' &&
      /^[^oxOX\-=.<].*[^oxOX\-=.]$/.test(plain) &&
      chance(0.3) &&
      /^[-=]/.test(first) &&
      /[>=-]$/.test(second);
    return tight
      ? `${first}${plain}${second}${second.endsWith('>') ? '' : ' '}`
      : ` ${id}${first} ${plain} ${second} `;
  }
  const line = pick(LINKS);
  const label = line.startsWith('~') || !chance(0.35) ? '' : pipes(dice);
  const broken = chance(0.03) ? '\n  ' : '';
  if (id === '' && broken === '' && GLUED.has(line) && chance(0.4))
    return `${line}${label === '' ? ' ' : label}`;
  // Before a line that begins with a head, an end of line may be read as the end of the statement.
  const before = broken !== '' && /^[ox]/.test(line) ? ' ' : broken === '' || id !== '' ? ' ' : broken;
  return `${before}${id}${line}${label === '' ? (chance(0.03) ? '\n' : ' ') : `${label} `}`;
}

function pipes(dice) {
  const { chance } = dice;
  if (chance(0.3))
    return `|"${text(
      dice,
      QUOTED.filter((word) => !word.includes('\n')),
    )}"|`;
  if (chance(0.1)) return `|"\`${text(dice, WORDS)}\`"|`;
  return `${chance(0.2) ? ' ' : ''}|${text(
    dice,
    BARE.filter((word) => word !== '|'),
    3,
  )}|`;
}

function chain(state) {
  const length = 1 + state.dice.below(3) + (state.dice.chance(0.9) ? 1 : 0);
  let line = fan(state);
  for (let i = 1; i < length; i += 1) line += link(state) + fan(state);
  // Alone on its line, `End` is the end of a subgraph to us, whatever its case.
  return /^end$/i.test(line) ? 'A' : line;
}

function statement(state, depth) {
  const { dice, seen } = state;
  const { chance, below, pick } = dice;
  if (depth < 2 && chance(0.08)) {
    const title = `s${(state.frames += 1)}`;
    const open = pick([
      title,
      `${title} [The ${title}]`,
      `${title}["A (b) --> c"]`,
      '"Two words"',
      'Two words',
    ]);
    const inner = Array.from({ length: 1 + below(2) }, () => statement(state, depth + 1)).flat();
    return [`subgraph ${open}`, ...(chance(0.3) ? ['direction LR'] : []), ...inner, 'end'];
  }
  if (chance(0.12) && seen.length > 0) {
    const id = pick(seen);
    return [
      pick([
        'classDef hot fill:#f00,stroke:#333',
        `class ${id} hot`,
        `style ${id} fill:#0f0,stroke:#00f`,
        'linkStyle default stroke:red',
        `click ${id} "http://x.y" "tip"`,
        `click ${id} href "http://x.y" _blank`,
        '%% a --> b',
        '%% "',
        'accTitle: a title',
        'accDescr: what it is',
        'accDescr {\n a --> b\n}',
        '%%{init: {"theme": "dark"}}%%',
      ]),
    ];
  }
  if (chance(0.07)) return [`${chain(state)}; ${chain(state)}`];
  return [chain(state)];
}
