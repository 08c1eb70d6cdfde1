import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { QueueRow } from '../../../contract/queue-commands.ts';
import type { QueueFilter } from '../../../contract/choices.ts';
import { errorMessage } from '../../../contract/errors.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { readerContext, rowOf } from './queue-row-view.ts';
import { ItemStore } from '../../store/items/item-store.ts';
import { ranks } from '../../store/migrations/021-ranks.ts';
import { orderFromPositions, orderFromRanks, queueOrder } from '../../store/migrations/030-queue-order.ts';
import { renamedColumns, requestNames } from '../../store/migrations/031-request-names.ts';

/** The queue at one point in time. */
export interface QueueSnapshot {
  readonly counts: Readonly<Record<QueueFilter, number>>;
  /** All items that are working, waiting or in need of attention, in this order. */
  readonly unfinished: readonly QueueRow[];
}

const emptyQueue: QueueSnapshot = {
  counts: { all: 0, working: 0, waiting: 0, attention: 0, done: 0, cancelled: 0 },
  unfinished: [],
};

/** Only the process that uses the services knows what they do; here all count as running. */
const activityOf = () => 'running' as const;

/**
 * Reads the queue of a data folder without writing to it, even while another process uses it.
 *
 * @throws ProblemError `database_damaged` when it cannot be read.
 */
export function readQueue(folder: string): QueueSnapshot {
  const path = join(folder, 'longhand.db');
  if (!existsSync(path)) return emptyQueue;
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      emulateCurrentSchema(database);
      const items = new ItemStore(database);
      const counts = items.tally.counts(activityOf);
      const unfinished = (['working', 'waiting', 'attention'] as const).flatMap((filter) =>
        items
          .page({ filter, activityOf, offset: 0, limit: Infinity })
          .map((item) => rowOf(item, readerContext)),
      );
      return { counts, unfinished };
    } finally {
      database.close();
    }
  } catch (error) {
    const detail = errorMessage(error);
    throw new ProblemError({ code: 'database_damaged', params: { folder }, detail }, { cause: error });
  }
}

/** Emulates the tables that the queue is read from in a database that has not been migrated to this version yet. */
function emulateCurrentSchema(database: Database.Database): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version < queueOrder.version)
    database.exec(
      `CREATE TEMP VIEW queue_order AS ${version < ranks.version ? orderFromPositions : orderFromRanks}`,
    );
  if (version >= requestNames.version) return;
  const replaced = new Set<string>(Object.entries(renamedColumns).flat());
  const kept = database.prepare<[], string>("SELECT name FROM pragma_table_info('items')").pluck().all();
  const columns = [
    ...kept.filter((name) => !replaced.has(name)),
    ...Object.entries(renamedColumns).map(([name, from]) => `${from} AS ${name}`),
  ];
  database.exec(`CREATE TEMP TABLE items AS SELECT ${columns.join(', ')} FROM main.items`);
}
