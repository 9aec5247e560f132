import { z } from 'zod';
import { fail } from '../contract/fault.ts';
import type { Tool, ToolFault, ToolResult } from '../contract/tool.ts';

export interface ToolSpec<S extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly schema: S;
  readonly run: (args: z.output<S>, signal: AbortSignal) => Promise<ToolResult>;
}

/** Nothing reaches `run` that the schema has not passed. */
export function defineTool<S extends z.ZodType>(spec: ToolSpec<S>): Tool {
  const { name, description, schema } = spec;
  const parameters: Record<string, unknown> = { ...z.toJSONSchema(schema, { io: 'input' }) };
  // Some vendors refuse a keyword they do not know.
  delete parameters['$schema'];
  return {
    name,
    description,
    parameters,
    run: async (args, signal) => {
      const parsed = schema.safeParse(args);
      if (!parsed.success) return fail(argumentsFault(name, parsed.error));
      if (signal.aborted) return fail({ code: 'aborted', message: 'Stopped before it began.' });
      return spec.run(parsed.data, signal);
    },
  };
}

const MOST_FLAWS = 5;

function argumentsFault(tool: string, error: z.ZodError): ToolFault {
  const flaws = error.issues.slice(0, MOST_FLAWS).map(({ path, message }) => {
    const place = path.map(String).join('.').slice(0, 60);
    return place === '' ? message.slice(0, 200) : `${place}: ${message.slice(0, 200)}`;
  });
  return {
    code: 'arguments',
    message: `${tool} was not run. ${flaws.join('; ')}. Call it again as its schema says.`,
  };
}
