/** The thread that finds the new order of a long queue; the main process writes it. */
import { parentPort, workerData } from 'node:worker_threads';
import { sortedOrder } from '../../store/items/new-order.ts';
import { openReader } from '../../store/database/open-reader.ts';
import type { FromSortThread, SortTask } from './sort-thread.ts';

// Given by `sort-thread.ts` alone.
const { path, sort } = workerData as SortTask;
const database = openReader(path);
const order: FromSortThread = sortedOrder(database, sort);
database.close();
parentPort?.postMessage(
  order,
  order === null ? [] : [order.ids.buffer, order.positions.buffer, order.unwritten.buffer],
);
