import { z } from 'zod';
import { fail, ok } from '../contract/fault.ts';
import type { Tool, ToolResult } from '../contract/tool.ts';
import { defineTool } from './define.ts';

export interface SkillText {
  readonly name: string;
  /** Its main file, whole. */
  readonly text: string;
  /** Where the other files are that it may speak of. */
  readonly folder: string;
}

/** Characters that one call shows. */
const MOST_TEXT = 48_000;

/** Reads skills, wherever they are installed: the other tools do not leave the workspace. */
export function skillTool(skills: readonly SkillText[]): Tool {
  return defineTool({
    name: 'skill',
    description: 'Shows the instructions of an installed skill. Read it whole before you follow it.',
    schema: z.strictObject({
      name: z.string().min(1).describe('Name of the skill.'),
      offset: z.int().min(0).optional().describe('Characters to leave out at the beginning.'),
    }),
    run: ({ name, offset = 0 }) => Promise.resolve(show(skills, name, offset)),
  });
}

function show(skills: readonly SkillText[], name: string, offset: number): ToolResult {
  const skill = skills.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (skill === undefined) {
    const names = skills.map((one) => one.name).join(', ');
    return fail({ code: 'not_found', message: `There is no such skill. The skills are: ${names}.` });
  }
  const text = skill.text.slice(offset, offset + MOST_TEXT);
  const left = skill.text.length - offset - text.length;
  const more = left > 0 ? `\n[${left} characters are left: read with offset ${offset + MOST_TEXT}]` : '';
  return ok({
    forModel: `Its folder: ${skill.folder}\n\n${text}${more}`,
    forPerson: `read the skill ${skill.name}`,
  });
}
