/** From a question that was typed to its answer: the run as it stands, the model it has, and what may be looked at. */

import { existsSync, realpathSync } from 'node:fs';
import picocolors from 'picocolors';
import { z } from 'zod';
import { formatTokens } from '../../contract/amount.ts';
import { fail, ok, type Result } from '../../contract/fault.ts';
import type { Message, ModelEvent } from '../../contract/model.ts';
import type { ModelSettings } from '../../contract/settings.ts';
import type { Tool } from '../../contract/tool.ts';
import { openAccount, type AccountState } from '../../engine/account.ts';
import type { LoadedRun } from '../../engine/load.ts';
import { guidePacket } from '../../engine/prompts/guide.ts';
import { answerQuestion, questionRoom, type QuestionEnd } from '../../engine/question.ts';
import { shortened } from '../../engine/session-talk.ts';
import { maskSecrets } from '../../os/mask.ts';
import { readFiles } from '../../os/shadow-git.ts';
import { journalFile } from '../../store/open.ts';
import { defineTool } from '../../tool/define.ts';
import { globTool } from '../../tool/glob.ts';
import { grepTool } from '../../tool/grep.ts';
import { readTool } from '../../tool/read.ts';
import { makePlace } from '../../tool/resolve.ts';
import { openCeilings, spendFile } from '../ceilings.ts';
import { log } from '../commands/log.ts';
import { readConfig, type Config } from '../config.ts';
import type { Context } from '../context.ts';
import { claim } from '../owner.ts';
import { changedModels, keyVariables, openModels, settleModels } from '../models.ts';
import { realClock } from '../real-clock.ts';
import { gatherReport } from '../report/make-report.ts';
import { toMarkdown } from '../report/markdown.ts';
import { secretsOf } from '../secrets.ts';
import { loadChosen, withReader } from '../session.ts';
import { workspaceHere } from '../workspace.ts';
import type { Mask } from './gather.ts';
import type { Asked, Exchange } from './questions.ts';

export interface AnswerHere {
  readonly context: Context;
  readonly asked: Asked;
  readonly question: string;
  /** As `/model` has chosen; null: the run's own. */
  readonly chosenModel: string | null;
  readonly heard: (event: ModelEvent, mask: Mask) => void;
  readonly signal: AbortSignal;
}

export async function answerHere(asking: AnswerHere): Promise<Result<QuestionEnd>> {
  const { context, asked, question, chosenModel, heard, signal } = asking;
  const workspace = workspaceHere(context.dir);
  if (!workspace.ok) return workspace;
  const read = readConfig(workspace.value);
  if (!read.ok) return read;
  const config = read.value;
  const { stateDir } = config;
  // Who is asked, with which key, is what the journal says: it must be the person's own, as for going on with a run.
  const own = existsSync(journalFile(stateDir))
    ? claim({ stateDir, trust: context.trust ?? false, env: process.env })
    : ok(null);
  if (!own.ok) return own;
  const run = await standingRun(context, workspace.value, stateDir);
  if (!run.ok) return run;
  const { loaded, report } = run.value;
  const settings = await modelsFor(loaded.state.graph.context.models, chosenModel, {
    config,
    dir: context.dir,
  });
  if (!settings.ok) return settings;
  const models = await openModels(settings.value, { config, env: process.env, look: false, begun: true });
  if (!models.ok) return models;
  const above = {
    limits: config.limits,
    settings: settings.value,
    file: spendFile(process.env),
    clock: realClock,
  };
  const ceilings = openCeilings(above);
  if (!ceilings.ok) return ceilings;
  const secrets = secretsOf(process.env, keyVariables(config));
  const mask = (text: string) => maskSecrets(text, secrets);
  const slugs = loaded.state.graph.context.plan?.nodes.map(({ slug }) => slug) ?? [];
  const { worker } = models.value;
  const room = Math.floor(questionRoom(worker.window) * REPORT_SHARE * CHARACTERS);
  const packet = guidePacket({ nodes: slugs, report, question, room });
  asked.account ??= openAccount(config.questions, usedUp);
  asked.count += 1;
  return ok(
    await answerQuestion(
      {
        role: worker,
        tools: await toolsFor(
          { ...context, run: loaded.created.run },
          { root: realpathSync(workspace.value), stateDir, room },
        ),
        account: asked.account,
        ceilings: ceilings.value,
        run: loaded.created.run,
        number: asked.count,
        messages: [...asked.exchanges.flatMap(messagesOf), { role: 'user', text: packet }],
        clock: realClock,
        random: Math.random,
        mask,
        progress: (event) => heard(event, mask),
      },
      signal,
    ),
  );
}

