import { availableParallelism } from 'node:os';
import { Exporter, type ExporterOptions } from './exporter.ts';
import type { Writer, WriterPool } from './write-files.ts';

/** With more threads, the disk is the bottleneck. */
const maxThreads = 8;
/** Starting a thread takes as long as writing this many batches. */
const batchesPerThread = 3;

/** Creates a pool of the given writer and, for large exports, more threads, up to the number of processors. */
export function createWriterPool(writeHere: Writer, options: ExporterOptions): WriterPool {
  return {
    async run(batches, work) {
      const threads = Math.min(availableParallelism(), maxThreads, Math.ceil(batches / batchesPerThread));
      const helpers = Array.from({ length: threads - 1 }, () => new Exporter(options));
      try {
        await Promise.all([writeHere, ...helpers.map(({ write }) => write)].map(work));
      } finally {
        await Promise.all(helpers.map((helper) => helper.close()));
      }
    },
  };
}
