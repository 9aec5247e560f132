/** Whether the configured models can be asked: never shows a key, and sends something only when told to. */

import { existsSync } from 'node:fs';
import { chooseModel, OWN_KEY_VARIABLE, type ModelChoice } from '../../model/choose.ts';
import { keyVariableFor } from '../config.ts';
import type { Examined, Finding } from './examine.ts';

const PATIENCE = 10_000;

export async function examineModels(spec: Examined): Promise<readonly Finding[]> {
  const { model, verifierModel } = spec.config;
  if (model === null && verifierModel === null) {
    return [{ name: 'model', state: 'note', text: 'none is set; plans whose nodes are commands need none' }];
  }
  const findings = model === null ? [] : [...(await examineModel(spec, 'model', model))];
  if (verifierModel !== null && verifierModel !== model) {
    findings.push(...(await examineModel(spec, 'verifier model', verifierModel)));
  }
  return findings;
}

async function examineModel(spec: Examined, name: string, wanted: string): Promise<readonly Finding[]> {
  const choice = chooseModel(wanted, spec.config.baseUrl);
  if (!choice.ok) return [{ name, state: 'bad', text: choice.fault.message }];
  if (choice.value.kind === 'scripted') {
    const { file } = choice.value;
    return existsSync(file)
      ? [{ name, state: 'ok', text: `the script ${file}` }]
      : [{ name, state: 'bad', text: `there is no script ${file}` }];
  }
  const server = choice.value;
  const own = spec.config.baseUrl !== null;
  const variable = keyVariableFor(spec.config, { own, preset: server.keyVariable });
  const findings: Finding[] = [{ name, state: 'ok', text: `${wanted} at ${server.baseUrl}` }];
  if (variable !== null) findings.push(examineKey(spec, variable));
  if (spec.online) findings.push(await askEndpoint(spec, server, variable));
  return findings;
}

function examineKey({ env, config }: Examined, variable: string): Finding {
  if (env[variable]) return { name: 'key', state: 'ok', text: `${variable} is set` };
  // A server of one's own may want none; who names a variable means it.
  const mayBeUnset = variable === OWN_KEY_VARIABLE && config.keyVariable === null;
  return mayBeUnset
    ? { name: 'key', state: 'note', text: `${variable} is not set; if the server wants a key, set it` }
    : { name: 'key', state: 'bad', text: `${variable} is not set; set it to the key` };
}

type Server = Extract<ModelChoice, { kind: 'server' }>;

async function askEndpoint({ env }: Examined, server: Server, variable: string | null): Promise<Finding> {
  const name = 'endpoint';
  const { baseUrl } = server;
  const { listModels } = await import('../../model/list-models.ts');
  const { isServed } = await import('../model-look.ts');
  const answer = await listModels({
    baseUrl,
    key: (variable === null ? null : env[variable]) ?? null,
    now: Date.now,
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (!answer.ok) {
    const { code, message } = answer.fault;
    const text = code === 'aborted' ? `no answer within ${PATIENCE / 1_000} s` : message;
    return { name, state: 'bad', text: `${baseUrl}: ${text}` };
  }
  return isServed(server.model, answer.value)
    ? { name, state: 'ok', text: `${baseUrl} answers and has ${server.model}` }
    : { name, state: 'note', text: `${baseUrl} answers and does not list ${server.model}` };
}
