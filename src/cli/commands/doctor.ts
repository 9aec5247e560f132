/** `goalgraph doctor`: what of this machine and its configuration a run can count on. Changes nothing. */

import { readConfig } from '../config.ts';
import { complain, visible, type Context } from '../context.ts';
import { examineBase, examineConfigured, type Finding } from '../doctor/examine.ts';
import { settingsOf } from '../doctor/settings.ts';
import { EXIT } from '../exit.ts';
import { safeJson } from '../safe-json.ts';
import { secretsOf } from '../secrets.ts';
import { maskSecrets } from '../../os/mask.ts';
import { workspaceHere } from '../workspace.ts';

export interface DoctorOptions {
  /** Whether to ask the models' endpoints, too. */
  readonly online: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export async function doctor(context: Context, options: DoctorOptions): Promise<number> {
  const { env = process.env } = options;
  const workspace = workspaceHere(context.dir);
  if (!workspace.ok) return complain(context, workspace.fault);
  const findings: Finding[] = [...examineBase(workspace.value)];
  const config = readConfig(workspace.value, { env });
  if (config.ok) {
    const spec = { workspace: workspace.value, config: config.value, env, online: options.online };
    findings.push(...(await examineConfigured(spec)));
  } else findings.push({ name: 'configuration', state: 'bad', text: config.fault.message });
  const settings = config.ok ? settingsOf(config.value) : [];
  const secrets = secretsOf(env);
  const told = findings.map((finding) => ({ ...finding, text: maskSecrets(finding.text, secrets) }));
  const isFit = told.every(({ state }) => state !== 'bad');
  const code = isFit ? EXIT.complete : EXIT.infra;
  const { output } = context;
  if (context.json) {
    output.out(safeJson({ ok: isFit, findings: told, settings }));
    return code;
  }
  const { green, yellow, red } = output.palette;
  const marks = { ok: green('ok  '), note: yellow('note'), bad: red('bad ') };
  for (const { name, state, text } of told) output.out(`${marks[state]} ${name}: ${visible(text)}`);
  for (const { name, value, origin } of settings) {
    output.out(`     ${name} = ${visible(maskSecrets(value, secrets))} (${origin})`);
  }
  return code;
}
