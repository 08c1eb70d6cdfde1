/** The thread that finds the new order of a long queue; the main process writes it. */
import { parentPort, workerData } from 'node:worker_threads';
import { newRanks } from '../store/new-ranks.ts';
import { openReader } from '../store/open-reader.ts';
import type { FromSortThread, SortTask } from './sort-thread.ts';

// Given by `sort-thread.ts` alone.
const { path, sort } = workerData as SortTask;
const database = openReader(path);
const ranks: FromSortThread = newRanks(database, sort);
database.close();
parentPort?.postMessage(ranks, ranks === null ? [] : [ranks.ids.buffer, ranks.positions.buffer]);
