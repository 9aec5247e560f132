import { chmodSync, linkSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editTool } from '../../src/tool/edit.ts';
import { readTool } from '../../src/tool/read.ts';
import { writeTool } from '../../src/tool/write.ts';
import { fault, put, reply, workspace } from './workspace.ts';

describe('read', () => {
  it('numbers the lines', async () => {
    const { place } = await workspace();
    const { forModel } = await reply(readTool(place), { path: 'src/a.ts' });
    expect(forModel).toBe('1\tone\n2\ttwo\n3\tthree');
  });

  it('says how to get what the limit leaves out', async () => {
    const { place } = await workspace();
    const { forModel } = await reply(readTool(place), { path: 'src/a.ts', offset: 2, limit: 1 });
    expect(forModel).toBe('2\ttwo\n[lines 3 to 3 are not shown: read with offset 3]');
  });

  it('shows beginning and end of a long file, and all of it when asked again and again', async () => {
    const { place, root } = await workspace();
    const lines = Array.from({ length: 1_900 }, (_, i) => `line ${i + 1} ${'x'.repeat(60)}`);
    put(root, { long: lines.join('\n') });
    const seen = new Set<string>();
    let offset = 1;
    for (let calls = 0; calls < 10 && seen.size < lines.length; calls++) {
      const { forModel } = await reply(readTool(place), { path: 'long', offset });
      expect(forModel.length).toBeLessThan(50_000);
      for (const match of forModel.matchAll(/^\d+\t(.*)$/gm)) seen.add(match[1] ?? '');
      offset = Number(/read with offset (\d+)/.exec(forModel)?.[1] ?? 1);
    }
    expect([...seen].sort()).toEqual([...lines].sort());
  });

  it('cuts a line that is longer than anyone reads', async () => {
    const { place, root } = await workspace();
    put(root, { min: 'y'.repeat(100_000) });
    const { forModel } = await reply(readTool(place), { path: 'min' });
    expect(forModel).toMatch(/y… \[98000 more characters in this line\]$/);
  });

  it('tells an empty file', async () => {
    const { place, root } = await workspace();
    put(root, { empty: '' });
    expect((await reply(readTool(place), { path: 'empty' })).forModel).toBe('[the file is empty]');
  });

  it.each([
    ['nul', Buffer.from('a\0b'), 'binary'],
    ['latin1', Buffer.from([0x66, 0xfc, 0x72]), 'binary'],
    ['huge', Buffer.alloc(17 * 1024 * 1024, 'x'), 'too_large'],
  ])('refuses %s', async (name, bytes, code) => {
    const { place, root } = await workspace();
    put(root, { [name]: bytes });
    expect(await fault(readTool(place), { path: name })).toMatchObject({ code });
  });

  it('refuses a folder, a file that is not there, and a line that is not there', async () => {
    const { place } = await workspace();
    const read = readTool(place);
    expect(await fault(read, { path: 'src' })).toMatchObject({ code: 'is_folder' });
    expect(await fault(read, { path: '.' })).toMatchObject({ code: 'is_folder' });
    expect(await fault(read, { path: 'src/b.ts' })).toMatchObject({ code: 'not_found' });
    expect(await fault(read, { path: 'src/a.ts', offset: 4 })).toMatchObject({ code: 'arguments' });
  });
});

describe('arguments', () => {
  it.each([
    null,
    [],
    'src/a.ts',
    {},
    { path: 1 },
    { path: ['src/a.ts'] },
    { path: 'src/a.ts', offset: 0 },
    { path: 'src/a.ts', offset: 1e400 },
    { path: 'src/a.ts', offset: '2' },
    { path: 'src/a.ts', mode: 'r' },
    JSON.parse('{"path":"src/a.ts","__proto__":{"limit":1}}'),
  ])('that the schema does not know are refused: %j', async (args: unknown) => {
    const { place } = await workspace();
    const found = await fault(readTool(place), args);
    expect(found.code).toBe('arguments');
    expect(found.message).toMatch(/^read was not run/);
    expect(found.message.length).toBeLessThan(2_000);
  });

  it('have a schema that vendors take', async () => {
    const { place } = await workspace();
    for (const tool of [readTool(place), writeTool(place), editTool(place)]) {
      expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false });
      expect(JSON.stringify(tool.parameters)).not.toContain('$schema');
      expect(tool.description.length).toBeGreaterThan(20);
    }
  });

  it('are not looked at once the signal has come', async () => {
    const { place } = await workspace();
    const result = await writeTool(place).run({ path: 'x', content: '' }, AbortSignal.abort());
    expect(result).toMatchObject({ fault: { code: 'aborted' } });
  });
});

