/** The nodes in Markdown, one by one. */

import { formatDuration } from '../../contract/amount.ts';
import { fateWords, voteWords } from '../render/vote-words.ts';
import { CAPS, cutTail, cutText, some, someNodes } from './caps.ts';
import type { DiffStat } from './file-report.ts';
import type { GapReport } from './gap-report.ts';
import { code, fenced, moreLine, prose, tableLines } from './markdown-text.ts';
import { endWords, isTold, type CheckReport, type GoalReport, type NodeReport } from './node-report.ts';
import { changeWords, linesWords } from './tables.ts';
import { nodeFacts } from './node-facts.ts';

export function nodeParts(nodes: readonly NodeReport[]): readonly string[] {
  const { shown, more } = someNodes(nodes.filter(isTold), CAPS.details);
  if (shown.length === 0) return [];
  return [
    '',
    '## Node by node',
    ...shown.flatMap(nodePart),
    ...moreLine(more, ' nodes: goalgraph log NODE tells of each'),
  ];
}

function nodePart(node: NodeReport): readonly string[] {
  const { slug, title, status, reason, goal } = node;
  const name = title.trim() === '' || title === slug ? '' : `: ${prose(title)}`;
  const facts = nodeFacts(node);
  return [
    '',
    `### ${code(slug)}${name} (${status})`,
    ...(facts.length === 0 ? [] : ['', prose(facts.join(' · '))]),
    ...(reason === null ? [] : ['', `Why: ${prose(cutText(reason, CAPS.text))}`]),
    ...(goal === null ? [] : goalParts(goal)),
    ...commandPart(node),
    ...checkParts(node.checks),
    ...filePart(node.diff),
  ];
}

function goalParts({ summary, gaps, votes, injections, discovered, patch }: GoalReport): readonly string[] {
  return [
    ...(summary === null || summary.trim() === ''
      ? []
      : ['', `Its worker says: ${prose(cutText(summary, CAPS.text))}`]),
    ...gapParts(gaps),
    ...(votes.length === 0 ? [] : ['', `The panel: ${prose(voteWords({ votes }, false))}`]),
    ...list('Something tried to talk a skeptic into a verdict', injections),
    ...list('Work found on the way, not done', discovered),
    ...(patch === null ? [] : ['', `Work that was cut is kept as patch ${code(patch)}`]),
  ];
}

function gapParts(gaps: readonly GapReport[]): readonly string[] {
  if (gaps.length === 0) return [];
  const { shown, more } = some(gaps, CAPS.gaps);
  const lines = shown.flatMap((gap) => {
    const by = gap.by === null ? '' : `: ${prose(cutText(gap.by, CAPS.text))}`;
    return [
      `- round ${gap.round}, ${gap.from}: ${prose(cutText(gap.text, CAPS.text))}`,
      `  - **${fateWords(gap)}**${by}`,
    ];
  });
  return ['', 'Gaps that were found:', '', ...lines, ...moreLine(more, ' gaps')];
}

function list(head: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  const { shown, more } = some(texts, CAPS.texts);
  const lines = shown.map((text) => `- ${prose(cutText(text, CAPS.text))}`);
  return ['', `${head}:`, '', ...lines, ...moreLine(more, '')];
}

function commandPart({ command, work }: NodeReport): readonly string[] {
  if (command === null) return [];
  const line = `Command: ${code(cutText(command, CAPS.command))}`;
  if (work === null) return ['', line];
  return ['', `${line}, ${prose(endWords(work))}, ${formatDuration(work.ms)}`, ...tail(work.tail, '')];
}

function checkParts(checks: readonly CheckReport[]): readonly string[] {
  if (checks.length === 0) return [];
  const { shown, more } = some(checks, CAPS.checks);
  const lines = shown.flatMap((check, i) => {
    // A list item that ends in a block is followed by a blank line.
    const apart = (shown[i - 1]?.tail ?? '').trim() !== '' ? [''] : [];
    return [...apart, ...checkLines(check)];
  });
  return ['', 'Checks:', '', ...lines, ...moreLine(more, ' checks')];
}

const WORD: Readonly<Record<CheckReport['word'], string>> = {
  green: 'green',
  red: '**red**',
  reused: 'green before, on this very tree',
  open: 'not run',
};

function checkLines({ run, word, ms, exit, tail: output, restored, from }: CheckReport): readonly string[] {
  const facts = [
    WORD[word],
    ...(word === 'red' && exit !== null ? [prose(exit)] : []),
    ...(ms === null ? [] : [formatDuration(ms)]),
    ...(from.length === 0 ? [] : [`of ${prose(from.slice(0, CAPS.texts).join(', '))}`]),
    ...(restored.length === 0
      ? []
      : [`with ${prose(restored.slice(0, CAPS.texts).join(', '))} as before the work`]),
  ];
  return [`- ${code(cutText(run, CAPS.command))}: ${facts.join(', ')}`, ...tail(output, '  ')];
}

function tail(text: string, indent: string): readonly string[] {
  if (text.trim() === '') return [];
  return [
    '',
    ...fenced(
      cutTail(text, CAPS.tail)
        .trimEnd()
        .split(/\r\n|\r|\n/),
      indent,
    ),
  ];
}

function filePart(diff: DiffStat | null): readonly string[] {
  if (diff === null || diff.files.length === 0) return [];
  return ['', `Files, ${linesWords(diff)}:`, '', ...fileTable(diff, CAPS.nodeFiles)];
}

export function fileTable({ files }: DiffStat, most: number): readonly string[] {
  const { shown, more } = some(files, most);
  const rows = shown.map((file) => [
    code(file.path, true),
    prose(changeWords(file)),
    file.added === null ? '' : `+${file.added}`,
    file.removed === null ? '' : `−${file.removed}`,
  ]);
  const heads = ['file', 'change'].map((head) => ({ head, right: false }));
  const counts = ['added', 'removed'].map((head) => ({ head, right: true }));
  return [...tableLines([...heads, ...counts], rows), ...moreLine(more, ' files')];
}
