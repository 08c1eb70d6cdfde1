import type { Readable } from 'node:stream';
import { errorCode } from '../../contract/errors.ts';
import type { Clock } from '../../core/ports.ts';
import type { PartStore } from '../jobs/part-store.ts';
import type { MediaFiles } from './media-files.ts';
import { writeStream } from './write-to-file.ts';

/** A part that is being received. */
export interface IncomingPart {
  readonly jobId: string;
  readonly number: number;
  /** Where the part begins in the file. */
  readonly offset: number;
  /** Its exact number of bytes. */
  readonly length: number;
  readonly bytes: Readable;
}

/** A newer attempt at the same part, or the end of the job, has cancelled this one. */
export class SupersededPartError extends Error {
  override readonly name = 'SupersededPartError';
}

/** The connection ended before all bytes of the part had arrived. */
export class TruncatedPartError extends Error {
  override readonly name = 'TruncatedPartError';
}

interface PartWrite {
  readonly jobId: string;
  readonly abort: AbortController;
  readonly ended: Promise<unknown>;
}

/**
 * Writes parts directly to their offsets in the job's file. A part counts as stored only when it is recorded, after its
 * bytes are on the disk; the record is removed before they are written again. Memory does not grow with the size of the
 * part.
 */
export class PartWriter {
  readonly #files: MediaFiles;
  readonly #parts: PartStore;
  readonly #clock: Clock;
  readonly #sessionMs: number;
  readonly #activeWrites = new Map<string, PartWrite>();

  constructor(files: MediaFiles, parts: PartStore, clock: Clock, sessionMs: number) {
    this.#files = files;
    this.#parts = parts;
    this.#clock = clock;
    this.#sessionMs = sessionMs;
  }

  /**
   * Writes one part. An active attempt at the same part is cancelled first: its sender has given up.
   *
   * @returns `false` when the job no longer waits for parts.
   * @throws SupersededPartError, TruncatedPartError, or an error of the disk.
   */
  async write(part: IncomingPart): Promise<boolean> {
    const key = `${part.jobId}/${part.number}`;
    for (
      let activeWrite = this.#activeWrites.get(key);
      activeWrite !== undefined;
      activeWrite = this.#activeWrites.get(key)
    ) {
      await cancelWrite(activeWrite);
    }
    const abort = new AbortController();
    const work = this.#store(part, abort.signal).finally(() => this.#activeWrites.delete(key));
    this.#activeWrites.set(key, { jobId: part.jobId, abort, ended: work.catch(() => undefined) });
    return work;
  }

  /** Cancels all writes of a job, or of all jobs. */
  async cancel(jobId?: string): Promise<void> {
    const affected = [...this.#activeWrites.values()].filter(
      (write) => jobId === undefined || write.jobId === jobId,
    );
    await Promise.all(affected.map(cancelWrite));
  }

  async #store(part: IncomingPart, signal: AbortSignal): Promise<boolean> {
    if (!this.#parts.invalidate(part.jobId, part.number)) return false;
    const file = await this.#files.openForWriting(part.jobId);
    try {
      let received = 0;
      await writeStream(part.bytes, file, part.offset, signal, (bytes) => {
        received += bytes;
      });
      if (received !== part.length) throw new TruncatedPartError();
      await file.datasync();
    } catch (error) {
      // The rest of the body has to be read, or the connection would block.
      part.bytes.resume();
      throw toTruncatedPartError(error);
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    return this.#parts.markStored(part.jobId, part.number, this.#clock.now() + this.#sessionMs);
  }
}

async function cancelWrite(write: PartWrite): Promise<void> {
  write.abort.abort(new SupersededPartError());
  await write.ended;
}

/** Converts the errors of a broken connection to a {@link TruncatedPartError}. */
function toTruncatedPartError(error: unknown): unknown {
  const code = errorCode(error);
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE'
    ? new TruncatedPartError('the connection ended', { cause: error })
    : error;
}
