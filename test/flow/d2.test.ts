import { describe, expect, it } from 'vitest';
import { arrowsOf, chartOf, nodesOf } from './d2-chart.ts';

type Row = readonly [name: string, source: string, drawn: readonly string[]];

describe('a label in D2', () => {
  it.each<Row>([
    ['keeps its apostrophes, also on two lines', "a: don't\nb: can't", ["a: don't", "b: can't"]],
    ['keeps a hash within a word', 'a: issue#4 # note', ['a: issue#4']],
    ['keeps an arrow', 'a: x -> y', ['a: x -> y']],
    ['keeps its brackets', 'a: [draft] do it', ['a: [draft] do it']],
    ['keeps a dollar', 'a: pay $5', ['a: pay $5']],
    ['keeps later colons', 'a: b: c', ['a: b: c']],
    ['ends at a semicolon', 'a: x; b: y', ['a: x', 'b: y']],
    ['keeps what stands behind a backslash', 'a: x \\; y \\{z\\} \\# q', ['a: x ; y {z} # q']],
    ['breaks its line at \\n', 'a: x\\ny', ['a: x\ny']],
    ['keeps the backslashes of paths and patterns', 'a: C:\\dir \\d+ \\\\', ['a: C:\\dir \\d+ \\']],
    ['goes on behind a backslash at the end of its line', 'a: x \\\n   y', ['a: x y']],
    ['may be plain words of the language between quotes', 'a: "null"', ['a: null']],
    ['between double quotes has the usual escapes', 'a: "x\\ty\\"z\\n\\\\"', ['a: x\ty"z\n\\']],
    ['between double quotes may span lines', 'a: "x\ny"\nb', ['a: x\ny', 'b']],
    ['between double quotes may be joined over lines', 'a: "x\\\ny"', ['a: xy']],
    ['between single quotes escapes the quote alone', "a: 'it''s \\'C:\\new\\\\'", ["a: it's 'C:\\new\\\\"]],
    ['between single quotes holds variables as text', "a: '${x}'", ['a: ${x}']],
    ['stands in the block of its node', 'a: { label: x }', ['a: x']],
    ['stands behind a dot', 'a.label: x', ['a: x']],
    ['may be said twice', 'a: x\na.label: x', ['a: x']],
    ['is not needed', 'a:', ['a']],
    ['may be followed by a block on the next line', 'a: x\n\n{ shape: oval }', ['a: x']],
    ['may be true', 'a: true', ['a: true']],
  ])('%s', (_, source, drawn) => {
    expect(nodesOf(chartOf(source))).toEqual(drawn);
  });
});

describe('a block string in D2', () => {
  it.each<Row>([
    ['may stand on one line', 'a: |md one line |', ['a: one line']],
    ['may have another language', 'a: |markdown\n  x\n|', ['a: x']],
    ['may have none', 'a: | x |', ['a: x']],
    ['may begin on the line of its opener', 'a: |md one\n  two\n|', ['a: one\ntwo']],
    ['may end on its last line of text', 'a: |md\n  one\n  two |\nb', ['a: one\ntwo', 'b']],
    ['may have two bars', 'a: ||md x | y ||', ['a: x | y']],
    ['may have three', 'a: |||md x || y |||', ['a: x || y']],
    ['may have a backtick', 'a: |`md x | y || z `|', ['a: x | y || z']],
    ['keeps its backslashes', 'a: |md\n  C:\\new\\\n  \\n\n|', ['a: C:\\new\\\n\\n']],
    ['keeps quotes, braces and hashes', 'a: |md\n  "x\' {y # z\n|', ['a: "x\' {y # z']],
    ['keeps tables', 'a: |md\n  | x | y |\n  |---|---|\n|', ['a: | x | y |\n|---|---|']],
    ['keeps a bar within a line', 'a: |md\n  x | y\n|', ['a: x | y']],
    ['keeps what a shell calls variables', 'a: |sh echo ${HOME} |', ['a: echo ${HOME}']],
    ['may be followed by a block', 'a: |md x | { shape: oval }', ['a: x']],
    ['may be followed by a semicolon', 'a: |md x |; b', ['a: x', 'b']],
    ['may have a comment behind its opener', 'a: |md # note\n  x # y\n|', ['a: x # y']],
    ['counts a heading on its only line', 'a: |md # x |', ['a: # x']],
  ])('%s', (_, source, drawn) => {
    expect(nodesOf(chartOf(source))).toEqual(drawn);
  });
});

