/** A D2 text as statements, before anything is drawn. What holds no nodes is read here all the same, to pass it by. */

import { fail, ok, type Result } from '../contract/fault.ts';
import type { FlowParseFault } from '../contract/flow.ts';
import { missingName, readChain, readIndex, startsArrow } from './d2-chain.ts';
import { readKey, type Key } from './d2-keys.ts';
import { readText, type Text } from './d2-strings.ts';
import type { EdgeStatement, NodeStatement, Statement, Value } from './d2-statement.ts';
import { afterVariable, endsStatement, faultAt, lineEnd, shown, skipBlanks, type Source } from './d2-text.ts';
import { wordIndex, wordOf } from './d2-words.ts';

/** Deeper blocks are no drawing; and reading them must not exhaust the stack. */
const DEEPEST = 100;

interface Place {
  /** Offset of the brace; null for the chart as a whole. */
  readonly opened: number | null;
  readonly depth: number;
  /** Within a block that holds no nodes, where lists are values like any other. */
  readonly passedBy: boolean;
}

/** What is to be done with a statement, once nothing can be added to it. */
type Take = (statement: Statement) => FlowParseFault | null;

/** One after the other, so that a long text is never held as statements, and its first fault is the one that is told. */
export function readStatements(source: Source, take: Take): FlowParseFault | null {
  return readBody(source, { opened: null, depth: 0, passedBy: false }, take);
}

function readBody(source: Source, place: Place, take: Take): FlowParseFault | null {
  let last: Statement | null = null;
  for (;;) {
    skipBetween(source);
    const character = source.text[source.next];
    if (character === undefined || character === '}') {
      return (last === null ? null : take(last)) ?? endFault(source, place);
    }
    const comment = skipComment(source);
    if (!comment.ok) return comment.fault;
    if (comment.value) continue;
    if (character === '{') {
      const fault = addBlock(source, place, last);
      if (fault !== null) return fault;
    } else {
      const fault = last === null ? null : take(last);
      if (fault !== null) return fault;
      const read = readStatement(source, place);
      if (!read.ok) return read.fault;
      last = read.value;
    }
    const rest = restFault(source);
    if (rest !== null) return (last === null ? null : firstFlaw(last)) ?? rest;
  }
}

/** A name that cannot be read explains what follows it. */
function firstFlaw(statement: Statement): FlowParseFault | null {
  if (statement.type === 'foreign') return statement.fault;
  if (statement.type === 'node') return statement.key.flaw;
  return statement.ends.find(({ flaw }) => flaw !== null)?.flaw ?? null;
}

/** At the end of the text, or at a brace that is passed when it closes this block. */
function endFault(source: Source, { opened }: Place): FlowParseFault | null {
  const ended = source.next >= source.text.length;
  if (opened === null) {
    if (ended) return null;
    return faultAt(source, source.next, 'This "}" closes nothing. Take it out, or write its "{".');
  }
  if (ended) return faultAt(source, opened, 'The block that begins here is not closed. Close it with "}".');
  source.next += 1;
  return null;
}

/** Whether there was one. */
function skipComment(source: Source): Result<boolean, FlowParseFault> {
  const { text, next: at } = source;
  if (text[at] === '#') {
    source.next = lineEnd(source, at);
    return ok(true);
  }
  if (!text.startsWith('"""', at)) return ok(false);
  const end = text.indexOf('"""', at + 3);
  if (end < 0) {
    return fail(faultAt(source, at, 'The comment that begins here is not closed. Close it with """.'));
  }
  source.next = end + 3;
  return ok(true);
}

/** Blanks, line ends and semicolons. */
function skipBetween(source: Source): void {
  const { text } = source;
  for (;;) {
    skipBlanks(source);
    if (text[source.next] !== '\n' && text[source.next] !== ';') return;
    source.next += 1;
  }
}

/** After a statement its line must end, but for a block that was closed on a line of its own. */
function restFault(source: Source): FlowParseFault | null {
  const fresh = source.next === source.freshAt;
  skipBlanks(source);
  if (fresh || endsStatement(source, source.next)) return null;
  const message = `Nothing is expected here, and ${shown(source, source.next)} stands here. Begin a new line, or put the text before it between quotes.`;
  return faultAt(source, source.next, message);
}

/** A block on the line after its node belongs to it all the same. */
function addBlock(source: Source, place: Place, last: Statement | null): FlowParseFault | null {
  if (last === null || last.type === 'foreign') {
    return faultAt(
      source,
      source.next,
      'This block belongs to nothing. Write the name of its node before it.',
    );
  }
  const passedBy = place.passedBy || holdsNoNodes(last);
  const body = readBlocks(source, { ...place, passedBy });
  if (!body.ok) return body.fault;
  last.value.body ??= [];
  for (const statement of body.value ?? []) last.value.body.push(statement);
  return null;
}

