/** The nodes, one by one: why each ended as it did, what was found, how it was checked, what it changed. */

import { formatDuration } from '../../contract/amount.ts';
import { counted } from '../render/event-told.ts';
import { fateWords, isUnanimous, voteWords } from '../render/vote-words.ts';
import { CAPS, cutTail, cutText, some, someNodes } from './caps.ts';
import type { GapReport } from './gap-report.ts';
import { fileTable, linesHtmlOf, moreHtml, outputHtml, section, statusTag, textList } from './html-parts.ts';
import { html, NOTHING, type Html } from './html-text.ts';
import { endWords, isTold, type CheckReport, type GoalReport, type NodeReport } from './node-report.ts';
import { listed, nodeFacts } from './node-facts.ts';

export function nodeSections(nodes: readonly NodeReport[]): Html {
  const { shown, more } = someNodes(nodes.filter(isTold), CAPS.details);
  if (shown.length === 0) return NOTHING;
  const body = html`${shown.map(article)}${moreHtml(more, ' nodes: goalgraph log NODE tells of each')}`;
  return section('Node by node', body);
}

function article(node: NodeReport): Html {
  const { goal, slug, title } = node;
  const name = title.trim() === '' || title === slug ? NOTHING : html` <span class="dim">${title}</span>`;
  const reason = node.reason === null ? NOTHING : html`<p>${cutText(node.reason, CAPS.text)}</p>`;
  return html`<article>
    <header>
      <h3><span class="mono">${slug}</span>${name}</h3>
      ${statusTag(node)}
    </header>
    <p class="dim">${nodeFacts(node).join(' · ')}</p>
    ${reason}
    ${goal === null ? NOTHING : goalParts(goal)}${commandPart(node)}${checkPart(node)}${filePart(node)}
  </article> `;
}

function goalParts({ summary, gaps, votes, injections, discovered, patch }: GoalReport): Html {
  const said =
    summary === null || summary.trim() === ''
      ? NOTHING
      : html`<h4>What its worker says</h4>
          <p>${cutText(summary, CAPS.text)}</p>`;
  const some20 = { most: CAPS.texts, each: CAPS.text };
  return html`${said}${gapPart(gaps)}${panelPart(votes)}${
    injections.length === 0
      ? NOTHING
      : html`<h4>Something tried to talk a skeptic into a verdict</h4>
          <div class="gap bad">${textList(injections, some20)}</div>`
  }${
    discovered.length === 0
      ? NOTHING
      : html`<h4>Work found on the way, not done</h4>
          ${textList(discovered, some20)}`
  }${patch === null ? NOTHING : html`<p class="dim">Work that was cut is kept as patch <code>${patch}</code></p>`}`;
}

/** The panel did not agree about an outvoted gap; one without a fate was not judged again. */
function fateTone({ state, closedIn, againIn }: GapReport): { readonly tone: string; readonly sign: string } {
  if (state === 'outvoted' || againIn !== null) return { tone: 'warn', sign: '!' };
  if (closedIn !== null) return { tone: 'good', sign: '✓' };
  return state === 'open' ? { tone: 'bad', sign: '✗' } : { tone: 'calm', sign: '?' };
}

function panelPart(votes: GoalReport['votes']): Html {
  if (votes.length === 0) return NOTHING;
  const tone = isUnanimous({ votes }) ? 'good' : 'warn';
  return html`<h4>Its panel</h4>
    <p><span class="tag ${tone}">${voteWords({ votes }, false)}</span></p>`;
}

function gapPart(gaps: readonly GapReport[]): Html {
  if (gaps.length === 0) return NOTHING;
  const { shown, more } = some(gaps, CAPS.gaps);
  return html`<h4>Gaps that were found</h4>
    ${shown.map(gapHtml)}${moreHtml(more, ' gaps')}`;
}

function gapHtml(gap: GapReport): Html {
  const { tone, sign } = fateTone(gap);
  const by = gap.by === null ? NOTHING : html`: ${cutText(gap.by, CAPS.text)}`;
  return html`<div class="gap ${tone}">
    <p class="dim">round ${gap.round}, ${gap.from}</p>
    <p>${cutText(gap.text, CAPS.text)}</p>
    <p><span class="tag ${tone}">${sign} ${fateWords(gap)}</span>${by}</p>
  </div>`;
}

function commandPart({ command, work }: NodeReport): Html {
  if (command === null) return NOTHING;
  const line = html`<code>${cutText(command, CAPS.command)}</code>`;
  if (work === null)
    return html`<h4>Command</h4>
      <p>${line}</p>`;
  const good = work.outcome === 'exit' && work.exit === 0;
  const end = html`<span class="tag ${good ? 'good' : 'bad'}">${endWords(work)}</span>`;
  const summary = html`${line} ${end} <span class="dim">${formatDuration(work.ms)}</span>`;
  return html`<h4>Command</h4>
    ${withTail(summary, work.tail, good)}`;
}

/** Open where it says what went wrong. */
function withTail(summary: Html, tail: string, good: boolean): Html {
  if (tail.trim() === '') return html`<p>${summary}</p>`;
  return outputHtml(summary, cutTail(tail, CAPS.tail), !good);
}

function checkPart({ checks }: NodeReport): Html {
  if (checks.length === 0) return NOTHING;
  const { shown, more } = some(checks, CAPS.checks);
  return html`<h4>Checks</h4>
    ${shown.map(checkHtml)}${moreHtml(more, ' checks')}`;
}

const WORD: Readonly<Record<CheckReport['word'], { readonly tone: string; readonly words: string }>> = {
  green: { tone: 'good', words: '✓ green' },
  red: { tone: 'bad', words: '✗ red' },
  reused: { tone: 'good', words: '✓ green before, on this very tree' },
  open: { tone: 'calm', words: 'not run' },
};

function checkHtml({ run, word, ms, exit, tail, restored, from }: CheckReport): Html {
  const { tone, words } = WORD[word];
  const facts = [
    ...(word === 'red' && exit !== null ? [exit] : []),
    ...(ms === null ? [] : [formatDuration(ms)]),
    ...(from.length === 0 ? [] : [`of ${listed(from)}`]),
    ...(restored.length === 0 ? [] : [`with ${listed(restored)} as before the work`]),
  ];
  const line = html`<code>${cutText(run, CAPS.command)}</code> <span class="tag ${tone}">${words}</span>
    <span class="dim">${facts.join(' · ')}</span>`;
  return withTail(line, tail, word !== 'red');
}

function filePart({ diff }: NodeReport): Html {
  if (diff === null || diff.files.length === 0) return NOTHING;
  const head = html`${counted(diff.files.length, 'changed file')} ${linesHtmlOf(diff)}`;
  return html`<h4>Files</h4>
    <details>
      <summary>${head}</summary>
      ${fileTable(diff, CAPS.nodeFiles)}
    </details>`;
}
