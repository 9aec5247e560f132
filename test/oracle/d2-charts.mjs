/** Random D2 charts within the subset that we read, the same ones for the same seed. */

function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  return { below, pick: (list) => list[below(list.length)], chance: (one) => next() < one };
}

const NAMES = [
  ...[
    'a',
    'b',
    'c',
    'BEGIN',
    'END',
    'my node',
    'other  node',
    'x-y',
    'a_b',
    'n/1',
    '10',
    'constructor',
    '__proto__',
  ],
  ...[
    'größe',
    '数',
    'Étape 2',
    "it's",
    'done?',
    'yes, all',
    'a (b)',
    'd - e',
    '100%',
    'x + y',
    '_x',
    'step 1',
  ],
  ...[
    '"q"',
    '"a: b"',
    "'c d'",
    '"x.y"',
    '"label"',
    '"say \\"hi\\""',
    "'it''s so'",
    '"null"',
    "'style'",
    '"é"',
  ],
];

const WORDS = [
  'do',
  'the',
  'work',
  "don't",
  'it:',
  '(now)',
  'größe',
  '->',
  '100%',
  'x=y',
  '@home',
  '"big"',
  'a.b',
  '--',
  'true',
  '&',
  '7',
  'x*y',
  '\\n',
  '\\;',
  '|',
  '!',
];

