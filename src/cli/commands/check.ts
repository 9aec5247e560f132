/** `goalgraph check FILE`: the gate alone. */

import { resolve } from 'node:path';
import { planFacts } from '../../graph/facts.ts';
import { complain, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { gateFile } from '../plan-file.ts';
import { firstLine, plain } from '../render/text.ts';
import { safeJson } from '../safe-json.ts';
import { workspaceOfPlan } from '../workspace.ts';

/** `byModel`: whether a model is to work on nodes without a command. */
export async function check(context: Context, file: string, byModel: boolean): Promise<number> {
  const path = resolve(context.dir ?? '.', file);
  const gated = await gateFile(context, { name: file, path, byModel });
  if (!gated.ok) return gated.fault;
  const { plan, warnings } = gated.value;
  const workspace = workspaceOfPlan({ file: path, workspace: plan.workspace, dir: context.dir });
  if (!workspace.ok) return complain(context, workspace.fault);
  const { order, width, criticalPath } = planFacts(plan);
  const slugs = new Map(plan.nodes.map(({ id, slug }) => [id, slug]));
  const names = (ids: typeof order) => ids.map((id) => slugs.get(id) ?? id);
  const { output } = context;
  if (context.json) {
    const facts = { order: names(order), width, criticalPath: names(criticalPath) };
    output.out(safeJson({ hash: plan.hash, ...facts, warnings }));
    return EXIT.complete;
  }
  output.out(`${plain(firstLine(plan.objective))} (plan ${plan.hash})`);
  output.out(`order: ${names(order).join(', ')}`);
  output.out(`width: ${width}`);
  output.out(
    `critical path: ${names(criticalPath).join(' → ')} (${criticalPath.length} ${criticalPath.length === 1 ? 'node' : 'nodes'})`,
  );
  return EXIT.complete;
}
