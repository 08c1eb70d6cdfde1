import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { StoredDownload } from '../jobs/download-store.ts';
import { writeStream } from '../media/write-to-file.ts';

/** The file of a download and the record of its progress. */
export interface DownloadTarget {
  readonly file: FileHandle;
  /** What an earlier run left in the file; `null`: nothing reliable. */
  readonly stored: StoredDownload | null;
  /** Records bytes on the disk from which a later run may resume. */
  record(stored: StoredDownload): void;
  /** Called before recorded bytes are overwritten. */
  forget(): void;
}

/** The range of a partial response (`Content-Range`). */
interface ContentRange {
  readonly start: number;
  /** Length of the whole file; `null` when the server does not state it. */
  readonly totalBytes: number | null;
}

/**
 * The progress of a download. A later run may resume from bytes that were flushed to the disk and then recorded, in that
 * order; the record is removed before its bytes are overwritten.
 */
export class DownloadProgress {
  readonly #target: DownloadTarget;
  readonly #stepBytes: number;
  #bytes = 0;
  #recordedBytes = 0;
  #validator: string | null = null;
  #totalBytes: number | null = null;

  private constructor(target: DownloadTarget, stepBytes: number) {
    this.#target = target;
    this.#stepBytes = stepBytes;
  }

  /**
   * Resumes from the bytes of an earlier run, if the file still has them.
   *
   * @param stepBytes the number of new bytes after which progress is recorded.
   */
  static async resume(target: DownloadTarget, stepBytes: number): Promise<DownloadProgress> {
    const progress = new DownloadProgress(target, stepBytes);
    const { file, stored } = target;
    if (stored !== null && (await file.stat()).size >= stored.bytes) {
      progress.#bytes = stored.bytes;
      progress.#recordedBytes = stored.bytes;
      progress.#validator = stored.validator;
      progress.#totalBytes = stored.totalBytes;
    }
    return progress;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether all bytes have arrived; always `false` when the server does not state the length. */
  get isComplete(): boolean {
    return this.#bytes === this.#totalBytes;
  }

  /** Returns headers that request only the rest, if the file is unchanged (RFC 9110, parts 13.1.5 and 14.2). */
  requestHeaders(): Readonly<Record<string, string>> {
    if (this.#bytes === 0 || this.#validator === null) return {};
    return { range: `bytes=${this.#bytes}-`, 'if-range': this.#validator };
  }

  /** Makes the next request ask for the whole file. */
  dropValidator(): void {
    this.#validator = null;
  }

  /**
   * Prepares for the body of a response: it continues the existing bytes, or starts the file over.
   *
   * @param status 200 or 206
   * @throws Error when the response has another range; the next request is then for the whole file.
   */
  async prepareFor(status: number, headers: Headers): Promise<void> {
    if (status === 200) {
      await this.#restart(headers, lengthOf(headers));
      return;
    }
    const range = contentRangeOf(headers);
    if (range?.start === 0) await this.#restart(headers, range.totalBytes);
    else if (range === null || !this.#isContinuation(range, headers)) {
      this.dropValidator();
      throw new Error('the server sent another range than was requested');
    } else this.#totalBytes ??= range.totalBytes;
  }

  /**
   * Appends the body of a response to the existing bytes.
   *
   * @param onBytes called after each write.
   * @throws what {@link writeStream} throws, or what `onBytes` does; Error when the file is not complete afterwards.
   */
  async append(body: Readable, signal: AbortSignal, onBytes: () => void): Promise<void> {
    await writeStream(body, this.#target.file, this.#bytes, signal, async (bytes) => {
      this.#bytes += bytes;
      onBytes();
      if (this.#bytes >= this.#recordedBytes + this.#stepBytes) await this.record();
    });
    if (this.#totalBytes === null || this.isComplete) return;
    // A server may send less than was requested (RFC 9110, part 15.3.7), but not more than the file has.
    if (this.#bytes > this.#totalBytes) this.dropValidator();
    throw new Error('the server sent another length than it stated');
  }

  /** Records the bytes so far for a later run, if the file has a reliable validator. */
  async record(): Promise<void> {
    if (this.#validator === null || this.#bytes === this.#recordedBytes) return;
    await this.#target.file.datasync();
    this.#target.record({
      validator: this.#validator,
      totalBytes: this.#totalBytes,
      bytes: this.#bytes,
    });
    this.#recordedBytes = this.#bytes;
  }

  async #restart(headers: Headers, totalBytes: number | null): Promise<void> {
    this.#target.forget();
    this.#bytes = 0;
    this.#recordedBytes = 0;
    this.#validator = validatorOf(headers);
    this.#totalBytes = totalBytes;
    await this.#target.file.truncate(0);
  }

  /** Whether a range continues this version. A server that ignores `If-Range` may send the rest of another one. */
  #isContinuation({ start, totalBytes }: ContentRange, headers: Headers): boolean {
    const version = headers.get(isEntityTag(this.#validator ?? '') ? 'etag' : 'last-modified');
    const isSameVersion = version === null || version === this.#validator;
    const isSameLength = totalBytes === null || this.#totalBytes === null || totalBytes === this.#totalBytes;
    return start === this.#bytes && isSameVersion && isSameLength;
  }
}

/** Returns the strong validator of this version of the file; `null` when there is none. */
function validatorOf(headers: Headers): string | null {
  const etag = headers.get('etag');
  if (etag !== null && isEntityTag(etag)) return etag;
  const modified = headers.get('last-modified');
  // A file may change twice within one second, the resolution of this time (RFC 9110, part 8.8.2.2).
  const ageMs = Date.parse(headers.get('date') ?? '') - Date.parse(modified ?? '');
  return ageMs >= 1000 ? modified : null;
}

/** Whether a validator is a strong entity tag (RFC 9110, part 8.8.3); a weak one begins with `W/`. */
const isEntityTag = (validator: string): boolean => validator.startsWith('"');

function lengthOf(headers: Headers): number | null {
  const length = headers.get('content-length');
  return length === null ? null : Number(length);
}

/** Parses the range of a partial response; `null` when it is missing or invalid. */
function contentRangeOf(headers: Headers): ContentRange | null {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/i.exec(headers.get('content-range') ?? '') ?? [];
  return start === undefined
    ? null
    : { start: Number(start), totalBytes: total === '*' ? null : Number(total) };
}
