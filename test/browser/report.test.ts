/** The HTML report in a real browser: nothing is loaded, nothing is run, and it fits a phone. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { toHtml } from '../../src/cli/report/html.ts';
import { reportData, type ReportData } from '../../src/cli/report/report-data.ts';
import { nodeId } from '../../src/contract/ids.ts';
import { FLOW_REPORTS } from '../cli/report/flow-scenes.ts';
import { REPORTS } from '../cli/report/scenes.ts';
import { checkView, ended, goalOf, planView } from '../support/views.ts';

/** Left where they are, for whoever wants to look: the folder is printed at the end. */
const folder = mkdtempSync(join(tmpdir(), 'goalgraph-browser-'));

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const EVIL =
  '<img src="http://evil.example/x.png" onerror="window.evil=1"></style><script>window.evil=1</script>';
const LONG = 'averylongwordwithoutanyblank'.repeat(12);

/** Every text of it wants out, and is as long as texts are. */
function hostile(): ReportData {
  const deps: Record<string, string[]> = { start: [] };
  for (let i = 0; i < 12; i++) deps[`part-${i}-${LONG.slice(0, 40)}`] = ['start'];
  const texts = {
    title: `${EVIL} ${LONG}`,
    reason: `${EVIL}\x1b[31m\u202e${LONG}\0`,
    command: `${EVIL} ${LONG}`,
  };
  const goal = goalOf({
    round: 2,
    gaps: [
      {
        round: 1,
        from: 'skeptic',
        text: EVIL + LONG,
        state: 'open',
        closedIn: null,
        againIn: null,
        outvoted: null,
      },
    ],
    injections: [EVIL + LONG],
    discovered: [EVIL + LONG],
    summary: EVIL + LONG,
  });
  const checks = [checkView(EVIL + LONG, { exit: 1, tail: `${EVIL}\n${LONG}` })];
  const view = planView(deps, {
    run: {
      status: 'paused',
      why: 'infra',
      detail: EVIL + LONG,
      objective: `${EVIL} ${LONG}\n\n${EVIL}`,
      workspace: `/${LONG}`,
    },
    nodes: { start: { ...texts, status: 'failed', work: ended({ exit: 1, tail: EVIL }), goal, checks } },
  });
  const file = { path: `${EVIL}/${LONG}`, from: null, change: 'changed' as const, added: 1, removed: 2 };
  return reportData({
    view,
    events: [],
    diffs: { total: [file], nodes: new Map([[nodeId('start'), [file]]]), missing: null },
  });
}

const PAGES: Readonly<Record<string, ReportData>> = { ...REPORTS, ...FLOW_REPORTS, hostile: hostile() };

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGS });
});
afterAll(async () => {
  await browser.close();
  process.stdout.write(`screenshots: ${folder}\n`);
});

interface Opened {
  readonly page: Page;
  /** What the page wanted besides itself, and what it complained of. */
  readonly odd: readonly string[];
  readonly close: () => Promise<void>;
}

async function open(name: string, look: { width: number; colorScheme: 'light' | 'dark' }): Promise<Opened> {
  const data = PAGES[name];
  if (!data) throw new Error(name);
  const file = join(folder, `${name}.html`);
  writeFileSync(file, toHtml(data));
  const { width, colorScheme } = look;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  const odd: string[] = [];
  page.on('console', (message) => odd.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => odd.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    odd.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== url) odd.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, odd, close: () => context.close() };
}

const WIDTHS = [
  { width: 1200, colorScheme: 'light' },
  { width: 1200, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

describe.each(Object.keys(PAGES))('the report "%s"', (name) => {
  test.each(WIDTHS)('at $width pixels, $colorScheme', async (look) => {
    const { page, odd, close } = await open(name, look);
    // As a string: this project's types know of no browser.
    await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    await page.screenshot({
      path: join(folder, `${name}-${look.width}-${look.colorScheme}.png`),
      fullPage: true,
    });
    expect(odd).toEqual([]);
    expect(wide).toBeLessThanOrEqual(look.width);
    await close();
  });

  test('has nothing in it that could load, run or lead away', async () => {
    const { page, close } = await open(name, WIDTHS[0]);
    const found = await page.evaluate<string[]>(
      '[...document.querySelectorAll("script,img,iframe,object,embed,link,a,form,base,video,audio,use,image")].map((each) => each.outerHTML)',
    );
    const handlers = await page.evaluate<string[]>(
      '[...document.querySelectorAll("*")].flatMap((each) => [...each.attributes]).map(({ name }) => name).filter((name) => /^on|href|src/.test(name))',
    );
    expect(found).toEqual([]);
    expect(handlers).toEqual([]);
    expect(await page.evaluate('window.evil')).toBeUndefined();
    expect(await page.evaluate('document.styleSheets.length')).toBe(1);
    await close();
  });

  test('would stop what got in all the same', async () => {
    let asked = 0;
    // The browser tells of requests that it does not send, too: whether one arrives is what counts.
    const server = createServer((_, response) => {
      asked++;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { page, close } = await open(name, WIDTHS[0]);
    const ran = await page.evaluate(`new Promise((done) => {
      const script = document.createElement('script');
      script.textContent = 'window.evil = 1';
      document.body.append(script);
      const image = new Image();
      image.onload = image.onerror = () => done(window.evil !== undefined);
      image.src = 'http://127.0.0.1:${port}/x.png';
    })`);
    expect({ ran, asked }).toEqual({ ran: false, asked: 0 });
    await close();
    server.close();
  });

  test('says what is what to those who do not see it', async () => {
    const { page, close } = await open(name, WIDTHS[0]);
    expect(await page.evaluate('document.querySelectorAll("h1").length')).toBe(1);
    const bare = await page.evaluate(
      '[...document.querySelectorAll("th")].filter((each) => !each.scope).length',
    );
    expect(bare).toBe(0);
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await close();
  });

  test('can be printed', async () => {
    const { page, close } = await open(name, WIDTHS[0]);
    const pdf = await page.pdf({ path: join(folder, `${name}.pdf`), format: 'A4' });
    expect(pdf.length).toBeGreaterThan(10_000);
    await close();
  });
});