describe('a name in D2', () => {
  it.each<Row>([
    ['may hold blanks', 'my node -> other  node', ['my node', 'other  node']],
    ['may hold letters of all languages', 'größe -> 数 -> ñ', ['größe', '数', 'ñ']],
    ['may hold a hash', 'a#b -> c', ['a#b', 'c']],
    ['may hold a question mark', 'done? -> yes, all', ['done?', 'yes, all']],
    ['may hold parentheses', 'a (b) -> c', ['a (b)', 'c']],
    ['may hold an apostrophe', "it's -> so", ["it's", 'so']],
    ['may hold dashes', 'a-b->c-; d - e', ['a-b', 'c-', 'd - e']],
    ['may stand between quotes', '"a: b" -> \'c -> d\'', ['a: b', 'c -> d']],
    ['between quotes may hold a dot, and is another than the path', '"a.b"; a.b', ['"a.b": a.b', 'a.b']],
    ['between quotes may be a word of the language', '"label": x', ['label: x']],
    ['folds case, and keeps the letters in which it was first written', 'Ab; aB: x; É; é', ['Ab: x', 'É']],
    [
      'may be one that JavaScript knows',
      '__proto__: x; constructor; 10; 2',
      ['__proto__: x', 'constructor', '10', '2'],
    ],
    ['may be continued on the next line', 'a \\\n  b', ['a b']],
  ])('%s', (_, source, drawn) => {
    expect(nodesOf(chartOf(source))).toEqual(drawn);
  });
});

describe('an arrow in D2', () => {
  it.each<Row>([
    ['leads from left to right', 'a -> b: x', ['a -> b: x']],
    ['may be long', 'a ---> b', ['a -> b']],
    ['may point back', 'a <- b: x', ['b -> a: x']],
    ['may point both ways, with its label on either', 'a <-> b: x', ['a -> b: x', 'b -> a: x']],
    ['is followed as it is written when it has no head', 'a -- b: x', ['a -> b: x']],
    ['may change its way in a chain', 'a -> b <- c', ['a -> b', 'c -> b']],
    ['has no label in a chain unless it is the last', 'a -> b -> c: x', ['a -> b', 'b -> c: x']],
    ['may go on over lines', 'a -> \\\n  b', ['a -> b']],
    ['may be labelled in its block', 'a -> b: { label: x }', ['a -> b: x']],
    ['may have a block behind its label', 'a -> b: x { style.stroke: red }', ['a -> b: x']],
    ['may have a block without a colon', 'a -> b { style: {stroke: red} }', ['a -> b']],
    ['may be labelled later', 'a -> b\n(a -> b)[0].label: x', ['a -> b: x']],
    ['may be labelled later without the word', 'a -> b\n(a -> b)[0]: x', ['a -> b: x']],
    ['is labelled by its number', 'a -> b\na -> b\n(a -> b)[1]: x', ['a -> b', 'a -> b: x']],
    ['may be styled later', 'a -> b\n(a -> b)[0].style.stroke: red', ['a -> b']],
    ['may be labelled within a box', 'box.a -> box.b\nbox.(a -> b)[0]: x', ['box.a -> box.b: x']],
    ['may stand in parentheses', '(a -> b): x', ['a -> b: x']],
    ['counts as often as it is drawn', 'a -> b; a -> b', ['a -> b', 'a -> b']],
    ['may have an empty label', 'a -> b: ""', ['a -> b']],
    ['may lead to itself', 'a -> a: again', ['a -> a: again']],
    ['has a label in which arrows are text', 'a -> b: x -> y', ['a -> b: x -> y']],
    ['may have heads with looks', 'a -> b: {target-arrowhead: 1 {shape: oval}}', ['a -> b']],
  ])('%s', (_, source, drawn) => {
    expect(arrowsOf(chartOf(source))).toEqual(drawn);
  });
});

