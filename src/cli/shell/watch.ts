/** `/watch`: what workers write, as it comes. Whole lines only: a secret that is cut in two would not be found. */

import type { ModelEvent } from '../../contract/model.ts';
import { sessionKey, type SessionId } from '../../contract/session-event.ts';
import { never } from '../../contract/never.ts';
import { plain } from '../render/text.ts';
import { gather, type Lines, type Mask } from './gather.ts';

type Heard = ModelEvent & { readonly session: SessionId };

export interface Watch {
  /** What `/watch` or `/watch NODE` now does, in a sentence. */
  readonly toggle: (node: string | null) => string;
  readonly heard: (event: Heard, mask: Mask) => void;
}

export interface Watching {
  readonly print: (line: string) => void;
  /** What people call a node; null for one of no name. */
  readonly slugOf: (node: string) => string | null;
  readonly ascii: boolean;
}

export function makeWatch({ print, slugOf, ascii }: Watching): Watch {
  /** Null when nobody watches; `node` null for all. */
  let wanted: { readonly node: string | null } | null = null;
  const isWanted = ({ node, role }: SessionId): boolean => {
    if (wanted === null) return false;
    const name = node === null ? role : slugOf(node);
    return wanted.node === null || node === wanted.node || name === wanted.node;
  };
  const lines = gather<SessionId>(sessionKey, ({ node, role }, line) => {
    const name = node === null ? role : `${slugOf(node) ?? node} ${role}`;
    if (line.trim() !== '') print(`${plain(name, ascii)} | ${plain(line, ascii)}`);
  });
  return {
    toggle(node) {
      const again = wanted !== null && wanted.node === node;
      wanted = again ? null : { node };
      lines.forget();
      return again ? 'No longer watching.' : watchingWords(node === null ? null : plain(node, ascii));
    },
    heard(event, mask) {
      if (isWanted(event.session)) hear(lines, event, mask);
    },
  };
}

function hear(lines: Lines<SessionId>, event: Heard, mask: Mask): void {
  const { session } = event;
  switch (event.type) {
    case 'text':
      lines.add(session, event.text, mask);
      return;
    case 'calling':
      lines.flush(session, mask);
      lines.say(session, `-> ${mask(event.name)}`);
      return;
    case 'retrying':
      // What came so far does not count.
      lines.drop(session);
      lines.say(session, '(the turn is tried again)');
      return;
    case 'done':
    case 'failed':
      lines.flush(session, mask);
      return;
    case 'reasoning':
    case 'adapted':
      return;
    default:
      never(event);
  }
}

function watchingWords(node: string | null): string {
  const [whom, again] = node === null ? ['all nodes', '/watch'] : [node, `/watch ${node}`];
  return `Watching ${whom}: what is written is shown line by line. ${again} again to stop.`;
}
