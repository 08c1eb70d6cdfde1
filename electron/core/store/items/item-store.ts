import type Database from 'better-sqlite3';
import type { ItemId, TranscriptId } from '../../../contract/identifiers.ts';
import type { QueueFilter } from '../../../contract/choices.ts';
import type { QueueListing } from '../../../contract/queue-commands.ts';
import type { JobOptions } from '../../../contract/options.ts';
import { creditsFor } from '../../../contract/pricing.ts';
import type { ProblemCode } from '../../../contract/problem.ts';
import {
  initialProgress,
  type Item,
  type NewItem,
  type ItemProgress,
  type Source,
  type StateKind,
} from '../../item/item.ts';
import type { SummaryInput } from '../../item/item-summary.ts';
import {
  countedColumns,
  insertItemSql,
  newItemColumnsOf,
  progressColumnsOf,
  progressAssignments,
  countedItemOf,
  type CountedRow,
  ItemReader,
  type ProgressColumns,
  sourceColumns,
} from './item-row.ts';
import { ItemSchedule, kindCondition } from './item-schedule.ts';
import { Statements } from '../../../sqlite/statements.ts';
import { readOrder } from './item-order.ts';
import { QueueOrderIndex, type OrderedItem } from './queue-order-index.ts';
import { memoizeActivity, matchesFilter, type ServiceActivity } from '../../item/item-filter.ts';
import { correctCountedCost } from '../watch-store.ts';
import { NameSearch } from './name-search.ts';
import { countsByFilter, QueueTotals, type CountedItem } from './queue-totals.ts';

type ActivityOf = (service: string) => ServiceActivity;

/** A page of the filtered queue. All filters but `all` depend on what the services do now. */
export type QueuePageQuery = {
  readonly offset: number;
  readonly limit: number;
  /** As in a `QueueListing`. */
  readonly search?: string;
} & ({ readonly filter: 'all' } | { readonly filter: QueueFilter; readonly activityOf: ActivityOf });

/**
 * The items of the queue. Only this class writes the columns that the running totals and the order index depend on;
 * `RemovedItems`, which restores rows, calls {@link addRestored}.
 */
export class ItemStore {
  readonly #database: Database.Database;
  readonly #statements: Statements;
  readonly #reader: ItemReader;
  readonly #getCountedRow: Database.Statement<[ItemId], CountedRow>;
  readonly #setProgress: Database.Statement<[ProgressColumns & { readonly id: ItemId }]>;
  #totals = new QueueTotals();
  #orderIndex = new QueueOrderIndex();
  readonly #nameSearch: NameSearch;
  /** The items whose next request, or start, is due. */
  readonly schedule: ItemSchedule;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#reader = new ItemReader(database);
    this.#nameSearch = new NameSearch(database);
    this.schedule = new ItemSchedule(this.#statements, this.#reader, () => this.#orderIndex);
    this.#getCountedRow = database.prepare(`SELECT ${countedColumns} FROM items WHERE id = ?`);
    this.#setProgress = database.prepare(`UPDATE items SET ${progressAssignments} WHERE id = @id`);
    this.reload();
  }

  /** Rebuilds the totals and the order index from the table. */
  reload(): void {
    this.#totals = new QueueTotals();
    this.#orderIndex = new QueueOrderIndex();
    this.#nameSearch.invalidate();
    this.#load('true');
    this.#orderIndex.reorder(readOrder(this.#database));
  }

  /** Adds rows that were restored in the table to the totals, and to the end of the order. */
  addRestored(ids: readonly ItemId[]): void {
    this.#nameSearch.invalidate();
    this.#load('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  }

  #load(condition: string, ...values: string[]): void {
    const rows = this.#statements
      .prepare<string[], OrderedItem & CountedRow>(
        `SELECT id, ${countedColumns} FROM items WHERE ${condition} ORDER BY id`,
      )
      .all(...values);
    for (const row of rows) this.#totals.add(countedItemOf(row));
    this.#orderIndex.append(rows);
  }

  get totals(): Omit<QueueTotals, 'add' | 'remove'> {
    return this.#totals;
  }

  /** All items in order. Only {@link ItemOrder} may change it. */
  get orderIndex(): QueueOrderIndex {
    return this.#orderIndex;
  }

