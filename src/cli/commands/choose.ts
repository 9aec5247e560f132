/** `goalgraph choose BRANCH`: decides in the place of a flow's agent. */

import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { control } from './control.ts';
import { look } from './look.ts';

/** For the step where the flow stands now; if it goes on before this is heard, nothing is chosen. */
export async function choose(context: Context, branch: string): Promise<number> {
  let step: string | null = null;
  const code = await look(context, ({ view }) => {
    step = view.flow?.at ?? null;
    return EXIT.complete;
  });
  return code === EXIT.complete ? control(context, { type: 'choose', branch, step }) : code;
}
