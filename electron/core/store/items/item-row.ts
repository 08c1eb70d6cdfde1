import type { z } from 'zod';
import type { Item, ItemProgress, NewItem, ItemState, Source, StateKind } from '../../item/item.ts';
import { storedOptionsSchema } from '../../../contract/options.ts';
import { problemSchema, sourceSchema, stateSchema } from './item-json-schemas.ts';
import type { CountedItem } from './queue-totals.ts';
import type Database from 'better-sqlite3';
import type { ItemId } from '../../../contract/identifiers.ts';

/** A row of the table `items`. */
export interface ItemRow {
  readonly id: number;
  readonly service: string;
  readonly source: string;
  readonly name: string;
  readonly folder_label: string;
  readonly duration_seconds: number | null;
  readonly stated_seconds: number | null;
  readonly options: string;
  readonly state: string;
  readonly attempts: number;
  readonly next_attempt_at: number;
  readonly last_problem: string | null;
  /** {@link ItemProgress.jobReplacements}; the column keeps its earlier name. */
  readonly renewals: number;
  readonly resends: number;
  readonly added_at: number;
  readonly seed: string;
  readonly request_count: number;
}

const columnsOfRow: Readonly<Record<keyof ItemRow, true>> = {
  id: true,
  service: true,
  source: true,
  name: true,
  folder_label: true,
  duration_seconds: true,
  stated_seconds: true,
  options: true,
  state: true,
  attempts: true,
  next_attempt_at: true,
  last_problem: true,
  renewals: true,
  resends: true,
  added_at: true,
  seed: true,
  request_count: true,
};

/** The columns of an {@link ItemRow}, for a SELECT. */
const itemColumns = Object.keys(columnsOfRow).join(', ');

const parseJson = <T>(schema: z.ZodType<T>, text: string): T => schema.parse(JSON.parse(text));

/** @throws z.ZodError if no version of the program can have written the row. */
function itemOf(row: ItemRow): Item {
  return {
    id: row.id,
    service: row.service,
    source: parseJson(sourceSchema, row.source),
    name: row.name,
    folderLabel: row.folder_label,
    durationSeconds: row.duration_seconds,
    statedSeconds: row.stated_seconds,
    options: parseJson(storedOptionsSchema, row.options),
    state: parseJson(stateSchema, row.state),
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastProblem: row.last_problem === null ? null : parseJson(problemSchema, row.last_problem),
    jobReplacements: row.renewals,
    resends: row.resends,
    addedAt: row.added_at,
    seed: row.seed,
    requestCount: row.request_count,
  };
}

/** The values of the columns that an item's progress is stored in. */
export type ProgressColumns = Readonly<
  Record<keyof ItemProgress | 'kind' | 'idempotencyKey', string | number | null>
>;

/** The name of each column. */
const progressColumns: Readonly<Record<keyof ProgressColumns, string>> = {
  kind: 'kind',
  state: 'state',
  idempotencyKey: 'idempotency_key',
  attempts: 'attempts',
  nextAttemptAt: 'next_attempt_at',
  lastProblem: 'last_problem',
  jobReplacements: 'renewals',
  resends: 'resends',
};

/** The values of the columns that only a new item sets, in addition to its progress. */
export type NewItemColumns = Readonly<
  Record<keyof NewItem | 'fingerprint' | 'sizeBytes', string | number | null>
>;

const newItemColumns: Readonly<Record<keyof NewItemColumns, string>> = {
  service: 'service',
  source: 'source',
  fingerprint: 'fingerprint',
  name: 'name',
  folderLabel: 'folder_label',
  sizeBytes: 'size_bytes',
  durationSeconds: 'duration_seconds',
  statedSeconds: 'stated_seconds',
  options: 'options',
  addedAt: 'added_at',
  seed: 'seed',
};

/** The SET clause of an UPDATE with {@link ProgressColumns}. */
export const progressAssignments = Object.entries(progressColumns)
  .map(([value, column]) => `${column} = @${value}`)
  .join(', ');

const insertedColumns = Object.entries({ ...newItemColumns, ...progressColumns });

/** Inserts an item with {@link NewItemColumns} and {@link ProgressColumns}. */
export const insertItemSql = `INSERT INTO items (${insertedColumns.map(([, column]) => column).join(', ')})
  VALUES (${insertedColumns.map(([value]) => `@${value}`).join(', ')})`;