/** Of a window, for the report; of a token, in characters. */
const REPORT_SHARE = 0.3;
const CHARACTERS = 3;

function usedUp({ limit, spent }: AccountState, need: number): string {
  return `This question needs ${formatTokens(need)} tokens at least, and ${formatTokens(limit - spent)} are left of the ${formatTokens(limit)} that those of one shell may cost: set "questions" in your own configuration higher.`;
}

interface StandingRun {
  readonly loaded: LoadedRun;
  /** Markdown. */
  readonly report: string;
}

async function standingRun(
  { run }: Context,
  workspace: string,
  stateDir: string,
): Promise<Result<StandingRun>> {
  return withReader(workspace, async (reader) => {
    const loaded = await loadChosen(reader.log, run);
    if (!loaded.ok) return loaded;
    const data = await gatherReport(loaded.value, { stateDir, env: process.env });
    return ok({ loaded: loaded.value, report: toMarkdown(data) });
  });
}

/** Those of the run, unless others were chosen in this shell; those of the configuration where it has none. */
function modelsFor(
  own: ModelSettings | null,
  chosen: string | null,
  { config, dir }: { readonly config: Config; readonly dir: string | null },
): Promise<Result<ModelSettings>> {
  const how = { dir, priced: false };
  if (own === null) return settleModels({ ...config, model: chosen ?? config.model }, how);
  return changedModels(own, chosen === null ? {} : { model: chosen }, { config, ...how });
}

/** Characters of earlier questions and answers that are sent again. */
const EARLIER = 4_000;

function messagesOf({ question, answer }: Exchange): readonly Message[] {
  return [
    { role: 'user', text: shortened(question, EARLIER) },
    { role: 'assistant', text: shortened(answer, EARLIER), reasoning: null, calls: [] },
  ];
}

interface Place {
  readonly root: string;
  readonly stateDir: string;
  /** Characters that a log may take. */
  readonly room: number;
}

async function toolsFor(context: Context, { root, stateDir, room }: Place): Promise<readonly Tool[]> {
  const place = await makePlace({ root, stateDir, mayWrite: () => false });
  const options = { root, stateDir, env: process.env };
  const known = await readFiles(options);
  const listing = { place, files: async () => withNone(await readFiles(options)) };
  const searching = known.ok && known.value !== null ? [grepTool(listing), globTool(listing)] : [];
  return [readTool(place), ...searching, logTool(context, room)];
}

function withNone(files: Awaited<ReturnType<typeof readFiles>>) {
  return files.ok ? ok(files.value ?? []) : files;
}

/** Characters of a log that are shown at once. */
const LOG = 32_000;

function logTool(context: Context, room: number): Tool {
  return defineTool({
    name: 'log',
    description:
      'Shows what a node did: its rounds, tool calls, claims, checks and votes with their output. Of a long log it shows the beginning and the end.',
    schema: z.strictObject({
      node: z.string().min(1).describe('The name of the node; "planner" for whoever made the plan.'),
      full: z.boolean().optional().describe('All texts in full length.'),
    }),
    run: async ({ node, full = false }) => {
      const lines: string[] = [];
      const keep = (text: string) => void lines.push(text);
      const palette = picocolors.createColors(false);
      const output = { ...context.output, out: keep, err: keep, columns: () => Infinity, palette };
      const code = await log({ ...context, output, json: false }, node, { full });
      const text = shortened(lines.join('\n'), Math.min(LOG, room));
      if (code !== 0) return fail({ code: 'not_found', message: text });
      return ok({ forModel: text === '' ? '[nothing yet]' : text, forPerson: `log ${node}` });
    },
  });
}
