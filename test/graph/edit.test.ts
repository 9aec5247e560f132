import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeId } from '../../src/contract/ids.ts';
import { editNode, type NodeEdit } from '../../src/graph/edit.ts';
import { asJson, codes, contents, gated, node, plan, planOf } from '../support/plan-text.ts';

const check = (run: string, once = false) => ({ run, once });
const base = planOf(
  gated(
    asJson(
      plan([
        node('a', { checks: [check('x'), check('y', true)], run: 'work', timeout: '1m', frozen: ['t'] }),
        node('b', { deps: ['a'] }),
      ]),
    ),
    'json',
  ),
);

function edited(edit: NodeEdit, slug = 'a') {
  const result = editNode(base, nodeId(slug), edit);
  if (!result.ok) throw new Error(result.faults.map(({ message }) => message).join('\n'));
  return result.plan;
}

function refused(edit: NodeEdit, slug = 'a') {
  const result = editNode(base, nodeId(slug), edit);
  return result.ok ? [] : codes(result.faults);
}

describe('editNode', () => {
  it('changes what it is told, and makes a new version and hash', () => {
    const after = edited({ spec: ' New\n', run: ' other ', checks: ['z', ' y '] });
    expect(after).toMatchObject({
      version: 2,
      objective: base.objective,
      nodes: [{}, base.nodes[1], base.nodes[2]],
    });
    expect(after.nodes[0]).toEqual({
      ...base.nodes[0],
      spec: ' New',
      run: 'other',
      checks: [check('z'), check('y', true)],
    });
    expect(after.hash).not.toBe(base.hash);
    expect(base.version).toBe(1);
  });

  it('has the hash that the gate gives to the same content', () => {
    const { hash } = edited({ run: 'other' });
    const content = plan([
      node('a', { checks: [check('x'), check('y', true)], run: 'other', timeout: '1m', frozen: ['t'] }),
      node('b', { deps: ['a'] }),
    ]);
    expect(hash).toBe(planOf(gated(asJson(content), 'json')).hash);
  });

  it('leaves out what is null, and counts on', () => {
    const same = edited({ spec: null, run: null, checks: null });
    expect(same).toEqual({ ...base, version: 2 });
    const again = editNode(same, nodeId('b'), { spec: 'Other' });
    expect(again.ok && again.plan.version).toBe(3);
  });

  it('changes nothing in any plan when it is given nothing', () => {
    fc.assert(
      fc.property(contents, fc.nat(), (content, at) => {
        const all = planOf(gated(asJson(content), 'json'));
        const id = all.nodes[at % (all.nodes.length - 1)]?.id ?? 'gn-';
        expect(editNode(all, id, {})).toEqual({ ok: true, plan: { ...all, version: 2 } });
      }),
    );
  });

  it.each<[NodeEdit, readonly string[]]>([
    [{ run: ' ' }, ['empty_field a']],
    [{ run: 'x\0' }, ['parse a']],
    [{ checks: [''] }, ['empty_field a', 'unverifiable a']],
    [{ checks: [] }, ['unverifiable a']],
    [{ checks: ['true', ': later'] }, ['unverifiable a']],
    [{ checks: Array<string>(17).fill('x') }, ['too_many a']],
    [{ spec: 'x'.repeat(20_001), run: 'x'.repeat(20_001) }, ['too_long a', 'too_long a']],
  ])('refuses %o', (edit, faults) => {
    expect(refused(edit)).toEqual(faults);
  });

  it('holds the node to the means of its run', () => {
    const means = (hasModel: boolean, hasPanel: boolean) => ({ means: { hasModel, hasPanel } });
    expect(refused({ checks: [] }, 'b')).toEqual(['no_worker b', 'unverifiable b']);
    expect(refused({ checks: [], ...means(false, true) }, 'b')).toEqual(['no_worker b']);
    expect(refused({ checks: [], ...means(true, true) }, 'b')).toEqual([]);
    expect(refused({ spec: '', ...means(true, true) }, 'b')).toEqual(['empty_field b']);
    expect(edited({ spec: '' }, 'b').nodes[1]?.spec).toBe('Title of b');
  });

  it('refuses the final node, and one that is not there', () => {
    const final = editNode(base, 'gn-final', { spec: 'x' });
    expect(final.ok ? [] : codes(final.faults)).toEqual(['reserved_slug gn-final']);
    expect(refused({ spec: 'x' }, 'c')).toEqual(['unknown_dep']);
  });

  it('has no place in a file', () => {
    const result = editNode(base, nodeId('a'), { run: '' });
    expect(result.ok ? [] : result.faults.map(({ place }) => place)).toEqual([null]);
  });
});
