/**
 * Patterns of models on texts of any kind. A pattern may take time that grows without bound with the text; run in a
 * context of its own it is ended when its time is up.
 */

import { Script, createContext } from 'node:vm';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { ToolFault } from '../contract/tool.ts';

export interface Matcher {
  /** Numbers of the texts that match, from 0. */
  matching(texts: readonly string[]): Result<readonly number[], ToolFault>;
}

/** The pattern is data here: it is compiled as an expression in the context and can name nothing in it. */
const COMPILE = new Script('new RegExp(source, flags)');
/** Each look at a name of the context is dear, so the list is looked up once. */
const TEST = new Script(
  '{ const re = new RegExp(source, flags); const list = texts; const hits = []; ' +
    'for (let i = 0; i < list.length; i++) if (re.test(list[i])) hits.push(i); hits.join() }',
);

/** Milliseconds for one call: the program stands still meanwhile. */
const ONE_CALL = 1_000;
/** For all calls of one matcher together. */
const ALL_CALLS = 5_000;

export function makeMatcher(source: string, flags: '' | 'i'): Result<Matcher, ToolFault> {
  const context = createContext(Object.assign(Object.create(null) as object, { source, flags, texts: [] }));
  try {
    COMPILE.runInContext(context, { timeout: ONE_CALL });
  } catch (error) {
    return fail({ code: 'bad_pattern', message: `The pattern is not one: ${messageOf(error)}. Correct it.` });
  }
  let left = ALL_CALLS;
  return ok({
    matching(texts) {
      const start = performance.now();
      try {
        (context as { texts: readonly string[] }).texts = texts;
        const timeout = Math.max(1, Math.min(ONE_CALL, Math.ceil(left)));
        const hits = String(TEST.runInContext(context, { timeout }));
        return ok(hits === '' ? [] : hits.split(',').map(Number));
      } catch (error) {
        return fail(whyNot(error));
      } finally {
        left -= performance.now() - start;
      }
    },
  });
}

function whyNot(error: unknown): ToolFault {
  if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
    return {
      code: 'too_slow',
      message: 'The pattern takes too long. Make it simpler, or search fewer files with path or glob.',
    };
  }
  return { code: 'bad_pattern', message: `The pattern fails: ${messageOf(error)}. Make it simpler.` };
}

/** An error of another context is no instance of ours. */
function messageOf(error: unknown): string {
  return String((error as { readonly message?: unknown }).message).slice(0, 200);
}
