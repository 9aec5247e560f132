/** The rules for names: well-formed, unique, and with ids of their own. */

import { FINAL_NODE, nodeId, type NodeId } from '../contract/ids.ts';
import type { DraftNode } from './draft.ts';
import { ownerOf, placeOf } from './node-rules.ts';
import { fault, quote, type Notes } from './notes.ts';

const SLUG = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const FORM = 'use 1 to 64 letters, digits, - and _, a letter or digit first';

/** The ids of the nodes; without meaning for those with a fault. */
export function slugRules(notes: Notes, nodes: readonly DraftNode[]): readonly NodeId[] {
  const bySlug = new Map<string, DraftNode>();
  const byId = new Map<NodeId, DraftNode>();
  return nodes.map((node) => {
    const { slug } = node;
    const id = nodeId(slug);
    if (!SLUG.test(slug)) {
      if (!node.unread.includes('slug')) badSlug(notes, node);
      return id;
    }
    const folded = slug.toLowerCase();
    if (folded === FINAL_NODE) {
      const owner = ownerOf(node);
      const message = `${owner.name} is the name of the final node, which is appended by itself: rename this one`;
      fault(notes, 'reserved_slug', { ...owner, witness: slug, message });
    }
    const twin = bySlug.get(folded);
    const other = byId.get(id);
    if (twin) {
      const owner = ownerOf(node);
      const message = `${owner.name} is the slug of ${placeOf(twin)} already (case does not count): rename one of them`;
      fault(notes, 'duplicate_slug', { ...owner, witness: slug, message });
    } else if (other) {
      const owner = ownerOf(node);
      const message = `${owner.name} and ${quote(other.slug)} lead to the same id: rename one of them`;
      fault(notes, 'id_collision', { ...owner, witness: other.slug, message });
    } else {
      bySlug.set(folded, node);
      byId.set(id, node);
    }
    return id;
  });
}

function badSlug(notes: Notes, node: DraftNode): void {
  const { slug } = node;
  const owner = ownerOf(node);
  const better = slug
    .slice(0, 40)
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
  const example = better === '' ? '' : `, for example ${quote(better)}`;
  const found = slug === '' ? `${owner.name} has no slug` : `${owner.name} is no slug`;
  const message = `${found}: ${FORM}${example} (\`## slug: Title\`, in JSON "slug")`;
  fault(notes, 'bad_slug', { ...owner, witness: slug, message });
}
