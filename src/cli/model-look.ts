/** Whether a server is there, takes the key and serves the model: one request for its list, which costs nothing. */

import { fail, ok, type Fault, type Result } from '../contract/fault.ts';
import type { ModelFault } from '../contract/model.ts';
import { never } from '../contract/never.ts';
import { listModels } from '../model/list-models.ts';

export interface Looked {
  /** As the user named it. */
  readonly name: string;
  /** As the server calls it. */
  readonly model: string;
  readonly baseUrl: string;
  readonly key: string | null;
  /** Environment variable of the key; null when none is wanted. */
  readonly variable: string | null;
}

/** Milliseconds. */
const PATIENCE = 10_000;

export async function lookAtModel(looked: Looked): Promise<Result<null>> {
  const { name, model, baseUrl, key } = looked;
  const signal = AbortSignal.timeout(PATIENCE);
  const list = await listModels({ baseUrl, key, now: Date.now, signal });
  if (!list.ok) return refusal(looked, list.fault);
  const served = list.value;
  if (served.length === 0 || served.some((one) => isSame(one, model))) return ok(null);
  const near = nearestOf(model, served);
  const message = `${baseUrl} does not serve ${model}. It serves ${near}. Name one of these with --model; or --skip-look if ${name} is right and its list is not.`;
  return fail({ code: 'model', message });
}

/** Lists have prefixes and tags that requests may leave out. */
function isSame(served: string, model: string): boolean {
  const plain = (name: string) => name.replace(/^models\//, '').replace(/:latest$/, '');
  return plain(served) === plain(model);
}

const MOST_NAMES = 8;

function nearestOf(model: string, served: readonly string[]): string {
  const start = model.slice(0, 4).toLowerCase();
  const near = served.filter((name) => name.toLowerCase().includes(start));
  const shown = (near.length > 0 ? near : served).slice(0, MOST_NAMES).map((name) => name.slice(0, 100));
  const rest = served.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more (goalgraph models lists them)` : ''}`;
}

/** Null-like success: trouble that says nothing about the set-up is left to the first request. */
function refusal({ baseUrl, variable }: Looked, fault: ModelFault): Result<null> {
  const wrong = (code: Fault['code'], message: string) => fail({ code, message });
  switch (fault.code) {
    case 'auth':
      return wrong(
        'model',
        `${baseUrl} refuses the key${variable === null ? '' : ` in ${variable}`}: ${fault.message} Set the right one${variable === null ? ' with "keyVariable"' : ''}.`,
      );
    case 'not_found':
      return wrong(
        'model',
        `${baseUrl}/models is not there: is the base URL right? Most end in /v1. If the server has no such list, use --skip-look.`,
      );
    case 'network':
    case 'aborted':
      return wrong(
        'provider',
        `${baseUrl} cannot be reached${fault.code === 'aborted' ? ' within 10 s' : ''}: ${fault.message} Start the server, or set another with --base-url.`,
      );
    case 'protocol':
      return wrong(
        'model',
        `${baseUrl} gives no list of models: is it an OpenAI-compatible server, and the base URL right? Most end in /v1. If so, use --skip-look.`,
      );
    case 'quota':
    case 'rate':
    case 'server':
    case 'context_length':
    case 'no_tools':
    case 'bad_request':
    case 'cut':
    case 'idle':
    case 'refused':
      return ok(null);
    default:
      return never(fault);
  }
}
