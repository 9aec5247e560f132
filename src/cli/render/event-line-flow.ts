/** The moves of a flow, in words. Steps are named by people, choices by models. */

import type { FlowEvent, MoveEnded } from '../../contract/flow-event.ts';
import { never } from '../../contract/never.ts';
import { topLine, type Telling, type Told } from './event-told.ts';

export function flowTold(event: FlowEvent, telling: Telling): Told {
  const slug = telling.names.slug(event.node);
  if (event.type === 'flow.chosen') {
    return { text: `${slug}: a person chose ${event.branch} at ${event.step}`, tone: 'run' };
  }
  return moveTold(event, slug, telling);
}

function moveTold(event: MoveEnded, slug: string, { screen }: Telling): Told {
  const { move, step, outcome, choice, detail } = event;
  const what = `${slug}: move ${move}, ${step}`;
  switch (outcome) {
    case 'said': {
      if (detail === null) {
        const chose = choice === null ? 'done' : `chose${topLine(choice, screen)}`;
        return { text: `${what}: ${chose}`, tone: 'calm' };
      }
      const said = choice === null || choice === '' ? '' : topLine(choice, screen);
      return { text: `${what}: ${detail}${said}`, tone: 'odd' };
    }
    case 'short':
      return { text: `${what}: not brought to an end${topLine(detail, screen)}`, tone: 'odd' };
    case 'failed':
      return { text: `${what}: no usable answer${topLine(detail, screen)}`, tone: 'bad' };
    default:
      return never(outcome);
  }
}