describe('write', () => {
  it('makes a file and the folders on the way', async () => {
    const { place, root } = await workspace();
    const made = await reply(writeTool(place), { path: 'new/deep/b.ts', content: 'a\nb\n' });
    expect(made).toMatchObject({ forModel: 'new/deep/b.ts is made (2 lines).', changed: ['new/deep/b.ts'] });
    expect(readFileSync(join(root, 'new/deep/b.ts'), 'utf8')).toBe('a\nb\n');
    expect(readdirSync(join(root, 'new/deep'))).toEqual(['b.ts']);
  });

  it('replaces a file, keeps its mode, and leaves its other name alone', async () => {
    const { place, root, outside } = await workspace();
    put(root, { 'run.sh': 'old\n' });
    chmodSync(join(root, 'run.sh'), 0o750);
    linkSync(join(root, 'run.sh'), join(outside, 'twin'));
    await reply(writeTool(place), { path: 'run.sh', content: 'new\n' });
    expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o750);
    expect(readFileSync(join(outside, 'twin'), 'utf8')).toBe('old\n');
  });

  it('goes to the file behind a link that stays inside', async () => {
    const { place, root } = await workspace();
    expect(await reply(writeTool(place), { path: 'link-in', content: 'x' })).toMatchObject({
      changed: ['src/a.ts'],
    });
    expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('x');
  });

  it('refuses a folder and a file outside its scope', async () => {
    const { place } = await workspace((path) => path.startsWith('out/'));
    const write = writeTool(place);
    expect(await fault(write, { path: 'src/a.ts', content: '' })).toMatchObject({ code: 'scope' });
    expect(await fault(write, { path: 'out/', content: '' })).toMatchObject({ code: 'scope' });
    expect(await fault(write, { path: 'out/x/', content: '' })).toMatchObject({ code: 'is_folder' });
  });
});

describe('edit', () => {
  async function edit(before: string, args: Record<string, unknown>): Promise<[string, string]> {
    const { place, root } = await workspace();
    put(root, { 'f.txt': before });
    const { forModel } = await reply(editTool(place), { path: 'f.txt', ...args });
    return [readFileSync(join(root, 'f.txt'), 'utf8'), forModel];
  }
  async function refused(before: string, args: Record<string, unknown>): Promise<[string, string]> {
    const { place, root } = await workspace();
    put(root, { 'f.txt': before });
    const { code, message } = await fault(editTool(place), { path: 'f.txt', ...args });
    expect(readFileSync(join(root, 'f.txt'), 'utf8')).toBe(before);
    return [code, message];
  }

  it('replaces the one place and shows the change', async () => {
    const [after, shown] = await edit('a\nb\nc\nd\n', { old: 'b', new: 'B' });
    expect(after).toBe('a\nB\nc\nd\n');
    expect(shown).toBe('f.txt is changed in 1 place.\n@@ line 1 @@\n a\n-b\n+B\n c\n d\n ');
  });

  it('takes the new text as it is, dollars included', async () => {
    expect((await edit('x', { old: 'x', new: "$& $1 $$ $' $`" }))[0]).toBe("$& $1 $$ $' $`");
  });

  it('replaces every place when asked', async () => {
    expect((await edit('a b a b a', { old: 'a', new: 'aa', all: true }))[0]).toBe('aa b aa b aa');
  });

  it('refuses two places, and says where', async () => {
    const [code, message] = await refused('a\nb\na\n', { old: 'a', new: 'x' });
    expect([code, message]).toEqual(['ambiguous', expect.stringContaining('2 times, at lines 1, 3')]);
  });

  it('forgives blanks, and keeps the indentation of the file', async () => {
    const before = 'function f() {\n\tif (a)  {\n\t\treturn 1;  \n\t}\n}\n';
    const [after] = await edit(before, {
      old: '    if (a) {\n        return 1;\n    }',
      new: '    if (b) {\n    }',
    });
    expect(after).toBe('function f() {\n\tif (b) {\n\t}\n}\n');
  });

  it('refuses two places that are alike but for blanks', async () => {
    expect((await refused(' a\n\ta\n', { old: '   a', new: 'x' }))[0]).toBe('ambiguous');
  });

  it('keeps CRLF and the byte order mark', async () => {
    const [after] = await edit('\ufeffa\r\nb\r\nc\r\n', { old: 'b\nc', new: 'x\ny\nz' });
    expect(after).toBe('\ufeffa\r\nx\r\ny\r\nz\r\n');
    expect((await edit('a\r\nb\r\n', { old: 'a', new: 'a\na2' }))[0]).toBe('a\r\na2\r\nb\r\n');
  });

  it('says where the text nearly stands', async () => {
    const [code, message] = await refused('a\nb\nc\n', { old: 'b\nd', new: 'x' });
    expect([code, message]).toEqual(['no_match', expect.stringContaining('line 2')]);
    expect((await refused('a\n', { old: 'zzz', new: 'x' }))[1]).toContain('Read the file again');
  });

  it('refuses a change that is none, an empty text, a missing and a binary file', async () => {
    expect((await refused('a\n', { old: 'a', new: 'a' }))[0]).toBe('unchanged');
    expect((await refused('a\n', { old: '', new: 'a' }))[0]).toBe('arguments');
    expect((await refused('a\0\n', { old: 'a', new: 'b' }))[0]).toBe('binary');
    const { place } = await workspace();
    expect(await fault(editTool(place), { path: 'no', old: 'a', new: 'b' })).toMatchObject({
      code: 'not_found',
    });
  });
});
