import type Database from 'better-sqlite3';
import type { ItemId, TranscriptId } from '../../../contract/identifiers.ts';
import type { QueueFilter } from '../../../contract/choices.ts';
import type { JobOptions } from '../../../contract/options.ts';
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
  insertItem,
  newItemColumnsOf,
  progressColumnsOf,
  setProgress,
  countedOf,
  type CountedRow,
  ItemReader,
  type ProgressColumns,
  sourceColumns,
} from './item-row.ts';
import { Statements } from '../../../sqlite/statements.ts';
import { readOrder } from './item-order.ts';
import { QueueOrderIndex, type OrderedItem } from './queue-order-index.ts';
import { kindsUnder, Tally, type Counted } from './tally.ts';

/** No wait is longer: a `Retry-After` counts for an hour at most. */
const maxWaitMs = 61 * 60_000;

/** The items of the queue. The one writer of its table, so that its running totals and their line are true. */
export class ItemStore {
  readonly #database: Database.Database;
  readonly #statements: Statements;
  readonly #reader: ItemReader;
  readonly #getCounted: Database.Statement<[ItemId], CountedRow>;
  readonly #setProgress: Database.Statement<[ProgressColumns & { readonly id: ItemId }]>;
  #tally = new Tally();
  #orderIndex = new QueueOrderIndex();