export function progressColumnsOf(progress: ItemProgress): ProgressColumns {
  return {
    kind: progress.state.kind,
    // Parsed, so that a row that cannot be read is never written.
    state: JSON.stringify(stateSchema.parse(progress.state)),
    idempotencyKey: keyOf(progress.state),
    attempts: progress.attempts,
    nextAttemptAt: Math.round(progress.nextAttemptAt),
    lastProblem: progress.lastProblem === null ? null : JSON.stringify(progress.lastProblem),
    jobReplacements: progress.jobReplacements,
    resends: progress.resends,
  };
}

export const newItemColumnsOf = (item: NewItem): NewItemColumns => ({
  ...item,
  statedSeconds: item.statedSeconds ?? null,
  ...sourceColumns(item.source),
  options: JSON.stringify(storedOptionsSchema.parse(item.options)),
});

/** The idempotency key of the item's create request; unique among all items. */
function keyOf(state: ItemState): string | null {
  if ('request' in state) return state.request.key;
  return 'at' in state ? keyOf(state.at) : null;
}

/** Returns the columns that describe an item's recording. @throws ZodError instead of writing a row that cannot be read. */
export const sourceColumns = (
  source: Source,
): { source: string; fingerprint: string; sizeBytes: number } => ({
  source: JSON.stringify(sourceSchema.parse(source)),
  fingerprint: source.kind === 'file' ? source.fingerprint : source.url,
  sizeBytes: source.kind === 'file' ? source.sizeBytes : 0,
});

/** The columns of a {@link CountedItem}. */
export interface CountedRow {
  readonly kind: StateKind;
  readonly service: string;
  readonly size_bytes: number;
  readonly sent_bytes: number | null;
  readonly duration_seconds: number | null;
  readonly progress: number | null;
  readonly may_have_job: 0 | 1;
}

/** The SQL condition that an item was interrupted in a phase, from which it will continue. */
const interruptedCondition = `kind IN ('paused', 'blocked')`;

/** Selects a {@link CountedRow}. Reads JSON only in states that need it: most rows of a long queue do not. */
export const countedColumns = `
  kind, service, size_bytes, duration_seconds,
  idempotency_key IS NOT NULL
    AND CASE WHEN kind = 'creating' THEN coalesce(json_extract(state, '$.refused'), 0) = 0
      WHEN ${interruptedCondition} THEN coalesce(json_extract(state, '$.at.refused'), 0) = 0 ELSE 1 END AS may_have_job,
  CASE WHEN kind = 'uploading' THEN json_extract(state, '$.partsSent') * json_extract(state, '$.session.partSize')
    END AS sent_bytes,
  CASE WHEN kind = 'transcribing' THEN json_extract(state, '$.progress')
    WHEN ${interruptedCondition} THEN json_extract(state, '$.at.progress') END AS progress`;

export const countedItemOf = (row: CountedRow): CountedItem => ({
  kind: row.kind,
  service: row.service,
  sizeBytes: row.size_bytes,
  sentBytes: row.sent_bytes ?? 0,
  durationSeconds: row.duration_seconds,
  progress: Math.min(100, Math.max(0, row.progress ?? 0)),
  mayHaveJob: row.may_have_job === 1,
});

/** Reads items by ID. */
export class ItemReader {
  readonly #selectOne: Database.Statement<[ItemId], ItemRow>;
  readonly #selectMany: Database.Statement<[string], ItemRow>;

  constructor(database: Database.Database) {
    this.#selectOne = database.prepare(`SELECT ${itemColumns} FROM items WHERE id = ?`);
    this.#selectMany = database.prepare(
      `SELECT ${itemColumns} FROM items WHERE id IN (SELECT value FROM json_each(?))`,
    );
  }

  get(id: ItemId): Item | null {
    const row = this.#selectOne.get(id);
    return row === undefined ? null : itemOf(row);
  }

  /** Returns the existing ones, in the order of `ids`. */
  getMany(ids: readonly ItemId[]): readonly Item[] {
    if (ids.length <= 1) return ids.flatMap((id) => this.get(id) ?? []);
    const rows = new Map(this.#selectMany.all(JSON.stringify(ids)).map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : itemOf(row);
    });
  }
}
