import { describe, expect, it } from 'vitest';
import { parseD2 } from '../../src/flow/d2.ts';
import { placeOf } from './d2-chart.ts';

type Row = readonly [name: string, source: string, place: string];

describe('what nobody can follow in D2 is refused at its place:', () => {
  it.each<Row>([
    ['an import', 'a\n...@file', '2:1'],
    ['an import as a value', 'a: @file', '1:4'],
    ['an import that is mistaken', '@file', '1:1'],
    ['a spread variable', 'a\n  ...${x}', '2:3'],
    ['a variable in a label', 'a: x ${y}', '1:6'],
    ['a variable between quotes', 'a: "x ${y}"', '1:4'],
    ['a variable in the label of an arrow', 'a -> b: ${y}', '1:9'],
    ['a variable in a block where there are variables', 'a: |md ${y} |\nvars: {y: 1}', '1:4'],
    ['a variable in a name', '${x} -> b', '1:1'],
    ['a star as a name', 'a\n* -> b', '2:1'],
    ['a star in a name', 'a -> b*', '1:7'],
    ['a star with a block', '*: { style.fill: red }', '1:1'],
    ['a star as the number of an arrow', 'a -> b\n(a -> b)[*].label: x', '2:1'],
    ['a star as the number of an arrow with a label in a block', 'a -> b\n(a -> b)[*]: {label: x}', '2:1'],
    ['a filter', 'a: {\n &shape: oval\n}', '2:2'],
    ['a filter that excludes', 'a: {\n !&shape: oval\n}', '2:2'],
    ['null for a node', 'a\nb: NULL', '2:4'],
    ['null for an arrow', 'a -> b: null', '1:9'],
    ['null for an arrow that is there', 'a -> b\n(a -> b)[0]: null', '2:14'],
    ['null for a label', 'a.label: null', '1:10'],
    ['a suspended node', 'a: suspend', '1:4'],
    ['a label from a class', 'classes: {x: {label: y}}', '1:1'],
    ['a label from a class by its path', 'classes.x.label: y', '1:1'],
    ['a sequence diagram', 'a: {shape: sequence_diagram; b -> c}', '1:12'],
    ['a table with rows', 'a: {shape: sql_table; id: int}', '1:12'],
    ['a class with rows', 'a: {b}\na.shape: class', '2:10'],
    ['an arrow to a box with nodes', 'box: { a -> b }\nbox -> c', '2:1'],
    ['an arrow to what becomes a box later', 'c -> box\nbox.a', '1:6'],
    ['an arrow to the block around it', 'box: { a -> _ }', '1:13'],
    ['an underscore without a block around it', 'a\n_.b', '2:1'],
    ['an underscore within a path', 'a: { b._.c }', '1:6'],
    ['an underscore alone', '_: x', '1:1'],
  ])('%s', (_, source, place) => {
    expect(placeOf(source)).toBe(place);
  });
});

