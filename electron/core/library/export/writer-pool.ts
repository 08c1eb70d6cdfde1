import { availableParallelism } from 'node:os';
import { Exporter, type ExporterOptions } from './exporter.ts';
import type { Writer, WriterPool } from './write-files.ts';

/** Beyond this the disk is what is waited for. */
const maxThreads = 8;
/** Starting a thread takes as long as writing so many portions. */
const batchesPerThread = 3;

/** This thread, and for large exports others of the same kind, as many as the computer has processors for. */
export function createWriterPool(writeHere: Writer, options: ExporterOptions): WriterPool {
  return {
    async run(portions, work) {
      const threads = Math.min(availableParallelism(), maxThreads, Math.ceil(portions / batchesPerThread));
      const helpers = Array.from({ length: threads - 1 }, () => new Exporter(options));
      try {
        await Promise.all([writeHere, ...helpers.map(({ write }) => write)].map(work));
      } finally {
        await Promise.all(helpers.map((helper) => helper.close()));
      }
    },
  };
}
