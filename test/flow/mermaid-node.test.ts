import { describe, expect, it } from 'vitest';
import { parseMermaid } from '../../src/flow/mermaid.ts';

function labels(text: string): readonly (string | null)[] {
  const chart = parseMermaid(text);
  if (!chart.ok) throw new Error(`${chart.fault.line}:${chart.fault.column} ${chart.fault.message}`);
  return [...chart.value.nodes.values()].map(({ label }) => label);
}

function ids(text: string): readonly string[] {
  const chart = parseMermaid(text);
  if (!chart.ok) throw new Error(`${chart.fault.line}:${chart.fault.column} ${chart.fault.message}`);
  return [...chart.value.nodes.keys()];
}

function faultIn(text: string): string {
  const chart = parseMermaid(text);
  return chart.ok ? 'read' : `${chart.fault.line}:${chart.fault.column} ${chart.fault.message}`;
}

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
  ['(-', '-)'],
  ['[|border:dashed|', ']'],
] as const;

describe('the label of a node', () => {
  it.each(SHAPES)('stands between %s and %s', (open, close) => {
    expect(labels(`A${open}Do it${close} --> B`)).toEqual(['Do it', null]);
    expect(labels(`A${open} Do it ${close}:::k & B`)).toEqual(['Do it', null]);
    expect(labels(`A${open}a --> b | 50%% --flag; end${close}`)).toEqual(['a --> b | 50%% --flag; end']);
    expect(labels(`A${open}one<br/>two<BR>three${close}`)).toEqual(['one\ntwo\nthree']);
  });

  it.each(SHAPES.filter(([open]) => open !== '[|border:dashed|'))(
    'may stand in quotes between %s and %s',
    (open, close) => {
      expect(labels(`A${open}"Do it"${close} --> B`)).toEqual(['Do it', null]);
      expect(labels(`A${open}"a ]) }} b"${close} --> B`)).toEqual(['a ]) }} b', null]);
      expect(labels(`A${open} "Do\n   it" ${close}`)).toEqual(['Do\nit']);
      expect(labels(`A${open}"\`Do **it**\`"${close}`)).toEqual(['Do **it**']);
    },
  );

  it.each([
    ['A [Do it]', 'Do it'],
    ['A (Do it)', 'Do it'],
    ['A {Do it}', 'Do it'],
    ['A([Do it]  )', 'Do it'],
    ['A[Run tests (unit)]', 'Run tests (unit)'],
    ['A[items[0] is set]', 'items[0] is set'],
    ['A[(maybe) run]', '(maybe) run'],
    ['A[(a) or (b)]', '(a) or (b)'],
    ['A[/usr/bin]', '/usr/bin'],
    ['A[a/b/]', 'a/b/'],
    ['A[smile :( now]', 'smile :( now'],
    ['A[say "hi"]', 'say "hi"'],
    ["A['hello']", "'hello'"],
    ['A[one\\ntwo]', 'one\\ntwo'],
    ['A[one\ntwo]', 'one\ntwo'],
    ['A["one\r\n  two\rthree"]', 'one\ntwo\nthree'],
    ['A["a\n%% b\nc"]', 'a\n%% b\nc'],
    ['A["`a` and `b`"]', '`a` and `b`'],
    ['A[build & test]', 'build & test'],
    ['A{is x < 3?}', 'is x < 3?'],
    ['A["<b>x</b> <br >y</br\n>z <brx>"]', '<b>x</b>\ny\nz <brx>'],
    ['A[#quot;a#quot; #35; #amp; #lt;#gt; #9829;]', '"a" # & <> ♥'],
    ['A[#lpar;a#rpar;#semi; #lsqb;b#rsqb; #verbar; #gt;]', '(a); [b] | >'],
    ['A["&quot;a&quot; &#35; &#x23; &amp;lt;"]', '"a" # # &lt;'],
    ['A["#amp;quot; #lt;br#gt; #nosuch; #0; #99999999; #; &;"]', '&quot; <br> #nosuch; #0; #99999999; #; &;'],
    ['A@{ shape: rect, label: "Do, it}" }', 'Do, it}'],
    ["A@{ label: 'it''s', shape: rect }", "it's"],
    ['A@{ label: Do it }', 'Do it'],
    ['A@{ label:"Do it" }', 'Do it'],
    ['A@{\n  shape: rect\n  label: "Do\n  it"\n}', 'Do\nit'],
    ['A@{ label: "a\\nb" }:::k', 'a\nb'],
    ['A:::k@{ label: "a" }', 'a'],
    ['A["x"]@{ shape: rect }', 'x'],
    ['A@{ shape: rect }', null],
    ['A[\u{1d49c} ok]', '\u{1d49c} ok'],
  ])('is what is drawn: %j', (text, label) => {
    expect(labels(text)).toEqual([label]);
  });

  it.each([
    ['A[]', '1:1 The node "A" has an empty label'],
    ['B\nA["  "]', '2:1 The node "A" has an empty label'],
    ['A[<br/>]', '1:1 The node "A" has an empty label'],
    ['A@{ label: "" }', '1:1 The node "A" has an empty label'],
    ['A[x]\nA[y]', '2:1 The node "A" is "x" before'],
    ['A[x]@{ label: "y" }', '1:1 The node "A" is "x" before'],
    ['A[Do it --> B\nB --> C', '1:2 The bracket that opens here is never closed'],
    ['B --> A[Do it\nB --> C([x])', '1:8 The bracket that opens here is never closed'],
    ['A[Do it --> B\nC]', '1:2 The bracket that opens here is never closed'],
    ['A{{Do it}\nB', '1:2 The bracket that opens here is never closed'],
    ['A[["Do it"]\nB', '1:2 The bracket that opens here is never closed'],
    ['A>B', '1:2 The bracket that opens here is never closed'],
    ['A["Do it] --> B\nB', '1:3 The quote that opens here is never closed'],
    ['A["Do it] --> B\nC["x"]', '1:3 The quote that opens here is not closed well'],
    ['A["a" or "b"]', '1:6 The label ends with its quote, so ] must follow'],
    ['A["say \\"hi\\""]', '1:10 The label ends with its quote'],
    ['A[x]] --> B', '1:5 This is not understood here'],
    ['A(x) y)', '1:6 This is not understood here'],
    ['A[x][y]', '1:5 This is not understood here'],
    ['A@{ label: "x"', '1:3 The brace that opens here is never closed'],
    ['A@{ label: x', '1:3 The brace that opens here is never closed'],
    ['A@{ label: "x }', '1:12 The quote that opens here is never closed'],
    ["A@{ label: 'x }", '1:12 The quote that opens here is never closed'],
    ['A@{ label: "x" y }', '1:16 A comma or the closing brace must follow'],
    ['A@{ "x" }', '1:5 Between these braces'],
    ['A@{ label:x }', '1:10 A blank must follow the colon'],
    ['A@{ label: [x] }', '1:12 This kind of value is not understood'],
    ['A@{ label: a, label: b }', '1:15 This is the second label'],
    ['A::: --> B', '1:2 The name of a class must follow'],
  ])('is refused with its place: %j', (text, fault) => {
    expect(faultIn(text).slice(0, fault.length)).toBe(fault);
  });
});

