import { availableParallelism } from 'node:os';
import { ExportThread, type ExportThreadOptions } from './export-thread.ts';
import type { Writer, WriterCrew } from './write-files.ts';

/** Beyond this the disk is what is waited for. */
const mostThreads = 8;
/** Starting a thread takes as long as writing so many portions. */
const portionsEach = 3;

/** This thread, and for large exports others of the same kind, as many as the computer has processors for. */
export function exportCrew(writeHere: Writer, options: ExportThreadOptions): WriterCrew {
  return {
    async work(portions, work) {
      const threads = Math.min(availableParallelism(), mostThreads, Math.ceil(portions / portionsEach));
      const helpers = Array.from({ length: threads - 1 }, () => new ExportThread(options));
      try {
        await Promise.all([writeHere, ...helpers.map(({ write }) => write)].map(work));
      } finally {
        await Promise.all(helpers.map((helper) => helper.close()));
      }
    },
  };
}
