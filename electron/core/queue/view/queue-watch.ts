import type { QueueView } from '../../../contract/queue.ts';
import type { QueueFilter } from '../../../contract/choices.ts';
import type { ListWatch } from './list-watch.ts';

/** The part of the queue that somebody looks at. */
export interface Viewport {
  readonly filter: QueueFilter;
  readonly offset: number;
  readonly limit: number;
}

/** Somebody's look at the queue. */
export type QueueWatch = ListWatch<Viewport, QueueView>;