  constructor(database: Database.Database) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#reader = new ItemReader(database);
    this.#getCounted = database.prepare(`SELECT ${countedColumns} FROM items WHERE id = ?`);
    this.#setProgress = database.prepare(`UPDATE items SET ${setProgress} WHERE id = @id`);
    this.recount();
  }

  /** Counts anew, after a commit that was taken back. */
  recount(): void {
    this.#tally = new Tally();
    this.#orderIndex = new QueueOrderIndex();
    this.#load('true');
    this.#orderIndex.reorder(readOrder(this.#database));
  }

  /** Takes in rows that were put back into the table, at the end of the queue. */
  load(ids: readonly ItemId[]): void {
    this.#load('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  }

  #load(condition: string, ...given: string[]): void {
    const rows = this.#statements
      .prepare<string[], OrderedItem & CountedRow>(
        `SELECT id, ${countedColumns} FROM items WHERE ${condition} ORDER BY id`,
      )
      .all(...given);
    for (const row of rows) this.#tally.add(countedOf(row));
    this.#orderIndex.append(rows);
  }

  get tally(): Omit<Tally, 'add' | 'remove'> {
    return this.#tally;
  }

  /** All items in their order, to be changed by {@link ItemOrder} alone. */
  get orderIndex(): QueueOrderIndex {
    return this.#orderIndex;
  }

  /** Adds items at the end of the queue, all or none. */
  add(items: readonly NewItem[]): readonly ItemId[] {
    const insert = this.#statements.prepare(insertItem);
    const fresh = progressColumnsOf(initialProgress);
    const ids = this.#database.transaction(() =>
      items.map((item) => {
        const { lastInsertRowid } = insert.run({ ...newItemColumnsOf(item), ...fresh });
        return Number(lastInsertRowid);
      }),
    )();
    this.#orderIndex.append(
      items.map(({ service }, index) => ({ id: ids[index] ?? NaN, kind: 'waiting', service })),
    );
    for (const item of items) {
      const { sizeBytes } = sourceColumns(item.source);
      this.#tally.add({
        kind: 'waiting',
        step: 'waiting',
        service: item.service,
        sizeBytes,
        sentBytes: 0,
        durationSeconds: item.durationSeconds,
        progress: 0,
        holdsTicket: false,
      });
    }
    return ids;
  }

  get(id: ItemId): Item | null {
    return this.#reader.get(id);
  }

  /** Stores how far an item is. The commit is on the disk when this returns. */
  setProgress(id: ItemId, progress: ItemProgress): void {
    this.#change(id, () => this.#setProgress.run({ id, ...progressColumnsOf(progress) }));
  }

  /** Counts that an item has used another idempotency key. */
  countTicket(id: ItemId): void {
    this.#statements.prepare('UPDATE items SET tickets = tickets + 1 WHERE id = ?').run(id);
  }

  setDuration(id: ItemId, seconds: number): void {
    this.#change(id, () => {
      this.#statements.prepare('UPDATE items SET duration_seconds = ? WHERE id = ?').run(seconds, id);
    });
  }

  /** Where an item's file is now, after the user has located it. */
  setSource(id: ItemId, source: Source, name: string, place: string): void {
    this.#change(id, () => {
      this.#statements
        .prepare(
          `UPDATE items SET source = @source, fingerprint = @fingerprint, size_bytes = @sizeBytes, name = @name,
             place = @place WHERE id = @id`,
        )
        .run({ id, name, place, ...sourceColumns(source) });
    });
  }

  /** Gives items that have not begun to another service, and tells which these are. */
  moveWaiting(from: string, to: string): readonly ItemId[] {
    const moved = this.#statements
      .prepare<[string, string], ItemId>(
        "UPDATE items SET service = ? WHERE service = ? AND kind = 'waiting' RETURNING id",
      )
      .pluck()
      .all(to, from);
    this.recount();
    return moved;
  }

  /** Gives items that no service holds anything of to `service`, where they begin anew; tells which these are. */
  moveToService(ids: readonly ItemId[], service: string): readonly ItemId[] {
    const moved = this.#statements
      .prepare<[ProgressColumns & { readonly ids: string; readonly service: string }], ItemId>(
        `UPDATE items SET service = @service, ${setProgress}
         WHERE id IN (SELECT value FROM json_each(@ids)) AND service <> @service
           AND (idempotency_key IS NULL AND kind IN ('waiting', 'paused', 'blocked', 'failed', 'cancelled')
             OR kind IN ('creating', 'paused', 'blocked')
               AND coalesce(state ->> '$.at.refused', state ->> '$.refused') = 1)
         RETURNING id`,
      )
      .pluck()
      .all({ ...progressColumnsOf(initialProgress), ids: JSON.stringify(ids), service });
    this.recount();
    return moved;
  }

  /** Changes options of those items that hold no request, and tells which these are. */
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
    const removed = ids.flatMap((id) => this.#counted(id) ?? []);
    this.#database.transaction(() => ids.forEach((id) => statement.run(id)))();
    removed.forEach((item) => this.#tally.remove(item));
    this.#orderIndex.remove(ids);
  }

  /**
   * Items of one service in one of `kinds` whose next attempt is due, in the order of the queue. One that lies beyond
   * any wait that there is comes from a clock that has been set back since, and is due.
   */
  due(service: string, kinds: readonly StateKind[], now: number, limit: number): readonly Item[] {
    const due = this.#statements
      .prepare<[string, number, number], ItemId>(
        `SELECT id FROM items
         WHERE ${isOneOf(kinds)} AND service = ? AND (next_attempt_at <= ? OR next_attempt_at > ?)`,
      )
      .pluck()
      .all(service, now, now + maxWaitMs);
    return this.#reader.getMany(this.#orderIndex.inOrder(due).slice(0, limit));
  }

  /** Items of one service that wait for their turn, in the order of the queue. */
  waiting(service: string, limit: number): readonly Item[] {
    return this.#reader.getMany(this.#orderIndex.waiting(service, limit));
  }

  /** When the next attempt of any item in one of `kinds` is due, Unix milliseconds; `null`: never. */
  nextDueAt(kinds: readonly StateKind[], after: number): number | null {
    return (
      this.#statements
        .prepare<[number, number], number | null>(
          `SELECT min(next_attempt_at) FROM items
           WHERE ${isOneOf(kinds)} AND next_attempt_at > ? AND next_attempt_at <= ?`,
        )
        .pluck()
        .get(after, after + maxWaitMs) ?? null
    );
  }

  /** A stretch of the queue under a filter, in its order. */
  page(filter: QueueFilter, offset: number, limit: number): readonly Item[] {
    return this.#reader.getMany(this.ids(filter, offset, limit));
  }

  /** The numbers of a stretch of the queue under a filter, in its order. */
  ids(filter: QueueFilter, offset: number, limit: number): readonly ItemId[] {
    return this.#orderIndex.ids(filter === 'all' ? null : new Set(kindsUnder(filter)), offset, limit);
  }

  /** What is to be known of items to sum them up. */
  summaryInputs(ids: readonly ItemId[]): Iterable<SummaryInput> {
    return this.#statements
      .prepare<[string], SummaryInput>(
        `SELECT kind, service, duration_seconds AS durationSeconds FROM items
         WHERE id IN (SELECT value FROM json_each(?))`,
      )
      .iterate(JSON.stringify(ids));
  }

  /** The transcripts of those items that are done, in the order of the queue. */
  transcriptsOf(ids: readonly ItemId[]): readonly TranscriptId[] {
    const transcripts = new Map(
      this.#statements
        .prepare<[string], [ItemId, TranscriptId]>(
          `SELECT id, state ->> '$.transcriptId' FROM items
           WHERE id IN (SELECT value FROM json_each(?)) AND kind = 'done'`,
        )
        .raw()
        .all(JSON.stringify(ids)),
    );
    return this.#orderIndex.inOrder(transcripts.keys()).flatMap((id) => transcripts.get(id) ?? []);
  }

  /** Items that wait for the user because of one kind of problem, in the order of the queue. */
  blockedBy(code: ProblemCode): readonly ItemId[] {
    const blocked = this.#statements
      .prepare<[string], ItemId>(
        "SELECT id FROM items WHERE kind = 'blocked' AND json_extract(state, '$.problem.code') = ?",
      )
      .pluck()
      .all(code);
    return this.#orderIndex.inOrder(blocked);
  }

  /** Files that are not over and whose length is not known, from the number `after` on. */
  filesWithoutDuration(
    after: ItemId,
    limit: number,
  ): readonly { readonly id: ItemId; readonly path: string }[] {
    return this.#statements
      .prepare<[ItemId, number], { id: ItemId; path: string }>(
        `SELECT id, json_extract(source, '$.path') AS path FROM items
         WHERE id > ? AND duration_seconds IS NULL AND kind NOT IN ('done', 'failed', 'cancelled')
           AND json_extract(source, '$.kind') = 'file'
         ORDER BY id LIMIT ?`,
      )
      .all(after, limit);
  }

  #counted(id: ItemId): Counted | null {
    const row = this.#getCounted.get(id);
    return row === undefined ? null : countedOf(row);
  }

  #change(id: ItemId, write: () => void): void {
    const before = this.#counted(id);
    write();
    const after = this.#counted(id);
    if (before !== null) this.#tally.remove(before);
    if (after === null) return;
    this.#tally.add(after);
    this.#orderIndex.set(id, after.kind, after.service);
  }
}

/**
 * The condition that an item is in one of `kinds`. Their names stand in the statement itself: with a list that is bound
 * to it SQLite reads the whole queue instead of an index.
 */
const isOneOf = (kinds: readonly StateKind[]): string =>
  `kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
