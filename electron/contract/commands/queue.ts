import { z } from 'zod';
import type { ItemId, TranscriptId } from '../identifiers.ts';
import type { AddReport, QueueSum, QueueView, RowFacts } from '../queue.ts';
import { queueFilters, queueSortKeys } from '../choices.ts';
import { jobOptionsSchema } from '../options.ts';
import { about, id, nothing, page, path, service } from './inputs.ts';
import { maxLinkLength, maxLinks, maxRows } from '../limits.ts';

const filter = z.enum(queueFilters);
/** A `QueueTarget`. */
const target = about(filter, {});

export const queueCommands = {
  'queue.watch': z.strictObject({ filter, ...page }),
  'queue.ids': z.strictObject({
    filter,
    offset: page.offset,
    limit: z.int().positive().max(maxRows),
  }),
  'queue.add': z.strictObject({
    paths: z.array(path).max(maxRows),
    links: z.array(z.string().max(maxLinkLength)).max(maxLinks),
  }),
  'queue.pick': z.strictObject({ what: z.enum(['files', 'folder']) }),
  'queue.pause': target,
  'queue.resume': target,
  'queue.retry': target,
  'queue.cancel': target,
  'queue.remove': target,
  'queue.undoRemove': nothing,
  'queue.sum': target,
  'queue.transcripts': target,
  'queue.move': about(filter, {
    to: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('next') }),
      z.strictObject({ kind: z.enum(['before', 'after']), id }),
    ]),
  }),
  'queue.sortWaiting': z.strictObject({ by: z.enum(queueSortKeys), descending: z.boolean() }),
  'queue.setOptions': about(filter, { options: jobOptionsSchema.partial() }),
  'queue.sendWith': about(filter, { service }),
  'queue.facts': z.strictObject({ id }),
  'queue.locate': z.strictObject({ id }),
  'queue.pauseAll': nothing,
  'queue.resumeAll': nothing,
  'queue.clearFinished': nothing,
  'queue.retryAll': nothing,
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
  'queue.sum': QueueSum;
  /** The transcripts of those that are done, in the order of the queue. */
  'queue.transcripts': readonly TranscriptId[];
  /** Puts back what was removed or cleared last; the number of rows. */
  'queue.undoRemove': { readonly restored: number };
  'queue.move': void;
  'queue.sortWaiting': void;
  /** Changes options of those whose request has not been made or does not stand any more; the number of these. */
  'queue.setOptions': { readonly changed: number };
  /** Gives those that no service holds anything of to `on-device` or to one of the accounts; the number of these. */
  'queue.sendWith': { readonly changed: number };
  'queue.facts': RowFacts | null;
  'queue.locate': { readonly located: boolean };
  'queue.pauseAll': void;
  'queue.resumeAll': void;
  'queue.clearFinished': void;
  /** Tries again all that failed or waits for the user. */
  'queue.retryAll': void;
  'queue.showInFolder': void;
}
