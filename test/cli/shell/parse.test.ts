import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LINE, parseLine } from '../../../src/cli/shell/parse.ts';
import { asksToStop } from '../../../src/cli/shell/stop-words.ts';
import { COMMANDS, completions, helpRows, VERBS } from '../../../src/cli/shell/table.ts';
import { wordsOf } from '../../../src/cli/shell/words.ts';

const VERB_NAMES = VERBS.map(({ name }) => name);

const NAMES = { nodes: ['parse', 'read'], skills: [], branches: ['yes', 'no', 'not yet'] };

describe('a line of the shell', () => {
  it.each([
    ['', { type: 'empty' }],
    ['   ', { type: 'empty' }],
    ['how far is it?', { type: 'text', text: 'how far is it?' }],
    ['/graph status', { type: 'verb', verb: 'status', argument: null, options: [] }],
    ['/goal resume --budget 2m', { type: 'verb', verb: 'resume', options: ['--budget', '2m'] }],
    ['/graph resume --budget=2m', { type: 'verb', verb: 'resume', options: ['--budget=2m'] }],
    ['/graph retry parse-csv', { type: 'verb', verb: 'retry', argument: 'parse-csv' }],
    ['/graph edit a --check "npm test"', { type: 'verb', argument: 'a', options: ['--check', 'npm test'] }],
    ['/graph Add CSV export', { type: 'start', single: false, objective: 'Add CSV export', options: [] }],
    ['/goal Make it pass --budget 5k', { type: 'start', single: true, objective: 'Make it pass' }],
    ["/graph Don't break it", { type: 'start', objective: "Don't break it" }],
    ['/graph "resume"', { type: 'start', objective: 'resume' }],
    ['/graph -- resume', { type: 'start', objective: 'resume' }],
    [
      '/graph --budget 1m -- --dry run',
      { type: 'start', objective: '--dry run', options: ['--budget', '1m'] },
    ],
    ['/graph "Explain --budget 2m"', { type: 'start', objective: 'Explain --budget 2m', options: [] }],
    ['/graph Tests', { type: 'start', objective: 'Tests' }],
    ['/graph Clear the cache', { type: 'start', objective: 'Clear the cache' }],
    ['/log a --full', { type: 'command', command: 'log', argument: 'a', options: ['--full'] }],
    ['/watch', { type: 'command', command: 'watch', argument: null }],
    ['/graph pause  ', { type: 'verb', verb: 'pause' }],
    ['/flow status', { type: 'verb', verb: 'status' }],
    ['/flow:email', { type: 'flow', name: 'email', text: '', options: [] }],
    [
      '/flow:email thank them --max-moves 9',
      { type: 'flow', name: 'email', text: 'thank them', options: ['--max-moves', '9'] },
    ],
    ['/skill:notes -- --all of it', { type: 'skill', name: 'notes', text: '--all of it' }],
    ['/goal Do it --max-ralph-iterations 3', { type: 'start', options: ['--max-ralph-iterations', '3'] }],
    ['/choose not yet', { type: 'command', command: 'choose', argument: 'not yet' }],
  ])('%j', (line, parsed) => {
    expect(parseLine(line)).toMatchObject(parsed);
  });

  it.each([
    ['/graph resum', 'Did you mean /graph resume?'],
    ['/graph Resume', 'Did you mean /graph resume?'],
    ['/graph paues', 'Did you mean /graph pause?'],
    ['/graph statsu', 'Did you mean /graph status?'],
    ['/goal aprove', 'Did you mean /goal approve?'],
    ['/graph retyr parse', 'Did you mean /graph retry?'],
    ['/graph resum --budget 2m', 'Did you mean /graph resume?'],
    ['/graph resume the parser', 'quote it'],
    ['/graph retry', 'Name the node'],
    ['/graph retry a b', 'If it is an objective, quote it'],
    ['/graph', 'Say what is to be reached'],
    ['/graph x --bugdet 2m', 'Did you mean --budget?'],
    ['/graph x --budget', 'wants a value'],
    ['/stauts', 'Did you mean /graph status?'],
    ['/reume', 'Did you mean /graph resume?'],
    ['/hepl', 'Did you mean /help?'],
    ['/', 'There is no /'],
    ['/runs now', 'takes no words'],
    ['/flow email', 'with a colon'],
    ['/flow', 'with a colon'],
    ['/flow:email --bugdet 2m', 'Did you mean --budget?'],
    ['/choose', 'Name the branch'],
    ['/graph x --max-ralph-iterations 3', 'has no option'],
    [`/graph ${'x'.repeat(MAX_LINE)}`, 'more than 32768 characters'],
    ['/graph caf\ufffd', 'not UTF-8'],
  ])('%j is refused, and says what is right', (line, words) => {
    const parsed = parseLine(line);
    expect(parsed.type).toBe('fault');
    expect(parsed).toMatchObject({ message: expect.stringContaining(words) as string });
  });

  it('never makes an objective of a keyword alone, whatever it is misspelt like', () => {
    const slip = fc
      .tuple(fc.constantFrom(...VERB_NAMES), fc.nat(), fc.constantFrom('drop', 'double', 'swap', 'upper'))
      .map(([verb, n, how]) => {
        const at = n % verb.length;
        const [head, sign, tail] = [verb.slice(0, at), verb[at] ?? '', verb.slice(at + 1)];
        if (how === 'drop') return head + tail;
        if (how === 'double') return head + sign + sign + tail;
        if (how === 'upper') return head + sign.toUpperCase() + tail;
        return head + tail.slice(0, 1) + sign + tail.slice(1);
      });
    fc.assert(
      fc.property(slip, (word) => {
        expect(parseLine(`/graph ${word}`).type).not.toBe('start');
      }),
    );
  });

  it('is read without a throw, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        parseLine(text);
        parseLine(`/graph ${text}`);
      }),
      { numRuns: 500 },
    );
  });

  it('loses nothing of an objective in quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const quoted = `"${text.replace(/["\\]/g, '\\$&')}"`;
        expect(wordsOf(quoted)).toEqual([{ text, quoted: true }]);
      }),
    );
  });
});