describe('what is no D2 is refused at its place:', () => {
  it.each<Row>([
    ['a double quote that is not closed', 'a\nb: "x\nc', '2:4'],
    ['a single quote that is not closed on its line', "a: 'x\nb: y'", '1:4'],
    ['a quote in a name that is not closed on its line', '"a\nb"', '1:1'],
    ['a block that is not closed', 'a\nb: {\n c: {\n }\n', '2:4'],
    ['a block string that is not closed', 'a: |md\n x\n', '1:4'],
    ['a block string that would swallow the next one', 'a: |md\n x\nb: |md\n y\n|', '1:4'],
    ['a block string with text behind its end', 'a: |md x | y', '1:12'],
    ['a block string with two bars and text behind its end', 'a: ||md x || y', '1:14'],
    ['a block string without a blank behind its language', 'a: |md|x|', '1:4'],
    ['a block string with a fence of different marks', 'a: |`$md x $`|', '1:4'],
    ['a comment that is not closed', 'a\n""" x', '2:1'],
    ['a list that is not closed', 'a.class: [x', '1:10'],
    ['a quote in a list that is not closed', 'a.class: [x; "y]', '1:14'],
    ['a parenthesis that is not closed', 'a\n(a -> b', '2:1'],
    ['a parenthesis without an arrow', '(a): x', '1:1'],
    ['a closing brace too many', 'a\n }', '2:2'],
    ['a block of nothing', '{ a }', '1:1'],
    ['text behind a quoted label', 'a: "x" y', '1:8'],
    ['text behind a block on its line', 'a: {shape: oval} b', '1:18'],
    ['brackets behind a name', 'a[0]: x', '1:2'],
    ['brackets without a number', '(a -> b)[x]: y', '1:9'],
    ['an arrow from nowhere', 'a\n-> b', '2:1'],
    ['an arrow from nowhere in parentheses', '(-> b)[0]: x', '1:2'],
    ['an arrow to nowhere', 'a -> ', '1:6'],
    ['an arrow to nowhere with a label', 'a -> : x', '1:6'],
    ['an arrow to a comment', 'a -> # b', '1:6'],
    ['two arrows in a row', 'a -> -> b', '1:6'],
    ['an arrow without a shaft', 'a <> b', '1:3'],
    ['an arrow of another language', 'a => b', '1:3'],
    ['a thick arrow of another language', 'a == b', '1:3'],
    ['an arrow in Unicode', 'a → b', '1:3'],
    ['a label of nothing', 'a\n: x', '2:1'],
    ['a colon without a label behind an arrow', 'a -> b:', '1:7'],
    ['an exclamation mark in a name', 'a\nb!: x', '2:2'],
    ['a quote within a name', 'a "b": x', '1:3'],
    ['a backslash in a name', 'a\\b', '1:2'],
    ['a byte order mark', '\ufeffa', '1:1'],
    ['a blank without a width', 'a\u200bb', '1:2'],
    ['two dots in a name', 'a..b', '1:3'],
    ['a dot at the end of a name', 'a.', '1:3'],
    ['an empty name', 'a -> ""', '1:6'],
    ['an empty label', 'a\nb: ""', '2:4'],
    ['an empty block string', 'a: |md\n\n|', '1:4'],
    ['a name that is too long', `a\n${'k'.repeat(601)}`, '2:1'],
    ['blocks too deep in one another', 'a:{'.repeat(101), '1:303'],
    ['a second label', 'a: x\na: y', '2:4'],
    ['a second label in a block', 'a: x { label: y }', '1:15'],
    ['a second label of an arrow', 'a -> b: x\n(a -> b)[0]: y', '2:14'],
    ['an arrow that is not there yet', 'a; b\n(a -> b)[0]: x\na -> b', '2:4'],
    ['an arrow with a number that is not there', 'a -> b\n(a -> b)[1]: x', '2:4'],
    ['an arrow of another kind', 'a <- b\n(b -> a)[0]: x', '2:4'],
    ['an arrow between nodes that are not there', '(a -> b)[0]: x', '1:2'],
    ['the label of an arrow without its number', 'a -> b\n(a -> b).label: x', '2:10'],
    ['a node within an arrow', 'a -> b: { c }', '1:11'],
    ['an arrow within an arrow', 'a -> b: { c -> d }', '1:11'],
    ['a node behind an arrow', '(a -> b)[0].c: x', '1:13'],
    ['a word of the language at the end of an arrow', 'a -> box.width', '1:6'],
    ['a word of the language without a value', 'a.shape', '1:1'],
    ['a word of the language at the end of an arrow, alone', 'a -> link', '1:6'],
    ['a label of the chart', 'label: x', '1:1'],
    ['a link that may be meant as a node', 'link: x', '1:1'],
    ['steps that may be meant as a node', 'steps: Take them', '1:8'],
    ['layers in a box', 'box: { layers: { x: { a } } }', '1:8'],
    ['the second line of a text with line feeds and returns', 'a\r\n\rb!', '3:2'],
  ])('%s', (_, source, place) => {
    expect(placeOf(source)).toBe(place);
  });

  it('says what to do', () => {
    const fault = parseD2('box: { a }\nbox -> c');
    expect(fault).toMatchObject({ ok: false, fault: { code: 'flow_parse' } });
    expect(fault).toHaveProperty('fault.message', expect.stringContaining('such as "box.a"'));
  });
});
