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
  /** True for a run that has begun: whether the list is right was settled then. */
  readonly begun: boolean;
}

/** Milliseconds. */
const PATIENCE = 10_000;

export async function lookAtModel(looked: Looked): Promise<Result<null>> {
  const { name, model, baseUrl, key, begun } = looked;
  const signal = AbortSignal.timeout(PATIENCE);
  const list = await listModels({ baseUrl, key, now: Date.now, signal });
  if (!list.ok) return refusal(looked, list.fault);
  const served = list.value;
  if (begun || served.length === 0 || isServed(model, served)) return ok(null);
  const near = nearestOf(model, served);
  const message = `${baseUrl} does not serve ${model}. It serves ${near}. Name one of these with --model; or --skip-look if ${name} is right and its list is not.`;
  return fail({ code: 'model', message });
}

/** Lists have prefixes and tags that requests may leave out. */
export function isServed(model: string, served: readonly string[]): boolean {
  const plain = (name: string) => name.replace(/^models\//, '').replace(/:latest$/, '');
  return served.some((one) => plain(one) === plain(model));
}

const MOST_NAMES = 8;

function nearestOf(model: string, served: readonly string[]): string {
  const start = model.slice(0, 4).toLowerCase();
  const near = served.filter((name) => name.toLowerCase().includes(start));
  const shown = (near.length > 0 ? near : served).slice(0, MOST_NAMES).map((name) => name.slice(0, 100));
  const rest = served.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more (goalgraph models lists them)` : ''}`;
}

const NOT_THERE = 'Start the server, or set another with --base-url.';

/** Trouble that says nothing about the set-up is left to the first request. */
function refusal({ baseUrl, variable, begun }: Looked, fault: ModelFault): Result<null> {
  const wrong = (code: Fault['code'], message: string) => fail({ code, message });
  if (begun && (fault.code === 'not_found' || fault.code === 'protocol')) return ok(null);
  switch (fault.code) {
    case 'auth':
      return wrong(
        'model',
        `${baseUrl} refuses the key${variable === null ? '' : ` in ${variable}`}: ${fault.message} Set the right one${variable === null ? ' with "keyVariable" and "baseUrl"' : ''}.`,
      );
    case 'not_found':
      return wrong(
        'model',
        `${baseUrl}/models is not there: is the base URL right? Most end in /v1. If the server has no such list, use --skip-look.`,
      );
    case 'network':
      return wrong('provider', `${fault.message} ${NOT_THERE}`);
    case 'aborted':
      return wrong('provider', `${baseUrl} has not answered within 10 s. ${NOT_THERE}`);
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