function plain(random) {
  const words = Array.from({ length: 1 + random.below(4) }, () => random.pick(WORDS)).join(' ');
  return /^["'|@<*&!\\-]|^(true|7)$/.test(words) ? `x ${words}` : words;
}

function label(random) {
  const text = plain(random).replaceAll('\\', '').replaceAll('|', '/');
  switch (random.below(12)) {
    case 0:
      return `"${text.replaceAll('"', '\\"')}"`;
    case 1:
      return `'${text.replaceAll("'", "''")}'`;
    case 2:
      return `|md ${text} |`;
    case 3:
      return `|markdown\n  ${text}\n    # ${text}\n\n  C:\\new\\\n|`;
    case 4:
      return `||md\n${text} | x\n||`;
    case 5:
      return `|\`sh ${text} || $(x)\n  more \`|`;
    case 6:
      return `|md\n  ${text}\n  end |`;
    case 7:
      return `"${text.replaceAll('"', '\\"')}\\n\\tz\\\\"`;
    default:
      return plain(random);
  }
}

/** One scope: the whole chart, or a box. `path` is how it is named from outside. */
function newScope(parent, path) {
  return { parent, path, names: [], arrows: [], labelled: new Set() };
}

const fold = (name) =>
  name
    .replace(/^(["'])(.*)\1$/, '$2')
    .replaceAll('\\"', '"')
    .replaceAll("''", "'")
    .toLowerCase();

function newName(random, scope) {
  const name = random.pick(NAMES);
  const taken = [...scope.names, ...(scope.boxes ?? [])].some((known) => fold(known) === fold(name));
  if (taken) return random.pick(scope.names) ?? 'n';
  scope.names.push(name);
  return name;
}

const someName = (random, scope) =>
  scope.names.length > 0 && random.chance(0.6) ? random.pick(scope.names) : newName(random, scope);

/** A known name, at times in other letters. */
function cased(random, name) {
  return /^\w+$/.test(name) && random.chance(0.1)
    ? random.chance(0.5)
      ? name.toUpperCase()
      : name.toLowerCase()
    : name;
}

const LOOKS = [
  'style.fill: red',
  'shape: oval',
  'width: 100',
  'height: 80',
  'tooltip: x',
  'style: {stroke: blue; opacity: 0.4}',
  'link: https://x.example',
  'icon: https://x.example/i.svg',
  'class: hot',
];

function node(random, scope) {
  const name = newName(random, scope);
  if (scope.labelled.has(name) || random.chance(0.2)) return cased(random, name);
  scope.labelled.add(name);
  const text = label(random);
  switch (random.below(6)) {
    case 0:
      return `${name}.label: ${text}`;
    case 1:
      return `${name}: {\n  label: ${text}\n}`;
    case 2:
      return `${name}: ${text} { ${random.pick(['shape: oval', 'style.fill: red', 'width: 90'])} }`;
    case 3:
      return `${name}:${text}`;
    default:
      return `${name}: ${text}`;
  }
}

const DASHES = [' -> ', ' -> ', '->', ' <- ', ' <-> ', ' --> ', ' ->', ' <-- '];

function arrow(random, scope, within) {
  const ends = Array.from({ length: 2 + (random.chance(0.3) ? 1 + random.below(2) : 0) }, () =>
    someName(random, scope),
  );
  const dashes = ends.slice(1).map(() => random.pick(DASHES));
  const chain = ends
    .map((end, i) => (i === 0 ? cased(random, end) : dashes[i - 1] + cased(random, end)))
    .join('');
  ends.slice(1).forEach((end, i) => {
    scope.arrows.push({
      left: ends[i],
      dashes: dashes[i].trim().replace(/-+/, '-'),
      right: end,
      labelled: false,
    });
  });
  const last = scope.arrows.at(-1);
  if (ends.length > 2) return random.chance(0.2) ? `${chain} {style.stroke: red}` : chain;
  if (random.chance(0.5)) return within && random.chance(0.2) ? `(${chain})` : chain;
  last.labelled = true;
  switch (random.below(5)) {
    case 0:
      return `${chain}: { label: ${plain(random).replaceAll('}', '')} }`;
    case 1:
      return `${chain}: ${label(random)} { style.stroke: red }`;
    default:
      return `${chain}: ${label(random)}`;
  }
}

/** Says something of an arrow that stands there already. */
function later(random, scope) {
  const open = scope.arrows.filter(({ labelled }) => !labelled);
  if (open.length === 0) return '# nothing to say';
  const one = random.pick(open);
  const alike = scope.arrows.filter(
    ({ left, dashes, right }) =>
      fold(left) === fold(one.left) && dashes === one.dashes && fold(right) === fold(one.right),
  );
  const which = `(${one.left} ${one.dashes.replace('-', '-')} ${one.right})[${alike.indexOf(one)}]`;
  if (random.chance(0.4)) return `${which}.style.stroke: red`;
  one.labelled = true;
  return random.chance(0.5) ? `${which}.label: ${plain(random)}` : `${which}: ${plain(random)}`;
}

const NOTHING = [
  '',
  '# a note -> here',
  '"""\nnot { here\n"""',
  '   ',
  'direction: right',
  'vars: {\n  x: 1\n}',
  'classes: { hot: { style.fill: red } }',
  'layers: {\n  l: { p -> q }\n}',
  'scenarios: { s: { p } }',
  'grid-gap: 10',
];

const BOXES = ['box', 'Stage one', 'ci', '"s.t"'];

function box(random, scope) {
  scope.boxes ??= [];
  const name = random.pick(BOXES);
  if (scope.boxes.includes(name) || scope.path.length > 1) return node(random, scope);
  scope.boxes.push(name);
  const inner = newScope(scope, [...scope.path, name]);
  const lines = statements(random, inner, 1 + random.below(4));
  inner.names.push('z');
  lines.push('z');
  const text = random.chance(0.4) ? ` ${plain(random)}` : '';
  const head = text === '' && random.chance(0.5) ? name : `${name}:${text}`;
  const block = `${head} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
  if (random.chance(0.5)) return block;
  const from = random.pick(inner.names);
  const to = someName(random, scope);
  return `${block}\n${name}.${from} -> ${to}`;
}

function statements(random, scope, count) {
  const lines = [];
  for (let i = 0; i < count; i += 1) {
    const kind = random.below(20);
    if (kind < 6) lines.push(node(random, scope));
    else if (kind < 13) lines.push(arrow(random, scope, true));
    else if (kind < 15) lines.push(later(random, scope));
    else if (kind < 16) lines.push(box(random, scope));
    else if (kind < 17 && scope.parent !== null)
      lines.push(`_.${someName(random, scope.parent)} -> ${someName(random, scope)}`);
    else if (kind < 18 && scope.names.length > 0)
      lines.push(`${random.pick(scope.names)}.${random.pick(LOOKS)}`);
    else if (scope.parent === null) lines.push(random.pick(NOTHING));
    else lines.push(random.pick(NOTHING.slice(0, 4)));
    if (random.chance(0.1) && lines.at(-1).length > 0 && !/[\n#]/.test(lines.at(-1)))
      lines.push(`${lines.pop()} # note: ->`);
  }
  return lines;
}

function joined(random, lines) {
  const ends = random.chance(0.1) ? '\r\n' : '\n';
  return lines
    .map((line, i) => {
      if (i === lines.length - 1) return line;
      // The official compiler takes a `)` before a semicolon for text.
      const closes = line.trim() !== '' && !line.includes('#') && !line.endsWith(')') && random.chance(0.15);
      return line + (closes ? random.pick([';', '; ', ' ; ']) : '\n');
    })
    .join('')
    .replaceAll('\n', ends);
}

export function* charts(seed, count) {
  const random = randomOf(seed);
  const seen = new Set();
  while (seen.size < count) {
    const chart = joined(random, statements(random, newScope(null, []), 1 + random.below(7)));
    if (chart.length > 240 || seen.has(chart)) continue;
    seen.add(chart);
    yield chart;
  }
}

const SPOILERS = [...'"\'|{}()[]<>-:;.#\\$*&@!_ \n', '->', '||', ' #', '""', '|md'];

/** Charts with a few characters taken out or put in: mostly none any more. */
export function* spoiled(seed, count) {
  const random = randomOf(seed + 1_000_003);
  for (const chart of charts(seed + 7_919, count)) {
    let text = chart.slice(0, 120);
    for (let i = 1 + random.below(2); i > 0; i -= 1) {
      const at = random.below(text.length + 1);
      const without = random.chance(0.5) ? 1 : 0;
      text =
        text.slice(0, at) +
        (without === 1 && random.chance(0.6) ? '' : random.pick(SPOILERS)) +
        text.slice(at + without);
    }
    yield text;
  }
}
