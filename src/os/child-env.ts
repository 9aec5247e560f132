/** What commands of a run see of the environment: nothing that opens a model provider's door. */

import type { Environment } from './pipes.ts';

/** For an address of one's own. */
const OWN = 'GOALGRAPH_API_KEY';

/** Shorter values are placeholders (`none`, `ollama`), and stand in variables that have nothing to do with a key. */
const SHORTEST_KEY = 8;

/** `keyVariables`: names of the variables that may hold a key. Other variables that hold the same key go as well. */
export function childEnv(env: Environment, keyVariables: readonly string[]): Environment {
  const names = new Set([OWN, ...keyVariables]);
  const keys = [...names].flatMap((name) => {
    const key = env[name]?.trim() ?? '';
    return key.length < SHORTEST_KEY ? [] : [key];
  });
  const holdsKey = (value: string): boolean => keys.some((key) => value.includes(key));
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => !names.has(name) && !(value !== undefined && holdsKey(value)),
    ),
  );
}
