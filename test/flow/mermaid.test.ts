import { describe, expect, it } from 'vitest';
import { parseMermaid } from '../../src/flow/mermaid.ts';

/** Nodes as `id` or `id=label`, then arrows as `from>to` or `from>to:label`. */
function read(text: string): string {
  const chart = parseMermaid(text);
  if (!chart.ok) return `${chart.fault.line}:${chart.fault.column} ${chart.fault.message}`;
  const nodes = [...chart.value.nodes.values()].map(({ id, label }) =>
    label === null ? id : `${id}=${label}`,
  );
  const arrows = [...chart.value.exits].flatMap(([from, exits]) =>
    exits.map(({ to, label }) => `${from}>${to}${label === null ? '' : `:${label}`}`),
  );
  return [nodes.join(' '), ...arrows].join(' | ');
}

/** The place of the fault. */
function placeIn(text: string): string {
  const chart = parseMermaid(text);
  return chart.ok ? 'read' : `${chart.fault.line}:${chart.fault.column}`;
}

describe('an arrow', () => {
  it.each(
    [
      '-->',
      '--->',
      '------->',
      '==>',
      '====>',
      '-.->',
      '-..->',
      '.->',
      '...>',
      '->',
      '=>',
      '---',
      '-----',
      '===',
      '=====',
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
      'x-.-x',
      'x---',
      'o-->',
      'x==>',
    ].filter((link) => link !== 'o--'),
  )('leads forward when it is drawn as %s', (link) => {
    expect(read(`A ${link} B`)).toBe('A B | A>B');
    expect(read(`A[a]${link} B[b]`)).toBe('A=a B=b | A>B');
    expect(read(`A ${link}|yes| B`)).toBe('A B | A>B:yes');
    expect(read(`A ${link}\nB`)).toBe('A B | A>B');
  });

  it.each(['-->', '--->', '==>', '-.->', '---', '===', '-.-', '--o', '--x'])(
    'needs no blanks around it: %s',
    (link) => {
      expect(read(`A${link}B`)).toBe('A B | A>B');
    },
  );

  it.each([
    ['--', '-->'],
    ['--', '---'],
    ['--', '---->'],
    ['--', '--o'],
    ['--', '--x'],
    ['==', '==>'],
    ['==', '==='],
    ['-.', '.->'],
    ['-.', '-.->'],
    ['-.', '.-'],
    ['-.', '..->'],
    ['x--', '--x'],
    ['o-.', '.-o'],
  ])('has its label inside: %s text %s', (first, second) => {
    expect(read(`A ${first} not yet ${second} B`)).toBe('A B | A>B:not yet');
    expect(read(`A ${first}not yet${second} B`)).toBe('A B | A>B:not yet');
    expect(read(`A ${first} "a --> b" ${second} B`)).toBe('A B | A>B:a --> b');
    expect(read(`A ${first} "\`bold\`" ${second} B`)).toBe('A B | A>B:bold');
  });

  it.each([
    ['A -->|yes| B', 'yes'],
    ['A --> | yes | B', 'yes'],
    ['A -->|"yes | no"| B', 'yes | no'],
    ['A -->|yes (all) [of] {them}| B', 'yes (all) [of] {them}'],
    ['A -->|a --> b| B', 'a --> b'],
    ['A -->|50%% --flag; x| B', '50%% --flag; x'],
    ['A -->|one<br>two| B', 'one\ntwo'],
    ['A -->|#quot;q#quot; #35;1| B', '"q" #1'],
    ['A |yes| --> B', 'yes'],
    ['A -- use --flag --> B', 'use --flag'],
    ['A -- a -- b --> B', 'a -- b'],
    ['A -- a - b > c --> B', 'a - b > c'],
    ['A == a = b == c ==> B', 'a = b == c'],
    ['A -. v1.2 .-> B', 'v1.2'],
    ['A -- say "hi" now --> B', 'say "hi" now'],
    ['A --no--> B', 'no'],
    ['A -- box--> B', 'box'],
    ['A --ok--> B', 'ok'],
    ['A --x--> B', 'x'],
    ['A --on success--> B', 'on success'],
    ['A ==ok==> B', 'ok'],
  ])('carries its label as it is written: %s', (text, label) => {
    expect(read(text)).toBe(`A B | A>B:${label}`);
  });

  it.each(['A -->|| B', 'A -->|  | B', 'A --    --> B', 'A -->|""| B', 'A -- "" --> B'])(
    'has no label when there are only blanks: %s',
    (text) => {
      expect(read(text)).toBe('A B | A>B');
    },
  );

  it.each(['<-->', '<==>', '<-.->', '<---->'])('leads both ways when it has both heads: %s', (link) => {
    expect(read(`A ${link} B`)).toBe('A B | A>B | B>A');
    expect(read(`A${link}|swap| B`)).toBe('A B | A>B:swap | B>A:swap');
    expect(read(`A & B ${link} C`)).toBe('A B C | A>C | C>A | C>B | B>C');
  });

  it.each([
    ['<--', '-->'],
    ['<==', '==>'],
  ])('leads both ways with its label inside: %s text %s', (first, second) => {
    expect(read(`A ${first} "a --> b" ${second} B`)).toBe('A B | A>B:a --> b | B>A:a --> b');
  });

  it.each(['A ~~~ B', 'A ~~~~~ B', 'A~~~B'])(
    'is not there when it is invisible, but its nodes are: %s',
    (text) => {
      expect(read(text)).toBe('A B');
    },
  );

  it('may have an id, and what is said about that is no node', () => {
    expect(read('A e1@--> B e2@-- t --> C\ne1@{ animate: true }')).toBe('A B C | A>B | B>C:t');
    expect(placeIn('A e1@--> B\ne1@{ label: "yes" }')).toBe('2:3');
    expect(placeIn('A\ne1@{ animate: true }\nA e1@--> B')).toBe('2:1');
  });

  it('may stand at the end of a line or at the beginning of the next, over blank lines and comments', () => {
    expect(read('A -->\n\n%% c\nB\n\n  %% d\n  --> C')).toBe('A B C | A>B | B>C');
    expect(read('A\n-- yes --> B')).toBe('A B | A>B:yes');
    expect(placeIn('A;\n--> B')).toBe('2:1');
  });

  it.each([
    ['A <-- B', '1:3', 'points left'],
    ['A <--- B', '1:3', 'points left'],
    ['A <--x B', '1:3', 'points left'],
    ['A <-- text --- B', '1:3', 'points left'],
    ['A---oB', '1:2', 'Put a blank'],
    ['A -.-xB', '1:3', 'Put a blank'],
    ['A --oB --> C', '1:3', 'Put a blank'],
    ['A--oB[Text]-->C', '1:2', 'Put a blank'],
    ['A -- use --output it --> B', '1:10', 'Put a blank'],
    ['A--text--xB --> C', '1:8', 'Put a blank'],
    ['A --oB--> C\nB', '1:3', 'Put blanks'],
    ['B\nA ==xB==> C', '2:3', 'Put blanks'],
    ['A -- a x--> B', '1:8', 'Put a blank'],
    ['A -- a <--> B', '1:8', 'Put a blank'],
    ['A -- text ---oB', '1:11', 'Put a blank'],
    ['A\nx-->B', '2:1', 'Put a blank'],
    ['A\no-.->B', '2:1', 'Put a blank'],
    ['A -->|x| B\nA --> |yes B', '2:7', 'never closed'],
    ['A -->|"yes| B\nC["x"]', '1:6', '| must follow'],
    ['A -->|"yes" or no| B', '1:13', '| must follow'],
    ['A -- yes\nB --> C', '1:3', 'its end is missing'],
    ['A == yes --> B', '1:3', 'its end is missing'],
    ['A -. yes --> B', '1:3', 'its end is missing'],
    ['A -- "yes" or no --> B', '1:3', 'its end is missing'],
    ['A -- "yes --> B', '1:6', 'never closed'],
    ['A -- a -->|b| B', '1:11', 'two labels'],
    ['A |a| -- b --> B', '1:3', 'two labels'],
    ['A |a| B', '1:7', 'must follow'],
    ['A e1@ B', '1:7', 'must follow'],
    ['A ~~~|x| B', '1:6', 'not drawn'],
    ['A -->', '1:6', 'A node must stand here'],
    ['A --> --> B', '1:7', 'before the arrow'],
    ['--> B', '1:1', 'before the arrow'],
    ['A - B', '1:3', 'not understood'],
    ['A ~~ B', '1:3', 'not understood'],
    ['A > B', '1:3', 'not understood'],
    ['A ->> B', '1:5', 'id of a node'],
  ])('is refused where it cannot be followed: %j', (text, place, message) => {
    const got = read(text);
    expect(got.slice(0, got.indexOf(' '))).toBe(place);
    expect(got).toContain(message);
  });

  it('goes on after a node o or x when the line above ends with that very node', () => {
    expect(read('A-->x\nx-->B')).toBe('A x B | A>x | x>B');
    expect(read('flowchart TD\nx-->B;\no-->C')).toBe('x B o C | x>B | o>C');
    expect(read('A\nx --> B\nxy-->C')).toBe('A x B xy C | x>B | xy>C');
  });
});

