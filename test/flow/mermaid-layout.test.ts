import { describe, expect, it } from 'vitest';
import { parseMermaid } from '../../src/flow/mermaid.ts';

function read(text: string): string {
  const chart = parseMermaid(text);
  if (!chart.ok) return `${chart.fault.line}:${chart.fault.column} ${chart.fault.message}`;
  const arrows = [...chart.value.exits].flatMap(([from, exits]) => exits.map(({ to }) => `${from}>${to}`));
  return [[...chart.value.nodes.keys()].join(' '), ...arrows].join(' | ');
}

const DRAWN = 'A B C | A>B | B>C';

describe('the header', () => {
  it.each([
    '',
    'flowchart TD\n',
    'flowchart\n',
    'graph LR\n',
    'graph TB;',
    'graph;',
    'GRAPH td\n',
    'FlowChart RL ;',
    'flowchart-elk BT\n',
    'flowchart >\n',
    'graph v %% down\n',
    '\ufeffflowchart TD\n',
    '\n\n  graph TD\n\n',
    '---\ntitle: A --> Z\n---\nflowchart TD\n',
    '\n---\n---\ngraph\n',
    '%% c\n%%{init: {"theme": "dark"}}%%\ngraph TD\n',
    '%%{init: {\n"x": 1\n}}%%\nflowchart TD\n',
    '--- \r\na: 1\r\n--- \r\nflowchart TD\r\n',
  ])('may be %j', (header) => {
    expect(read(`${header}A --> B\nB --> C`)).toBe(DRAWN);
  });

  it.each([
    ['flowchart TD A --> B', '1:14 The header must be a line of its own'],
    ['flowchart XX\nA', '1:11 After "flowchart" stands a direction'],
    ['graph A --> B', '1:7 After "graph" stands a direction'],
    ['graph TD\ngraph LR\nA', '2:1 A chart has one header'],
    ['A --> B\nFLOWCHART LR', '2:11 This is not understood here'],
    ['---\ntitle: x\nflowchart TD\nA', '1:1 The front matter that opens here is never closed'],
    ['sequenceDiagram\nA->>B: x', '1:1 This is a sequenceDiagram, and only flow charts'],
    ['%% c\n stateDiagram-v2\nA --> B', '2:2 This is a stateDiagram-v2, and only flow charts'],
    ['classDiagram\nA', '1:1 This is a classDiagram'],
    ['erDiagram', '1:1 This is a erDiagram'],
    ['pie title X', '1:1 This is a pie'],
    ['---\ntitle: x\n---\ngantt', '4:1 This is a gantt'],
  ])('is refused: %j', (text, fault) => {
    expect(read(text).slice(0, fault.length)).toBe(fault);
  });
});

