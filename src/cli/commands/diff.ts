/** `goalgraph diff [NODE]`: what a model's node has changed since its base, or all of the run since the first base. */

import { fail, ok, type Result } from '../../contract/fault.ts';
import { patchBetween } from '../../os/shadow-git-patch.ts';
import { readConfig } from '../config.ts';
import { complain, visible, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { spansOf, type Span } from '../report/spans.ts';
import { safeJson } from '../safe-json.ts';
import { workspaceHere } from '../workspace.ts';
import { look } from './look.ts';

export function diff(context: Context, name: string | null): Promise<number> {
  return look(context, async ({ loaded, view }) => {
    const node = view.nodes.find(({ id, slug }) => id === name || slug === name);
    if (name !== null && !node) {
      const message = `Run ${view.run} has no node ${name}: goalgraph status lists them.`;
      return complain(context, { code: 'usage', message });
    }
    const { total, nodes } = spansOf(loaded.events);
    const span = node ? nodes.get(node.id) : total;
    if (!span) {
      const message = `No model has worked on ${name ?? 'this run'} yet, so nothing is kept of what changed.`;
      return complain(context, { code: 'usage', message });
    }
    const patch = await patchOf(context, span);
    if (!patch.ok) return complain(context, patch.fault);
    show(context, span, patch.value);
    return EXIT.complete;
  });
}

async function patchOf(context: Context, { base, tree }: Span): Promise<Result<Buffer>> {
  const workspace = workspaceHere(context.dir);
  if (!workspace.ok) return workspace;
  const config = readConfig(workspace.value);
  if (!config.ok) return config;
  const patch = await patchBetween({ stateDir: config.value.stateDir, env: process.env }, base, tree);
  return patch.ok ? ok(patch.value) : fail({ code: 'store_io', message: patch.fault.message });
}

/** Byte for byte where a program reads it; as visible text where a person does. */
function show({ output, json }: Context, span: Span, patch: Buffer): void {
  if (json) output.out(safeJson({ ...span, patch: patch.toString('utf8') }));
  else if (output.isTerminal) output.out(visible(patch.toString('utf8')));
  else output.write(patch);
}
