/** Which commands can turn out red at all. What cannot fail proves nothing. */

/**
 * False only when `command` is certain to exit 0 (`true`, `:`, `exit 0`, `echo done`, and whatever is hidden behind
 * them, as in `npm test || true`). True when in doubt: refusing a good check is worse than missing a poor one.
 */
export function canFail(command: string): boolean {
  // None of the words that always succeed: nearly every check.
  if (!/true|:|exit|echo|#/.test(command)) return command.trim() !== '';
  const pieces = piecesOf(command);
  if (pieces === null) return true;
  /** What the pieces so far exit with. */
  let status: 'zero' | 'maybe' = 'zero';
  for (const piece of pieces) {
    if (piece.words.length === 0 || (piece.after === '||' && status === 'zero')) continue;
    const always = piece.after === ';' || status === 'zero';
    switch (kindOf(piece)) {
      case 'any':
        return true;
      case 'exit0':
        if (always) return false;
        if (piece.after === '||') status = 'zero';
        break;
      case 'ok':
        if (always || piece.after === '||') status = 'zero';
        break;
      case 'plain':
        status = 'maybe';
        break;
    }
  }
  return status === 'maybe';
}

/** A command between `;`, newline, `&&` and `||`; without words when there is only a comment, or nothing. */
interface Piece {
  /** What stands before it; a newline counts as `;`. */
  readonly after: ';' | '&&' | '||';
  readonly words: readonly string[];
  /** Pipes and redirections: it may fail, but it cannot end the shell. */
  readonly piped: boolean;
}

/** `ok`: exits 0. `plain`: may fail. `any`: may also end the shell, or change what comes after it. */
function kindOf({ words, piped }: Piece): 'ok' | 'exit0' | 'plain' | 'any' {
  const [first = '', second] = words;
  if (first === 'exit' && second === '0' && words.length === 2 && !piped) return 'exit0';
  if (ENDS_OR_CHANGES.has(first)) return 'any';
  return SUCCEEDS.has(first) && !piped ? 'ok' : 'plain';
}

const SUCCEEDS: ReadonlySet<string> = new Set(['true', ':', 'echo', '/bin/true', '/usr/bin/true']);

const ENDS_OR_CHANGES: ReadonlySet<string> = new Set(
  (
    '! [[ . alias break case continue declare do done elif else esac eval exec exit export fi for function ' +
    'if local readonly return select set shift shopt source then time times trap typeset unset until while'
  ).split(' '),
);

/** Cuts a command outside quotes; null when there is more to it (substitutions, groups, jobs) or a slip of syntax. */
function piecesOf(command: string): readonly Piece[] | null {
  const pieces: Piece[] = [];
  let piece = fresh(';');
  for (let at = 0; at < command.length;) {
    const char = command.charAt(at);
    const sign = SEPARATORS.find((text) => command.startsWith(text, at));
    if (sign !== undefined) {
      at += sign.length;
      // After `&&` and `||` the command may begin on the next line.
      if (sign === '\n' && piece.words.length === 0 && piece.after !== ';') continue;
      if (isUnfinished(piece, sign)) return null;
      pieces.push(piece);
      piece = fresh(sign === '\n' ? ';' : sign);
    } else if (char === '#') {
      // A comment: words are taken whole, so this one begins here.
      while (at < command.length && command[at] !== '\n') at += 1;
    } else if (/\s/.test(char) || command.startsWith('\\\n', at)) {
      at += char === '\\' ? 2 : 1;
    } else if ('|<>'.includes(char)) {
      if (piece.dangling || (char === '|' && piece.words.length === 0)) return null;
      piece.piped = piece.dangling = true;
      at += command.startsWith('>>', at) || command.startsWith('>&', at) ? 2 : 1;
    } else {
      const word = wordAt(command, at);
      if (word === null || (piece.dangling && ENDS_OR_CHANGES.has(word.text))) return null;
      piece.words.push(word.text);
      piece.dangling = false;
      at = word.end;
    }
  }
  return isUnfinished(piece, '\n') ? null : [...pieces, piece];
}

const SEPARATORS = ['&&', '||', ';', '\n'] as const;

interface OpenPiece extends Piece {
  readonly words: string[];
  piped: boolean;
  /** A pipe or a redirection came last: something must follow. */
  dangling: boolean;
}

function fresh(after: Piece['after']): OpenPiece {
  return { after, words: [], piped: false, dangling: false };
}

/** Only a line may be empty. */
function isUnfinished(piece: OpenPiece, sign: (typeof SEPARATORS)[number]): boolean {
  const missing = piece.words.length === 0 && (piece.after !== ';' || piece.piped || sign !== '\n');
  return piece.dangling || missing;
}

/** The word that begins here, without its quotes; null when it is more than plain text and `$NAME`. */
function wordAt(command: string, start: number): { readonly text: string; readonly end: number } | null {
  let text = '';
  let quote = '';
  let at = start;
  for (; at < command.length; at++) {
    const char = command.charAt(at);
    if (quote === '' && (/\s/.test(char) || ';&|<>'.includes(char))) break;
    if (char === quote) quote = '';
    else if (quote === "'") text += char;
    else if (quote === '' && (char === "'" || char === '"')) quote = char;
    else if (char === '`' || (quote === '' && '(){}'.includes(char))) return null;
    else if (char === '$' && !/[\w\s"]/.test(command.charAt(at + 1))) return null;
    else if (char === '\\') text += command.charAt(++at);
    else text += char;
  }
  return quote === '' && at > start ? { text, end: at } : null;
}
