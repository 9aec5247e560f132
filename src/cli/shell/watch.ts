/** `/watch`: what workers write, as it comes. Whole lines only: a secret that is cut in two would not be found. */

import type { ModelEvent } from '../../contract/model.ts';
import { sessionKey, type SessionId } from '../../contract/session-event.ts';
import { never } from '../../contract/never.ts';
import { plain } from '../render/text.ts';

type Heard = ModelEvent & { readonly session: SessionId };
type Mask = (text: string) => string;

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
  const lines = gather(({ node, role }, line) => {
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

function hear(lines: Lines, event: Heard, mask: Mask): void {
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

interface Lines {
  readonly say: (session: SessionId, line: string) => void;
  readonly add: (session: SessionId, text: string, mask: Mask) => void;
  readonly flush: (session: SessionId, mask: Mask) => void;
  readonly drop: (session: SessionId) => void;
  readonly forget: () => void;
}

/** Pieces of text as lines, session by session. */
function gather(say: Lines['say']): Lines {
  const begun = new Map<string, string>();
  const sayAll = (session: SessionId, text: string) => {
    for (const line of text.split('\n')) say(session, line);
  };
  return {
    say,
    add(session, text, mask) {
      const key = sessionKey(session);
      const [whole, rest] = cut((begun.get(key) ?? '') + text);
      sayAll(session, mask(whole));
      begun.set(key, rest);
    },
    flush(session, mask) {
      const key = sessionKey(session);
      sayAll(session, mask(begun.get(key) ?? ''));
      begun.delete(key);
    },
    drop: (session) => void begun.delete(sessionKey(session)),
    forget: () => begun.clear(),
  };
}

/** A line that never ends is shown from time to time. */
const LONGEST = 8_000;

/** Lines that are over, and the one that is not. */
function cut(text: string): readonly [string, string] {
  const end = text.lastIndexOf('\n');
  if (end < 0 && text.length > LONGEST) return [text, ''];
  return end < 0 ? ['', text] : [text.slice(0, end), text.slice(end + 1)];
}

function watchingWords(node: string | null): string {
  const [whom, again] = node === null ? ['all nodes', '/watch'] : [node, `/watch ${node}`];
  return `Watching ${whom}: what is written is shown line by line. ${again} again to stop.`;
}
