/** How a run is shown while this process drives it: a live area on a terminal, one line an event elsewhere, or JSON. */

import type { Plan } from '../contract/plan.ts';
import type { StoredEvent } from '../contract/ports.ts';
import type { RunView } from '../contract/view.ts';
import { screenOf, type Output } from './output.ts';
import { safeJson } from './safe-json.ts';
import { endTable } from './render/end-table.ts';
import { eventLines } from './render/event-line.ts';
import { namesOf, type EventNames } from './render/event-told.ts';
import { liveArea } from './render/live-area.ts';
import { liveLines } from './render/live.ts';
import type { Screen } from './render/screen.ts';

export interface Presenter {
  stored(events: readonly StoredEvent[], view: () => RunView): void;
  /** A line from the command itself, for the person. */
  say(line: string): void;
  end(view: RunView): void;
  /** Ends the show without a result: what went wrong is said by others. */
  close(): void;
}

/** The lines that show a plan before it runs. */
export type Preview = (plan: Plan, budget: number | null, screen: Screen) => readonly string[];

export interface Presenting {
  readonly output: Output;
  readonly json: boolean;
  /** Null where no model makes plans. */
  readonly preview: Preview | null;
}

export function makePresenter({ output, json, preview }: Presenting): Presenter {
  if (json) return jsonPresenter(output);
  return output.isTerminal ? livePresenter(output, preview) : linePresenter(output, preview);
}

/** A stored event, one a line, as every `--json` shows it. */
export function jsonLine({ version, event }: StoredEvent): string {
  return safeJson({ version, ...event });
}

function jsonPresenter(output: Output): Presenter {
  return {
    stored: (events) => events.forEach((stored) => output.out(jsonLine(stored))),
    say: (line) => output.err(line),
    end: () => undefined,
    close: () => undefined,
  };
}

function linePresenter(output: Output, preview: Preview | null): Presenter {
  const lines = linesOf(output, preview);
  return {
    stored: (events, view) => lines(events, view).forEach((line) => output.out(line)),
    say: (line) => output.err(line),
    end: (view) => output.out(['', ...endTable(view, screenOf(output))].join('\n')),
    close: () => undefined,
  };
}

/** Milliseconds between repaints: elapsed times move, and a burst of events paints once. */
const REPAINT = 100;

function livePresenter(output: Output, preview: Preview | null): Presenter {
  const area = liveArea(output);
  const lines = linesOf(output, preview);
  let view: (() => RunView) | null = null;
  const paint = () => {
    if (view) area.paint(liveLines(view(), { ...screenOf(output), rows: output.rows() }));
  };
  const timer = setInterval(paint, REPAINT);
  timer.unref();
  const close = () => {
    clearInterval(timer);
    area.clear();
  };
  return {
    stored(events, next) {
      view = next;
      // What goes on in a conversation is in the live area itself.
      const news = events.filter(({ event }) => !('session' in event));
      for (const line of lines(news, next)) area.above(line);
    },
    say: (line) => area.above(line),
    close,
    end(last) {
      close();
      output.out(endTable(last, screenOf(output)).join('\n'));
    },
  };
}

/** The lines that stay of what was stored. */
export function linesOf(output: Output, preview: Preview | null) {
  let names: EventNames | null = null;
  return (events: readonly StoredEvent[], view: () => RunView): readonly string[] => {
    for (const { event } of events) {
      if (RENAMES.has(event.type)) names = null;
    }
    const known = (names ??= namesOf(view()));
    return events.flatMap(({ event }) => {
      const told = eventLines(event, known, { ...screenOf(output), time: localTime });
      if (event.type !== 'run.planned' || !preview) return told;
      return [...told, '', ...preview(event.plan, view().limits.tokens, screenOf(output)), ''];
    });
  };
}

/** After these, nodes or models may have other names. */
const RENAMES: ReadonlySet<string> = new Set(['node.edited', 'run.planned', 'run.resumed']);

function localTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}