describe('between the arrows', () => {
  it.each([
    '%% D --> E',
    '%%D',
    '%%',
    '%% "',
    '%%{ D',
    '%%{init: {} D',
    'classDef default fill:#f9f,stroke:#333;',
    'classDef a fill:#f00;stroke:#00f;',
    'CLASSDEF hot fill:#f00',
    'class A,B a',
    'class A a;',
    'style A fill:#f00',
    'STYLE A fill:#0f0',
    '\tstyle A fill:#f00 %% D;E',
    'linkStyle 0,1 stroke:red',
    'linkStyle default stroke:red;',
    'click A "http://x;y" "D --> E"',
    'click A href "u" _blank',
    'Click A call cb("a;b", c;d)',
    'direction LR',
    'direction td;',
    'end',
    'END',
    ' End ;',
    'accTitle: D --> E',
    'accDescr: D',
    'accDescr {\nD --> E\n}',
    ';',
    ';;',
    '',
    '  \t',
    '\f',
    '\u00a0',
    'subgraph s\nend',
    'subgraph s [S (x)]\ndirection LR\nend',
    'subgraph "S -- T"\nend',
    'subgraph\nend',
    'subgraph Two words - and more\nsubgraph in ["In"];end\nend',
    'Subgraph s;end;',
    'A',
    'A & B',
    'A:::hot',
    'subgraph s\nA\nB\nend',
    'A ~~~ B',
  ])('%j draws nothing', (line) => {
    expect(read(`A --> B\n${line}\nB --> C`)).toBe(DRAWN);
    expect(read(`flowchart TD\r\nA --> B\r\n${line}\r\nB --> C\r\n${line}`)).toBe(DRAWN);
  });

  it('a comment may end a line', () => {
    expect(read('A --> B %% x\nB["b"]%% y\nB --> C; %% z')).toBe(DRAWN);
  });

  it('a frame is flattened, with what is drawn in it', () => {
    expect(read('subgraph one\nA --> B\nsubgraph two\nB --> C\nend\nend')).toBe(DRAWN);
  });

  it('a styling line ends at its ; and what follows is drawn', () => {
    expect(read('A --> B;style A fill:#f00;B --> C')).toBe(DRAWN);
  });

  it('a style of a node that is not drawn does not draw it', () => {
    expect(read('A --> B\nstyle Z fill:#f00\nclick Z "u"\nB --> C')).toBe(DRAWN);
  });

  it.each([
    ['subgraph one\nA\nend\nB --> one', '4:7 "one" is a subgraph'],
    ['B --> A\none --> B\nsubgraph one [One]\nA\nend', '2:1 "one" is a subgraph'],
    ['subgraph "one"\nA\nend\nB & one --> C', '4:5 "one" is a subgraph'],
    ['subgraph one\nA\nend\nB ~~~ one', '4:7 "one" is a subgraph'],
    ['A\nsubgraph one\nB', '2:1 The subgraph that begins here is never closed'],
    ['subgraph one A --> B\nend', '1:16 An arrow cannot stand in the title'],
    ['subgraph one [x\nA\nB --> C', '1:14 The bracket that opens here is never closed'],
    ['subgraph "one\nA\nend', '1:10 The quote that opens here is never closed'],
    ['subgraph end\nend', '1:10 "end" is a word of the language'],
    ['end A --> B', '1:1 "end" is a word of the language'],
    ['accDescr {\nA --> B', '1:10 The description that opens here is never closed'],
    ['accDescr {\nA --> B{x}', '1:10 The description that opens here is never closed'],
    ['click here --> B', '1:14 An arrow cannot stand in a line of styling'],
    ['Style guide ==> B', '1:15 An arrow cannot stand in a line of styling'],
    ['click A "u', '1:9 The quote that opens here is never closed'],
    ['style  \nA', '1:6 The name of what is styled must follow'],
    ['A\ndirection\nLR', '2:1 The direction must follow on this line'],
    ['direction sideways', '1:11 This is not understood here'],
    ['class\nA', '1:1 "class" is a word of the language'],
    ['stroke:#333', '1:7 A colon cannot be part'],
    ['title My chart', '1:7 This is not understood here'],
    ['note right of A', '1:6 This is not understood here'],
  ])('%j is refused', (text, fault) => {
    expect(read(text).slice(0, fault.length)).toBe(fault);
  });

  it('a directive that is never closed hides one line and no more', () => {
    expect(read('A --> B\n%%{init: {\nB --> C')).toBe(DRAWN);
    expect(read('A --> B\n%%{init: {\nB --> C\n%%{init: {}}%%')).toBe(DRAWN);
  });

  it.each([
    ['A\nB\n[', '3:1'],
    ['A\rB\r[', '3:1'],
    ['A\r\nB\r\n  [', '3:3'],
    ['A\r\n\r\nB\n\r[', '5:1'],
    ['A\fB\f[', '1:5'],
    ['A["x\ny\nz"]\n[', '4:1'],
    ['---\n---\nA\n[', '4:1'],
    ['\n\n[', '3:1'],
  ])('lines are counted as they are given: %j', (text, place) => {
    expect(read(text).split(' ')[0]).toBe(place);
  });
});
