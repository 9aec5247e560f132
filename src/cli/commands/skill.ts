/** Skills that are installed, and one of instructions as the objective of a goal: worked on and verified as any other. */

import { complain, visible, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { findSkill, skillsHere } from '../flow-source.ts';
import { screenOf } from '../output.ts';
import { clip, pad, plain, width } from '../render/text.ts';
import { safeJson } from '../safe-json.ts';
import type { FoundSkill } from '../skills.ts';
import { graph, type GraphOptions } from './graph.ts';

/** `skillDirs`: instead of the usual folders; empty for those. */
export async function listSkills(context: Context, skillDirs: readonly string[]): Promise<number> {
  const found = await skillsHere(context, skillDirs);
  if (!found.ok) return complain(context, found.fault);
  const { output, json } = context;
  const { skills, warnings } = found.value;
  const typeOf = (flow: unknown) => (flow === null ? 'standard' : 'flow');
  if (json) {
    for (const { name, description, flow, scope, path } of skills) {
      output.out(safeJson({ name, type: typeOf(flow), scope, path, description }));
    }
    for (const { message } of warnings) output.out(safeJson({ warning: message }));
    return EXIT.complete;
  }
  const { columns, ascii } = screenOf(output);
  const longest = Math.max(0, ...skills.map(({ name }) => width(plain(name, ascii))));
  for (const { name, description, flow, scope, path } of skills) {
    const words = `${pad(plain(name, ascii), longest)}  ${pad(typeOf(flow), 8)}  ${pad(scope, 7)}  ${plain(description, ascii)}`;
    output.out(clip(words, columns, ascii));
    output.out(output.palette.dim(clip(`    ${plain(path, ascii)}`, columns, ascii)));
  }
  if (skills.length === 0) output.out('No skills are installed for this workspace.');
  for (const { message } of warnings) output.err(`${output.palette.yellow('warning:')} ${visible(message)}`);
  return EXIT.complete;
}

export async function skill(
  context: Context,
  { name, args }: { readonly name: string; readonly args: readonly string[] },
  options: GraphOptions & { readonly skillDirs: readonly string[] },
): Promise<number> {
  const found = await findSkill(context, name, { instead: options.skillDirs, flowsOnly: false });
  if (!found.ok) return complain(context, found.fault);
  return graph(context, objectiveOf(found.value, args.join(' ').trim()), { ...options, single: true });
}

/** Its first line is the title that people see. */
function objectiveOf({ name, description, body }: FoundSkill, asked: string): string {
  const head = `Skill ${name}: ${description}`;
  const request = asked === '' ? [] : [`# What the person asks for\n\n${asked}`];
  return [head, body, ...request].join('\n\n');
}
