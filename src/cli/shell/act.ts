/** What the shell does for a line. A run goes on in the background; everything else is over when its promise is. */

import type { Request } from '../../contract/request.ts';
import { never } from '../../contract/never.ts';
import { complain, visible, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { limitsFrom, modelFlags, unwatchedFrom } from '../options.ts';
import type { Output } from '../output.ts';
import { readFlags, type Flags } from './flags.ts';
import type { Jobs } from './jobs.ts';
import { act as actCommand } from './look.ts';
import type { Line } from './parse.ts';
import type { Questions } from './questions.ts';
import { asksToStop } from './stop-words.ts';
import { FORMATS, type VerbName } from './table.ts';
import type { Watch } from './watch.ts';

export interface Acting {
  /** Its output says things in the words of the shell. */
  readonly context: Context;
  /** The same place, with every word as it is. */
  readonly exact: Output;
  readonly jobs: Jobs;
  readonly watch: Watch;
  readonly questions: Questions;
  /** What runs that are started here get unless told otherwise. */
  readonly chosen: { model: string | null; tokens: number | null };
  readonly quit: () => void;
}

/** The exit code that the command would have had. */
export async function act(line: Line, acting: Acting): Promise<number> {
  const { context } = acting;
  switch (line.type) {
    case 'empty':
      return EXIT.complete;
    case 'fault':
      return complain(context, { code: 'usage', message: line.message });
    case 'text':
      if (!asksToStop(line.text)) return acting.questions.ask(line.text, acting.chosen.model);
      return stopAll(acting);
    case 'start':
    case 'verb':
    case 'command': {
      const flags = readFlags(line.options);
      if (!flags.ok) return complain(context, flags.fault);
      if (line.type === 'start') return start(line, flags.value, acting);
      if (line.type === 'command') return actCommand(line, flags.value, acting);
      return verb(line, flags.value, acting);
    }
    default:
      return never(line);
  }
}

/** What goes past the lines that still wait for their turn: whoever steers a run must not wait for a long list. */
export function isUrgent(line: Line): boolean {
  if (line.type === 'text') return true;
  if (line.type === 'command') return line.command === 'quit' || line.command === 'watch';
  return line.type === 'verb' && !['status', 'show', 'export'].includes(line.verb);
}

export const PAUSE: Request = { type: 'pause', by: 'in the shell' };

/** All that costs: the question that is being answered, and the run, wherever it is driven. */
async function stopAll(acting: Acting): Promise<number> {
  const dropped = acting.questions.stop();
  const code = await request(acting, PAUSE);
  // There need not be a run that goes on.
  return dropped ? EXIT.complete : code;
}

type Start = Extract<Line, { type: 'start' }>;

function start({ single, objective }: Start, flags: Flags, acting: Acting): number {
  const { context, jobs, chosen } = acting;
  const limits = limitsFrom(flags);
  const models = modelFlags(flags);
  const begun = jobs.start(async () => {
    const { graph } = await import('../commands/graph.ts');
    return graph(context, objective, {
      single,
      limits: { ...limits, tokens: flags.budget === false ? null : (limits.tokens ?? chosen.tokens) },
      concurrency: flags.concurrency ?? null,
      approve: flags.approve ?? false,
      flags: chosen.model !== null ? { model: chosen.model, ...models } : models,
      look: !flags.skipLook,
      unwatched: unwatchedFrom(flags),
    });
  });
  return begun ? EXIT.complete : complain(context, { code: 'run_open', message: BUSY });
}

const BUSY =
  'A run is going here, and there is one at a time. Pause it: /graph pause. Or give it up: /graph clear';

interface Verb {
  readonly verb: VerbName;
  readonly argument: string | null;
}

async function verb({ verb: name, argument }: Verb, flags: Flags, acting: Acting): Promise<number> {
  const { context, exact } = acting;
  const node = argument ?? '';
  switch (name) {
    case 'status':
      return (await import('../commands/look.ts')).status(context);
    case 'show':
      return (await import('../commands/look.ts')).show(context, { full: flags.full ?? false });
    case 'export': {
      const format = FORMATS.find((known) => known === (argument ?? 'mermaid'));
      const message = `${node} is no notation: there are ${FORMATS.join(', ')}.`;
      if (!format) return complain(context, { code: 'usage', message });
      return (await import('../commands/look.ts')).exportRun({ ...context, output: exact }, format);
    }
    case 'pause':
      return stopAll(acting);
    case 'retry':
    case 'skip':
      return request(acting, { type: name, node });
    case 'clear':
      return request(acting, { type: 'clear' });
    case 'edit': {
      const { editRequest } = await import('../commands/edit.ts');
      const edit = await editRequest(context.dir, node, flags);
      return edit.ok ? request(acting, edit.value) : complain(context, edit.fault);
    }
    case 'approve':
      return goOn(acting, { type: 'approve' }, {});
    case 'resume':
      return goOn(
        acting,
        {
          type: 'resume',
          add: limitsFrom(flags),
          concurrency: flags.concurrency ?? null,
          models: null,
        },
        flags,
      );
    default:
      return never(name);
  }
}

/** At once where the run is driven here; else as any other terminal would ask. */
async function request(acting: Acting, asked: Request): Promise<number> {
  const { context, jobs } = acting;
  if (jobs.isBusy()) {
    const heard = await jobs.ask(asked);
    if (heard.type === 'answer') return answered(context, asked, heard.refused);
    // On its way out: what holds the run is let go first.
    await jobs.ended();
  }
  const { control } = await import('../commands/control.ts');
  return control(context, asked);
}

/** `resume` and `approve`: the run is driven here from then on. */
async function goOn(acting: Acting, asked: Request, flags: Flags): Promise<number> {
  const { context, jobs, chosen } = acting;
  const models = modelFlags(flags);
  const unwatched = unwatchedFrom(flags);
  const isPlain = Object.keys(models).length === 0 && Object.values(unwatched).every((value) => !value);
  if (jobs.isDriving() && isPlain) {
    const heard = await jobs.ask(asked);
    if (heard.type === 'answer') return answered(context, asked, heard.refused);
  }
  await jobs.ended();
  const changed =
    asked.type === 'resume' && chosen.model !== null ? { model: chosen.model, ...models } : models;
  const begun = jobs.start(async () => {
    const { control } = await import('../commands/control.ts');
    return control(context, asked, changed, unwatched);
  });
  return begun ? EXIT.complete : complain(context, { code: 'run_open', message: BUSY });
}

async function answered(context: Context, asked: Request, refused: string | null): Promise<number> {
  if (refused !== null) return complain(context, { code: 'refused', message: refused });
  const { doneWords } = await import('../commands/control.ts');
  context.output.out(visible(doneWords(asked)));
  return EXIT.complete;
}
