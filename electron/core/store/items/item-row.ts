import type { z } from 'zod';

import type { Item, ItemState, ItemProgress, Source } from '../../item/item.ts';
import { optionsSchema, problemSchema, sourceSchema, stateSchema } from './item-schema.ts';

/** A row of the table `items`. */
export interface ItemRow {
  readonly id: number;
  readonly service: string;
  readonly source: string;
  readonly name: string;
  readonly place: string;
  readonly duration_seconds: number | null;
  readonly options: string;
  readonly state: string;
  readonly attempts: number;
  readonly next_attempt_at: number;
  readonly last_problem: string | null;
  readonly renewals: number;
  readonly resends: number;
  readonly added_at: number;
  readonly seed: string;
  readonly tickets: number;
}

/** The columns of an {@link ItemRow}. */
export const itemColumns =
  'id, service, source, name, place, duration_seconds, options, state, attempts, next_attempt_at, last_problem, ' +
  'renewals, resends, added_at, seed, tickets';

const json = <T>(schema: z.ZodType<T>, text: string): T => schema.parse(JSON.parse(text));

/** @throws z.ZodError when the row holds what no version of the program has written. */
export function itemOf(row: ItemRow): Item {
  return {
    id: row.id,
    service: row.service,
    source: json(sourceSchema, row.source),
    name: row.name,
    place: row.place,
    durationSeconds: row.duration_seconds,
    options: json(optionsSchema, row.options),
    state: json(stateSchema, row.state),
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastProblem: row.last_problem === null ? null : json(problemSchema, row.last_problem),
    renewals: row.renewals,
    resends: row.resends,
    addedAt: row.added_at,
    seed: row.seed,
    tickets: row.tickets,
  };
}

/** The columns that an item's progress is kept in. */
export interface ProgressColumns {
  readonly kind: string;
  readonly state: string;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  readonly nextAttemptAt: number;
  readonly lastProblem: string | null;
  readonly renewals: number;
  readonly resends: number;
}

export function columnsOf(progress: ItemProgress): ProgressColumns {
  return {
    kind: progress.state.kind,
    state: JSON.stringify(progress.state),
    idempotencyKey: keyOf(progress.state),
    attempts: progress.attempts,
    nextAttemptAt: Math.round(progress.nextAttemptAt),
    lastProblem: progress.lastProblem === null ? null : JSON.stringify(progress.lastProblem),
    renewals: progress.renewals,
    resends: progress.resends,
  };
}

/** The key under which the service knows the item's request; unique over all items. */
function keyOf(state: ItemState): string | null {
  if ('ticket' in state) return state.ticket.key;
  return 'at' in state ? keyOf(state.at) : null;
}

/** The columns that say what an item's recording is. */
export const sourceColumns = (
  source: Source,
): { source: string; fingerprint: string; sizeBytes: number } => ({
  source: JSON.stringify(source),
  fingerprint: source.kind === 'file' ? source.fingerprint : source.url,
  sizeBytes: source.kind === 'file' ? source.sizeBytes : 0,
});
