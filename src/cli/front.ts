/** Whoever shows runs in place of the usual presenter, and steers them from within: the shell. */

import type { ModelEvent } from '../contract/model.ts';
import type { Request } from '../contract/request.ts';
import type { SessionId } from '../contract/session-event.ts';
import type { World } from '../engine/play/world.ts';
import type { Presenter, Preview } from './presenter.ts';

/** Steps a request in the run that this process drives; resolves to why it was refused, or null. */
export type Ask = (request: Request) => Promise<string | null>;

export interface Front {
  presenter(preview: Preview | null): Presenter;
  /** A drive has begun; null: it has ended. */
  driving(ask: Ask | null): void;
  /** What models do and journals do not keep. */
  heard(event: ModelEvent & { readonly session: SessionId }, mask: World['mask']): void;
}
