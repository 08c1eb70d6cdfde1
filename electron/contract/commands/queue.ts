import { z } from 'zod';
import { queueFilters, type AddReport, type ItemId, type QueueView } from '../model/queue.ts';
import { id, ids, nothing, page, path } from './inputs.ts';

export const queueCommands = {
  'queue.watch': z.strictObject({ filter: z.enum(queueFilters), ...page }),
  'queue.ids': z.strictObject({
    filter: z.enum(queueFilters),
    offset: page.offset,
    limit: z.int().positive().max(200_000),
  }),
  'queue.add': z.strictObject({
    paths: z.array(path).max(200_000),
    links: z.array(z.string().max(8192)).max(10_000),
  }),
  'queue.pick': z.strictObject({ what: z.enum(['files', 'folder']) }),
  'queue.pause': z.strictObject({ ids }),
  'queue.resume': z.strictObject({ ids }),
  'queue.retry': z.strictObject({ ids }),
  'queue.cancel': z.strictObject({ ids }),
  'queue.remove': z.strictObject({ ids }),
  'queue.locate': z.strictObject({ id }),
  'queue.pauseAll': nothing,
  'queue.resumeAll': nothing,
  'queue.clearFinished': nothing,
  'queue.retryFailed': nothing,
  'queue.showInFolder': z.strictObject({ id }),
} as const;

export interface QueueResults {
  /** Sets the part of the queue that this window is told about by `queue.changed`, and answers its present state. */
  'queue.watch': QueueView;
  /** The items of a stretch of the queue, in its order: a selection reaches beyond the watched rows. */
  'queue.ids': readonly ItemId[];
  /** `null`: the sheet asks before anything is added; see `batch.start`. */
  'queue.add': AddReport | null;
  'queue.pick': AddReport | null;
  'queue.pause': void;
  'queue.resume': void;
  'queue.retry': void;
  'queue.cancel': void;
  'queue.remove': void;
  'queue.locate': { readonly located: boolean };
  'queue.pauseAll': void;
  'queue.resumeAll': void;
  'queue.clearFinished': void;
  'queue.retryFailed': void;
  'queue.showInFolder': void;
}
