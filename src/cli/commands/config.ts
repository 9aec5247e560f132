/** `goalgraph config show`: every setting, its value and where it comes from. */

import { readConfig } from '../config.ts';
import { lookAtCeilings } from '../ceilings.ts';
import { complain, visible, type Context } from '../context.ts';
import { countedText } from '../doctor/ceilings.ts';
import { settingsOf } from '../doctor/settings.ts';
import { pad } from '../render/text.ts';
import { safeJson } from '../safe-json.ts';
import { workspaceHere } from '../workspace.ts';

export function showConfig(context: Context): number {
  const workspace = workspaceHere(context.dir);
  if (!workspace.ok) return complain(context, workspace.fault);
  const config = readConfig(workspace.value);
  if (!config.ok) return complain(context, config.fault);
  const settings = settingsOf(config.value);
  const ceilings = lookAtCeilings(config.value, { env: process.env, now: Date.now() });
  const { output, json } = context;
  if (json) {
    const { files } = config.value;
    const counted = ceilings.ok ? ceilings.value : null;
    output.out(safeJson({ workspace: workspace.value, files, settings, ceilings: counted }));
    return ceilings.ok ? 0 : complain(context, ceilings.fault);
  }
  const longest = Math.max(...settings.map(({ name }) => name.length));
  for (const { name, value, origin } of settings) {
    output.out(`${pad(name, longest)}  ${visible(value)}  ${output.palette.dim(`(${origin})`)}`);
  }
  for (const counted of ceilings.ok ? ceilings.value : []) {
    const ceiling = config.value.limits[counted.which];
    output.out(`Of the ceiling of the ${counted.which}: ${countedText(ceiling, counted)}.`);
  }
  const { files } = config.value;
  output.out(
    files.length === 0 ? 'No configuration file is there.' : `Read: ${files.map(visible).join(', ')}`,
  );
  return ceilings.ok ? 0 : complain(context, ceilings.fault);
}
