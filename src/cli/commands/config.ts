/** `goalgraph config show`: every setting, its value and where it comes from. */

import { readConfig } from '../config.ts';
import { complain, visible, type Context } from '../context.ts';
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
  const { output, json } = context;
  if (json) {
    output.out(safeJson({ workspace: workspace.value, files: config.value.files, settings }));
    return 0;
  }
  const longest = Math.max(...settings.map(({ name }) => name.length));
  for (const { name, value, origin } of settings) {
    output.out(`${pad(name, longest)}  ${visible(value)}  ${output.palette.dim(`(${origin})`)}`);
  }
  const { files } = config.value;
  output.out(
    files.length === 0 ? 'No configuration file is there.' : `Read: ${files.map(visible).join(', ')}`,
  );
  return 0;
}