describe('words that stop', () => {
  it.each([
    'stop',
    'Stop',
    'STOP!',
    'stop now',
    'please stop',
    'please, stop now!',
    'pause',
    'wait',
    'halt.',
    'stop it',
    'stop please',
    ' stop ',
  ])('%j does', (text) => {
    expect(asksToStop(text)).toBe(true);
  });
  it.each([
    'stop the server first',
    'do not stop',
    'stopped?',
    'wait until it is done',
    'when does it stop',
    'stop/',
    '',
  ])('%j does not', (text) => {
    expect(asksToStop(text)).toBe(false);
  });
});

describe('Tab', () => {
  it.each([
    ['/gr', ['/graph']],
    ['/graph res', ['/graph resume']],
    ['/graph re', ['/graph resume', '/graph retry']],
    ['/graph retry p', ['/graph retry parse']],
    ['/log ', ['/log parse', '/log read']],
    ['/graph resume --bud', ['/graph resume --budget']],
    ['/graph export j', ['/graph export json']],
    ['hello', []],
    ['/runs x', []],
    ['/choose n', ['/choose no', '/choose not yet']],
    ['/choose not y', ['/choose not yet']],
  ])('%j', (line, found) => {
    expect(completions(line, NAMES)).toEqual(found);
  });

  it('offers branches so that they are read as they are named, whatever they hold', () => {
    const branches = ['yes', "don't", '"so" it is', "'a' or 'b'", '--force', 'go -- on', String.raw`a "\\ b`];
    const offered = completions('/choose ', { ...NAMES, branches });
    const read = offered.map((line) => parseLine(line));
    expect(read).toEqual(
      branches.map((argument) => ({ type: 'command', command: 'choose', argument, options: [] })),
    );
  });

  it('offers every command, and each is one that is parsed and in the help', () => {
    const typed = helpRows().map((row) => row.typed);
    for (const { name } of COMMANDS) {
      expect(completions('/', NAMES)).toContain(`/${name}`);
      expect(typed.some((row) => row.split(' ')[0] === `/${name}`)).toBe(true);
    }
    for (const name of VERB_NAMES) {
      const line = completions('/graph ', NAMES).find((found) => found === `/graph ${name}`);
      expect(parseLine(`${line ?? ''} x`).type === 'start').toBe(false);
      expect(typed.some((row) => row.startsWith(`/graph ${name}`))).toBe(true);
    }
  });
});