describe('an id', () => {
  it.each([
    'endpoint',
    'end-user',
    'graph1',
    'graph-x',
    'classify',
    'class_',
    'style.css',
    'styled',
    'clicks',
    'subgraph1',
    'direction',
    'default',
    'href',
    'call',
    'v',
    'o',
    'x',
    'End',
    'END',
    'Graph',
    'STYLE',
    'Class',
    'Click',
    'flowcharts',
    'constructor',
    '__proto__',
    '10',
    '2',
    'a-b',
    'a.b',
    'a/b',
    'done?',
    'go!',
    'a+b',
    '数据',
    'é',
    'ключ',
    '\u{1d49c}b',
    '_',
    'e1',
    'pie',
    'info',
    'toString',
  ])('may be %s', (id) => {
    expect(ids(`${id} --> q`)).toEqual([id, 'q']);
    expect(ids(`flowchart TD\n${id}-->q`)).toEqual([id, 'q']);
    expect(ids(`q --> ${id}`)).toEqual(['q', id]);
    expect(ids(`${id}[Text]`)).toEqual([id]);
    expect(ids(`A\n${id} o--o q`)).toEqual(['A', id, 'q']);
    expect(ids(`A\n${id} e9@--> q`)).toEqual(['A', id, 'q']);
    expect(ids(`A\n${id} e9@x--x q`)).toEqual(['A', id, 'q']);
    expect(ids(`A\n${id}>Text] --> q`)).toEqual(['A', id, 'q']);
    expect(ids(`A\n${id}\n--> q`)).toEqual(['A', id, 'q']);
    expect(ids(`q & ${id} & r`)).toEqual(['q', id, 'r']);
  });

  it.each(['end', 'graph', 'flowchart', 'subgraph', 'style', 'class', 'classDef', 'linkStyle', 'click'])(
    'cannot be the word %s',
    (word) => {
      const fault = `"${word}" is a word of the language`;
      expect(faultIn(`A\n${word} --> B`)).toContain(`2:1 ${fault}`);
      expect(faultIn(`A\n${word}[Text]`)).toContain(`2:1 ${fault}`);
      expect(faultIn(`A --> ${word}`)).toContain(`1:7 ${fault}`);
    },
  );

  it.each([
    ['[Text]', '1:1 An id must stand before the bracket'],
    ['"A" --> B', '1:1 The id of a node must stand here'],
    ['a:b --> c', '1:2 A colon cannot be part'],
    ['a, b --> c', '1:2 Nodes are joined with &'],
    ['#a', '1:1 The id of a node must stand here'],
  ])('is refused with its place: %j', (text, fault) => {
    expect(faultIn(text).slice(0, fault.length)).toBe(fault);
  });
});