describe('a box with nodes in D2', () => {
  it.each<Row>([
    ['gives its name to their ids', 'box: { a -> b }', ['box.a: a', 'box.b: b', 'box.a -> box.b']],
    ['is known from outside', 'box: { a }\nc -> box.a', ['box.a: a', 'c', 'c -> box.a']],
    ['is made by a path', 'box.a -> box.b', ['box.a', 'box.b', 'box.a -> box.b']],
    ['may have a label', 'box: Stage { a: x }', ['box.a: x']],
    ['may have an empty label', 'box: "" { a }', ['box.a: a']],
    ['may stand in another', 'x: { y: { z } }\nx.y.z: q', ['x.y.z: q']],
    ['can be left with an underscore', 'box: { _.c -> a }', ['c', 'box.a: a', 'c -> box.a']],
    ['can be left more than once', 'x: { y: { _._.c; d } }', ['c', 'x.y.d: d']],
    ['may be opened again', 'box: {a}\nBox: {b}', ['box.a: a', 'box.b: b']],
    ['may be opened twice on one line', 'box: {a} {b}', ['box.a: a', 'box.b: b']],
    ['may hold a begin', 'box: { BEGIN }', ['box.BEGIN: BEGIN']],
    ['is a node while it holds none', 'box: { shape: oval }', ['box']],
    ['is done when its block is', 'box {\n a } c', ['box.a: a', 'c']],
  ])('%s', (_, source, drawn) => {
    const chart = chartOf(source);
    expect([...nodesOf(chart), ...arrowsOf(chart)]).toEqual(drawn);
  });
});

describe('what draws nothing in D2', () => {
  it.each([
    ['styles of a node', 'a.style.fill: "#ff0000"'],
    ['styles whose value is a comment', 'a.style.fill: #ff0000'],
    ['styles of nodes that are not there', 'z.style.fill: red'],
    ['styles of all nodes', '*.style.fill: red'],
    ['styles of all arrows', '(* -> *)[*].style.stroke: red'],
    ['styles of all arrows in a block', '(* -> *)[*]: { style.stroke: red }'],
    ['a shape', 'a.shape: diamond'],
    ['the shape of a table without rows', 'a.shape: class'],
    ['a size', 'a.width: 10; a.height: 10'],
    ['an icon', 'a.icon: https://icons.example/x.svg'],
    ['a tooltip', "a.tooltip: don't {x: y}"],
    ['a tooltip in a block', "a: { tooltip: |md\n it's { odd\n|\n}"],
    ['a link', 'a.link: layers.x'],
    ['a place', 'a.near: top-center'],
    ['a constraint', 'a.constraint: [primary_key; "x]"; y]'],
    ['a class', 'a.class: [hot\n cold]'],
    ['an opacity that is not behind style', 'a.opacity: 0.4'],
    ['null for a style', 'a.style.fill: null'],
    ['the place of a label', 'a.label.near: top-center'],
    ['the direction', 'direction: right'],
    ['styles of the chart', 'style.fill: red'],
    ['a grid', 'grid-rows: 3; grid-gap: 0'],
    ['variables', 'vars: { x: ${y}; list: [1; 2]; ...${z}; d2-config: {theme-id: 3} }'],
    ['classes', 'classes: { hot: { style.fill: red } }\nclasses.cold.style.fill: blue'],
    ['layers', 'layers: { x: { a -> b; *.style.fill: red } }'],
    ['scenarios and steps', 'scenarios: { x: { a -> b } }; steps: { 1: { c } }'],
    ['comments', '# a -> z'],
    ['block comments', '"""\na -> z }\n"""'],
    ['blank lines', '\n\n;;\n'],
  ])('is %s', (_, line) => {
    for (const source of [`a -> b: x\nb: y\n${line}\nb -> c`, `a -> b: x;b: y\nb -> c;${line}`]) {
      const chart = chartOf(source);
      expect(nodesOf(chart)).toEqual(['a', 'b: y', 'c']);
      expect(arrowsOf(chart)).toEqual(['a -> b: x', 'b -> c']);
    }
  });
});