describe('a chain', () => {
  it.each([
    ['A --> B --> C', 'A B C | A>B | B>C'],
    ['A-->|x|B-- y -->C==>D', 'A B C D | A>B:x | B>C:y | C>D'],
    ['A & B --> C & D', 'A B C D | A>C | A>D | B>C | B>D'],
    ['A --> B & C --> D', 'A B C D | A>B | A>C | B>D | C>D'],
    ['A[a] & B(b):::k -->|x| C{c} & D', 'A=a B=b C=c D | A>C:x | A>D:x | B>C:x | B>D:x'],
    ['A[a]&B --> C', 'A=a B C | A>C | B>C'],
    ['A & B', 'A B'],
    ['A --> B &\n C', 'A B C | A>B | A>C'],
    ['A --> A', 'A | A>A'],
    ['A --> B; B --> C;;C --> D ;', 'A B C D | A>B | B>C | C>D'],
  ])('draws every arrow of %j', (text, drawn) => {
    expect(read(text)).toBe(drawn);
  });

  it.each([
    ['A B', '1:3'],
    ['A --> B C', '1:9'],
    ['A --> B ] C', '1:9'],
    ['A --> B : text', '1:9'],
    ['A --> B: text', '1:8'],
    ['A, B --> C', '1:2'],
    ['A.--> B', '1:2'],
    ['A&B --> C', '1:2'],
    ['A & --> B', '1:5'],
    ['A:::hot&B --> C', '1:8'],
    ['& B', '1:1'],
    ['A --> B[x] y', '1:12'],
  ])('leaves no rest of a line unread: %j', (text, place) => {
    expect(placeIn(text)).toBe(place);
  });

  it('that would draw more arrows than there is room for is refused', () => {
    const fan = Array.from({ length: 400 }, (_, i) => `n${i}`).join(' & ');
    expect(read(`A\n${fan} --> ${fan}`)).toMatch(/^2:\d+ The chart draws more than 100000 arrows/);
  });
});
