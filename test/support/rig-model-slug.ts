/** The example of the checkout, told by a provider. */

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseScript } from '../../src/model/script.ts';
import { CHECKOUT } from './rig-cli.ts';
import type { Step } from './rig-model-story.ts';
import type { Provider } from './rig-model.ts';
import type { Rig } from './rig.ts';

const EXAMPLE = join(CHECKOUT, 'examples/slug');

export const SLUG_OBJECTIVE =
  'Write slug() as the README describes it, and a command that prints the slug of its arguments';

export function tellSlug(rig: Rig, provider: Provider): void {
  cpSync(join(EXAMPLE, 'workspace'), rig.workspace, { recursive: true });
  const file = join(EXAMPLE, 'script.yaml');
  const script = parseScript(file, readFileSync(file, 'utf8'));
  if (!script.ok) throw new Error(script.fault.message);
  const story = script.value.steps.map(({ finish: _, ...step }): Step => step);
  provider.tell(story, { panel: { node: 1, final: 3 } });
}