  /** Adds items at the end of the queue, all of them or none. */
  add(items: readonly NewItem[]): readonly ItemId[] {
    const insert = this.#statements.prepare(insertItemSql);
    const initial = progressColumnsOf(initialProgress);
    const ids = this.#database.transaction(() =>
      items.map((item) => {
        const { lastInsertRowid } = insert.run({ ...newItemColumnsOf(item), ...initial });
        return Number(lastInsertRowid);
      }),
    )();
    this.#orderIndex.append(
      items.map(({ service }, index) => ({ id: ids[index] ?? NaN, kind: 'waiting', service })),
    );
    for (const item of items) {
      const { sizeBytes } = sourceColumns(item.source);
      this.#totals.add({
        kind: 'waiting',
        service: item.service,
        sizeBytes,
        sentBytes: 0,
        durationSeconds: item.durationSeconds,
        progress: 0,
        mayHaveJob: false,
      });
    }
    return ids;
  }

  get(id: ItemId): Item | null {
    return this.#reader.get(id);
  }

  /** Stores an item's progress. The commit is on the disk when this returns. */
  setProgress(id: ItemId, progress: ItemProgress): void {
    this.#change([id], () => this.#setProgress.run({ id, ...progressColumnsOf(progress) }));
  }

  /** Counts another used idempotency key of an item. */
  countRequest(id: ItemId): void {
    this.#statements.prepare('UPDATE items SET request_count = request_count + 1 WHERE id = ?').run(id);
  }

  /** Stores an item's duration, however it became known, and corrects what its watched folder counts for it. */
  setDuration(id: ItemId, seconds: number): void {
    this.#database.transaction(() => {
      this.#change([id], () => {
        this.#statements.prepare('UPDATE items SET duration_seconds = ? WHERE id = ?').run(seconds, id);
      });
      correctCountedCost(this.#statements, id, creditsFor(seconds));
    })();
  }

  /** Stores the duration that an item's file states; see {@link Item.statedSeconds}. */
  setStatedDuration(id: ItemId, seconds: number): void {
    this.#statements.prepare('UPDATE items SET stated_seconds = ? WHERE id = ?').run(seconds, id);
  }

  /** Assigns a waiting item to another service. */
  setService(id: ItemId, service: string): void {
    this.#change([id], () => {
      this.#statements.prepare('UPDATE items SET service = ? WHERE id = ?').run(service, id);
    });
  }

  /** Stores an item's new source. The duration of other content, or of another link, is unknown. */
  setSource(id: ItemId, source: Source, name: string, folderLabel: string): void {
    this.#change([id], () => {
      this.#statements
        .prepare(
          `UPDATE items SET source = @source, fingerprint = @fingerprint, size_bytes = @sizeBytes, name = @name,
             duration_seconds = CASE fingerprint WHEN @fingerprint THEN duration_seconds END,
             stated_seconds = CASE fingerprint WHEN @fingerprint THEN stated_seconds END,
             content_hash = NULL, folder_label = @folderLabel WHERE id = @id`,
        )
        .run({ id, name, folderLabel, ...sourceColumns(source) });
    });
    this.#nameSearch.invalidate();
  }

  /** Moves the waiting items among `ids` from one service to another. Returns their IDs. */
  moveWaiting(ids: readonly ItemId[], from: string, to: string): readonly ItemId[] {
    return this.#change(ids, () =>
      this.#statements
        .prepare<[string, string, string], ItemId>(
          `UPDATE items SET service = ? WHERE service = ? AND kind = 'waiting'
             AND id IN (SELECT value FROM json_each(?)) RETURNING id`,
        )
        .pluck()
        .all(to, from, JSON.stringify(ids)),
    );
  }

  /**
   * Moves items without a job to `service`, where they start over. Returns those that moved.
   *
   * @param now Unix milliseconds.
   * @param servicesToLeave services whose items move even if they may have a job there, which is abandoned
   */
  moveToService(
    ids: readonly ItemId[],
    service: string,
    now: number,
    servicesToLeave: readonly string[] = [],
  ): readonly ItemId[] {
    type MoveParameters = Readonly<Record<'ids' | 'service' | 'servicesToLeave', string>> & ProgressColumns;
    this.#statements
      .prepare<[number, string, string, string]>(
        `INSERT INTO left_jobs (service, left_at, duration_seconds)
         SELECT service, ?, duration_seconds FROM items
         WHERE id IN (SELECT value FROM json_each(?)) AND service <> ?
           AND service IN (SELECT value FROM json_each(?)) AND ${mayHaveJobCondition}`,
      )
      .run(now, JSON.stringify(ids), service, JSON.stringify(servicesToLeave));
    return this.#change(ids, () =>
      this.#statements
        .prepare<[MoveParameters], ItemId>(
          `UPDATE items SET service = @service, ${progressAssignments}
           WHERE id IN (SELECT value FROM json_each(@ids)) AND service <> @service
             AND (idempotency_key IS NULL AND kind IN ('waiting', 'paused', 'blocked', 'failed', 'cancelled')
               OR kind IN ('creating', 'paused', 'blocked')
                 AND coalesce(state ->> '$.at.refused', state ->> '$.refused') = 1
               OR kind <> 'done' AND service IN (SELECT value FROM json_each(@servicesToLeave)))
           RETURNING id`,
        )
        .pluck()
        .all({
          ...progressColumnsOf(initialProgress),
          ids: JSON.stringify(ids),
          service,
          servicesToLeave: JSON.stringify(servicesToLeave),
        }),
    );
  }

  /** Returns the service of each item that may have an active job there. */
  servicesWithJobs(ids: readonly ItemId[]): readonly string[] {
    return this.#statements
      .prepare<[string], string>(
        `SELECT service FROM items
         WHERE id IN (SELECT value FROM json_each(?)) AND ${mayHaveJobCondition}`,
      )
      .pluck()
      .all(JSON.stringify(ids));
  }

  /** Returns the durations of the jobs that were abandoned at a service since a time, in seconds; 0: unknown. */
  abandonedJobDurationsSince(service: string, since: number): readonly number[] {
    return this.#statements
      .prepare<[string, number], number>(
        'SELECT coalesce(duration_seconds, 0) FROM left_jobs WHERE service = ? AND left_at >= ?',
      )
      .pluck()
      .all(service, since);
  }

  /** Returns the service of each item that is not done and not on the service `except`. */
  servicesOf(ids: readonly ItemId[], except: string): readonly string[] {
    return this.#statements
      .prepare<[string, string], string>(
        `SELECT service FROM items
         WHERE id IN (SELECT value FROM json_each(?)) AND service <> ? AND kind <> 'done'`,
      )
      .pluck()
      .all(JSON.stringify(ids), except);
  }

  /** Returns the jobs at a service of items that the user paused. */
  pausedJobs(service: string): readonly string[] {
    if (this.#totals.count(['paused'], service) === 0) return [];
    return this.#statements
      .prepare<[string], string>(
        `SELECT state ->> '$.at.jobId' FROM items
         WHERE kind = 'paused' AND service = ? AND state ->> '$.at.jobId' IS NOT NULL`,
      )
      .pluck()
      .all(service);
  }

  /** Returns the jobs at a service of items in one of `kinds`, in the order of the queue. */
  jobsInOrder(service: string, kinds: readonly StateKind[]): readonly string[] {
    const jobs = new Map(
      this.#statements
        .prepare<[string], [ItemId, string]>(
          `SELECT id, state ->> '$.jobId' FROM items WHERE ${kindCondition(kinds)} AND service = ?`,
        )
        .raw()
        .all(service),
    );
    return this.#orderIndex.inOrder(jobs.keys()).flatMap((id) => jobs.get(id) ?? []);
  }

  /** Returns how many items of a service in one of `kinds` come before item `id` in the queue. */
  countBefore(id: ItemId, service: string, kinds: readonly StateKind[]): number {
    if (this.#totals.count(kinds, service) === 0) return 0;
    const ids = this.#statements
      .prepare<[string], ItemId>(`SELECT id FROM items WHERE ${kindCondition(kinds)} AND service = ?`)
      .pluck()
      .all(service);
    return this.#orderIndex.inOrder([...ids, id]).indexOf(id);
  }

  /** Changes options of those items that have made no request. Returns their IDs. */
  setOptions(ids: readonly ItemId[], options: Partial<JobOptions>): readonly ItemId[] {
    return this.#statements
      .prepare<[string, string], ItemId>(
        `UPDATE items SET options = json_patch(options, ?)
         WHERE id IN (SELECT value FROM json_each(?)) AND idempotency_key IS NULL
           AND kind IN ('waiting', 'paused', 'blocked', 'failed', 'cancelled')
         RETURNING id`,
      )
      .pluck()
      .all(JSON.stringify(options), JSON.stringify(ids));
  }

  remove(ids: readonly ItemId[]): void {
    const statement = this.#statements.prepare('DELETE FROM items WHERE id = ?');
    const uniqueIds = [...new Set(ids)];
    const removed = uniqueIds.flatMap((id) => this.#countedItem(id) ?? []);
    this.#database.transaction(() => uniqueIds.forEach((id) => statement.run(id)))();
    removed.forEach((item) => this.#totals.remove(item));
    this.#orderIndex.remove(uniqueIds);
  }

  /** Returns a page of the filtered queue. */
  page(query: QueuePageQuery): readonly Item[] {
    return this.#reader.getMany(this.ids(query));
  }

  /** Returns the IDs of a page of the filtered queue. */
  ids(query: QueuePageQuery): readonly ItemId[] {
    const { filter, offset, limit, search = '' } = query;
    const matches = search === '' ? null : this.#nameSearch.matches(search);
    if (filter === 'all' || !('activityOf' in query))
      return this.#orderIndex.ids(
        matches === null ? null : (_kind, _service, id) => matches.has(id),
        offset,
        limit,
      );
    const activityOf = memoizeActivity(query.activityOf);
    return this.#orderIndex.ids(
      (kind, service, id) =>
        matchesFilter(filter, { kind, service }, activityOf(service)) &&
        (matches === null || matches.has(id)),
      offset,
      limit,
    );
  }

  /** Returns those of `ids` that exist and that a filter and a search show. */
  listed(
    ids: readonly ItemId[],
    { filter, search, activityOf }: QueueListing & { readonly activityOf: ActivityOf },
  ): readonly ItemId[] {
    const matches = search === '' ? null : this.#nameSearch.matches(search);
    const memoized = memoizeActivity(activityOf);
    return this.#orderIndex
      .existing(ids)
      .filter(
        ({ id, kind, service }) =>
          matchesFilter(filter, { kind, service }, memoized(service)) &&
          (matches === null || matches.has(id)),
      )
      .map(({ id }) => id);
  }

  /** Returns the number of items that a search finds, by filter. */
  foundCounts(search: string, activityOf: ActivityOf): Readonly<Record<QueueFilter, number>> {
    return countsByFilter(this.#orderIndex.existing(this.#nameSearch.matches(search)), activityOf);
  }

  /** Returns what is needed to summarize items. */
  summaryInputs(ids: readonly ItemId[]): Iterable<SummaryInput> {
    return this.#statements
      .prepare<[string], SummaryInput>(
        `SELECT kind, service, duration_seconds AS durationSeconds FROM items
         WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .iterate(JSON.stringify(ids));
  }

  /** Returns the transcripts of those items that are done, without those in the trash, in the order of the queue. */
  transcriptsOf(ids: readonly ItemId[]): readonly TranscriptId[] {
    const transcripts = new Map(
      this.#statements
        .prepare<[string], [ItemId, TranscriptId]>(
          `SELECT items.id, transcripts.id FROM items
             JOIN transcripts ON transcripts.service = items.service AND job_id = state ->> '$.jobId'
           WHERE items.id IN (SELECT value FROM json_each(?)) AND kind = 'done' AND trashed_at IS NULL`,
        )
        .raw()
        .all(JSON.stringify(ids)),
    );
    return this.#orderIndex.inOrder(transcripts.keys()).flatMap((id) => transcripts.get(id) ?? []);
  }

  /** Returns the items blocked by a kind of problem, in the order of the queue. */
  blockedBy(code: ProblemCode): readonly ItemId[] {
    const blocked = this.#statements
      .prepare<[string], ItemId>(
        "SELECT id FROM items WHERE kind = 'blocked' AND json_extract(state, '$.problem.code') = ?",
      )
      .pluck()
      .all(code);
    return this.#orderIndex.inOrder(blocked);
  }

  /** Returns unfinished items after `after` that are files of unknown duration, in the order of their IDs. */
  filesWithoutDuration(
    after: ItemId,
    limit: number,
  ): readonly { readonly id: ItemId; readonly path: string; readonly fingerprint: string }[] {
    return this.#statements
      .prepare<[ItemId, number], { id: ItemId; path: string; fingerprint: string }>(
        `SELECT id, json_extract(source, '$.path') AS path, fingerprint FROM items
         WHERE id > ? AND duration_seconds IS NULL AND kind NOT IN ('done', 'failed', 'cancelled')
           AND json_extract(source, '$.kind') = 'file'
         ORDER BY id LIMIT ?`,
      )
      .all(after, limit);
  }

  #countedItem(id: ItemId): CountedItem | null {
    const row = this.#getCountedRow.get(id);
    return row === undefined ? null : countedItemOf(row);
  }

  /** Runs `write`, which must change only these items, and updates the totals and the order index. */
  #change<T>(ids: readonly ItemId[], write: () => T): T {
    const before = new Map(ids.map((id) => [id, this.#countedItem(id)]));
    const result = write();
    for (const [id, old] of before) {
      if (old !== null) this.#totals.remove(old);
      const current = this.#countedItem(id);
      if (current === null) continue;
      this.#totals.add(current);
      this.#orderIndex.set(id, current.kind, current.service);
    }
    return result;
  }
}

/** The SQL condition that an item may have an active job at its service. */
const mayHaveJobCondition = `idempotency_key IS NOT NULL AND kind NOT IN ('done', 'failed', 'cancelled')
  AND coalesce(state ->> '$.at.refused', state ->> '$.refused', 0) <> 1`;