function readStatement(source: Source, place: Place): Result<Statement, FlowParseFault> {
  const { text, next: at } = source;
  if (text.startsWith('...', at)) {
    skipSpread(source);
    const message = 'What another place holds cannot be followed. Write it into this chart.';
    return ok({ type: 'foreign', fault: faultAt(source, at, message) });
  }
  const filter = text[at] === '&' || text.startsWith('!&', at);
  if (filter) source.next += text[at] === '&' ? 1 : 2;
  const statement =
    text[source.next] === '(' ? readGroup(source, place, null) : readPlainStatement(source, place);
  if (!statement.ok || !filter) return statement;
  return ok({
    type: 'foreign',
    fault: faultAt(source, at, 'A filter cannot be followed. Write the names out.'),
  });
}

/** `...@file` or `...${x}`. */
function skipSpread(source: Source): void {
  source.next += '...'.length;
  if (source.text.startsWith('${', source.next)) source.next = afterVariable(source.text, source.next);
  while (!endsStatement(source, source.next)) source.next += 1;
}

function readPlainStatement(source: Source, place: Place): Result<Statement, FlowParseFault> {
  const read = readKey(source, false);
  if (!read.ok) return read;
  const key = read.value;
  if (key === null) return fail(faultAt(source, source.next, missingName(source)));
  if (key.opensGroup) return readGroup(source, place, key);
  if (startsArrow(source)) {
    const chain = readChain(source, key, false);
    if (!chain.ok) return chain;
    const value = readValue(source, place);
    if (!value.ok) return value;
    return ok({
      type: 'edges',
      from: key.from,
      scope: null,
      ...chain.value,
      index: null,
      property: null,
      value: value.value,
    });
  }
  if (key.segments.some((segment) => wordOf(segment)?.word === 'vars')) source.hasVars = true;
  const passedBy = place.passedBy || wordIndex(key.segments, place.depth === 0) >= 0;
  const value = readValue(source, passedBy === place.passedBy ? place : { ...place, passedBy });
  return value.ok ? ok({ type: 'node', key, value: value.value }) : value;
}

function holdsNoNodes(statement: NodeStatement | EdgeStatement): boolean {
  return statement.type === 'edges'
    ? statement.property !== null
    : wordIndex(statement.key.segments, false) >= 0;
}

/** `(a -> b)[0].style.stroke: red`, from the parenthesis. */
function readGroup(source: Source, place: Place, scope: Key | null): Result<Statement, FlowParseFault> {
  const { text, next: opened } = source;
  source.next += 1;
  const first = readKey(source, true);
  if (!first.ok) return first;
  if (first.value === null) return fail(faultAt(source, source.next, missingName(source)));
  const chain = readChain(source, first.value, true);
  if (!chain.ok) return chain;
  if (chain.value.arrows.length === 0) {
    return fail(
      faultAt(
        source,
        opened,
        'Only arrows stand in parentheses here, as in "(a -> b)[0]". Put a name that begins so between quotes.',
      ),
    );
  }
  if (text[source.next] !== ')')
    return fail(
      faultAt(source, opened, 'The parenthesis that begins here is not closed. Close it with ")".'),
    );
  source.next += 1;
  const index = readIndex(source);
  if (!index.ok) return index;
  let property: Key | null = null;
  if (text[source.next] === '.') {
    source.next += 1;
    const read = readKey(source, false);
    if (!read.ok) return read;
    if (read.value === null) return fail(faultAt(source, source.next, missingName(source)));
    property = read.value;
  }
  const value = readValue(source, { ...place, passedBy: place.passedBy || property !== null });
  if (!value.ok) return value;
  return ok({
    type: 'edges',
    from: scope?.from ?? opened,
    scope,
    ...chain.value,
    index: index.value,
    property,
    value: value.value,
  });
}

/** From behind a name or a chain: the colon, the text, the block. */
function readValue(source: Source, place: Place): Result<Value, FlowParseFault> {
  skipBlanks(source);
  let colon: number | null = null;
  let label: Text | null = null;
  if (source.text[source.next] === ':') {
    colon = source.next;
    source.next += 1;
    skipBlanks(source);
    if (source.text[source.next] !== '{' && !endsStatement(source, source.next)) {
      const text = readText(source, place.passedBy);
      if (!text.ok) return text;
      label = text.value;
    }
  }
  const body = readBlocks(source, place);
  return body.ok ? ok({ colon, text: label, body: body.value }) : body;
}

/** All the blocks that follow one another here; null when there is none. */
function readBlocks(source: Source, place: Place): Result<Statement[] | null, FlowParseFault> {
  const { text } = source;
  let body: Statement[] | null = null;
  for (;;) {
    const behind = source.next;
    skipBlanks(source);
    const opened = source.next;
    if (text[opened] !== '{') {
      source.next = behind;
      return ok(body);
    }
    if (place.depth >= DEEPEST)
      return fail(
        faultAt(
          source,
          opened,
          `Blocks stand more than ${DEEPEST} deep in one another here. Draw it flatter.`,
        ),
      );
    source.next += 1;
    const inner: Statement[] = body ?? [];
    const within = { opened, depth: place.depth + 1, passedBy: place.passedBy };
    const fault = readBody(source, within, (statement) => {
      inner.push(statement);
      return null;
    });
    if (fault !== null) return fail(fault);
    body = inner;
    if (lineEnd(source, opened) < source.next) source.freshAt = source.next;
  }
}
