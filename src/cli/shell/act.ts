/** What the shell does for a line. A run goes on in the background; everything else is over when its promise is. */

import type { Request } from '../../contract/request.ts';
import type { RunView } from '../../contract/view.ts';
import { branchMeant } from '../../graph/branch.ts';
import { oneLineLabel } from '../../contract/flow.ts';
import { never } from '../../contract/never.ts';
import { complain, visible, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { addedFrom, limitsFrom, modelFlags, unwatchedFrom } from '../options.ts';
import type { Output } from '../output.ts';
import { branchesOf } from './branches.ts';
import { readFlags, type Flags } from './flags.ts';
import type { Jobs } from './jobs.ts';
import { act as actCommand } from './look.ts';
import { nearest } from './near.ts';
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
  /** The run that was seen last; null before there is one. */
  readonly here: () => RunView | null;
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
      return said(line.text, acting);
    case 'start':
    case 'flow':
    case 'skill':
    case 'verb':
    case 'command': {
      const flags = readFlags(line.options);
      return flags.ok ? actWith(line, flags.value, acting) : complain(context, flags.fault);
    }
    default:
      return never(line);
  }
}

/** Where a flow decides, a branch may be typed as it stands; letter for letter it comes first: one may be called STOP. */
function said(text: string, acting: Acting): Promise<number> {
  const labels = branchesOf(acting.here());
  const branch = branchMeant(text, labels);
  const stops = asksToStop(text);
  if (branch !== null && (branch === text || !stops)) return request(acting, choice(branch, acting));
  if (stops) return stopAll(acting);
  const meant = nearest(oneLineLabel(text), labels.map(oneLineLabel));
  if (meant !== null) {
    const message = `Did you mean the branch ${meant}? Type it as it is; if this is a question to the model, say it in more words.`;
    return Promise.resolve(complain(acting.context, { code: 'usage', message }));
  }
  return acting.questions.ask(text, acting.chosen.model);
}

type Flagged = Extract<Line, { type: 'start' | 'flow' | 'skill' | 'verb' | 'command' }>;

function actWith(line: Flagged, flags: Flags, acting: Acting): Promise<number> | number {
  switch (line.type) {
    case 'start':
      return start(line, flags, acting);
    case 'flow':
    case 'skill':
      return follow(line, flags, acting);
    case 'command':
      return line.command === 'choose'
        ? request(acting, choice(line.argument ?? '', acting))
        : actCommand(line.command, { argument: line.argument, flags, acting });
    case 'verb':
      return verb(line, flags, acting);
    default:
      return never(line);
  }
}

/** What goes past the lines that still wait for their turn: whoever steers a run must not wait for a long list. */
export function isUrgent(line: Line): boolean {
  if (line.type === 'text') return true;
  if (line.type === 'command') return ['quit', 'watch', 'choose'].includes(line.command);
  return line.type === 'verb' && !['status', 'show', 'export'].includes(line.verb);
}

export const PAUSE: Request = { type: 'pause', by: 'in the shell' };

/** All that costs: the question that is being answered, and the run, wherever it is driven. */
async function stopAll(acting: Acting): Promise<number> {
  const dropped = acting.questions.stop();
  const status = acting.here()?.status;
  const goesOn = acting.jobs.isBusy() || status === 'running' || status === 'planning';
  return dropped && !goesOn ? EXIT.complete : request(acting, PAUSE);
}

/** For the step where the flow stands now: if it has gone on before this is heard, nothing is chosen. */
function choice(branch: string, { here }: Acting): Request {
  return { type: 'choose', branch, step: here()?.flow?.at ?? null };
}

type Start = Extract<Line, { type: 'start' }>;

function start({ single, objective }: Start, flags: Flags, acting: Acting): number {
  const { context, jobs } = acting;
  const options = startOptions(flags, acting);
  const begun = jobs.start(async () => {
    const { maxRalphIterations: iterations = 0 } = flags;
    if (iterations !== 0) {
      const { ralph } = await import('../commands/flow.ts');
      return ralph(context, { task: objective, iterations }, options);
    }
    const { graph } = await import('../commands/graph.ts');
    const { concurrency = null, approve = false } = flags;
    return graph(context, objective, { ...options, single, concurrency, approve });
  });
  return begun ? EXIT.complete : complain(context, { code: 'run_open', message: BUSY });
}

function startOptions(flags: Flags, { chosen }: Acting) {
  const limits = limitsFrom(flags);
  const models = modelFlags(flags);
  return {
    limits: { ...limits, tokens: flags.budget === false ? null : (limits.tokens ?? chosen.tokens) },
    flags: chosen.model !== null ? { model: chosen.model, ...models } : models,
    look: !flags.skipLook,
    unwatched: unwatchedFrom(flags),
  };
}

/** A flow, or a goal by the instructions of a skill. */
function follow(
  { type, name, text }: Extract<Line, { type: 'flow' | 'skill' }>,
  flags: Flags,
  acting: Acting,
): number {
  const { context, jobs } = acting;
  const common = { ...startOptions(flags, acting), skillDirs: [] };
  const args = text === '' ? [] : [text];
  const begun = jobs.start(async () => {
    if (type === 'skill') {
      const { skill } = await import('../commands/skill.ts');
      const single = { single: true, concurrency: flags.concurrency ?? null, approve: false };
      return skill(context, { name, args }, { ...common, ...single });
    }
    const { flow } = await import('../commands/flow.ts');
    const maxMoves = flags.maxMoves ?? null;
    return flow(context, { verb: 'run', name, args }, { ...common, maxMoves, format: 'mermaid' });
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
          add: addedFrom(flags),
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
