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

/** A piece of a file, as a server tells of it. */
interface ContentRange {
  readonly start: number;
  /** Length of the whole file; `null` where that is not said. */
  readonly totalBytes: number | null;
}

/**
 * How far a download has come. Its bytes count for a later run once they are on the disk and recorded, in that order, a
 * step at a time; before they are touched again the record goes.
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
   * Resumes what an earlier run left, if it is still there.
   *
   * @param stepBytes how many more bytes are worth a record.
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

  /** Whether all bytes are there; never where the server does not tell how many there are. */
  get isWhole(): boolean {
    return this.#bytes === this.#totalBytes;
  }

  /** Asks for the rest alone, if the file is still the same (RFC 9110, parts 13.1.5 and 14.2). */
  requestHeaders(): Readonly<Record<string, string>> {
    if (this.#bytes === 0 || this.#validator === null) return {};
    return { range: `bytes=${this.#bytes}-`, 'if-range': this.#validator };
  }

  /** Makes the next request ask for the whole file. */
  dropValidator(): void {
    this.#validator = null;
  }

  /**
   * Prepares for the bytes of an answer: they follow on those that are there, or are the file from its beginning.
   *
   * @param status 200 or 206
   * @throws Error when it is neither; the next request is then for the whole file.
   */
  async prepareFor(status: number, headers: Headers): Promise<void> {
    if (status === 200) {
      await this.#restart(headers, lengthOf(headers));
      return;
    }
    const piece = contentRangeOf(headers);
    if (piece?.start === 0) await this.#restart(headers, piece.totalBytes);
    else if (piece === null || !this.#isRest(piece, headers)) {
      this.dropValidator();
      throw new Error('the server sent another piece than was asked for');
    } else this.#totalBytes ??= piece.totalBytes;
  }

  /**
   * Writes the bytes of an answer after those that are there.
   *
   * @param onBytes is called whenever there are more.
   * @throws what {@link writeStream} throws, or what `onBytes` does; Error when the file is not whole with them.
   */
  async append(answer: Readable, signal: AbortSignal, onBytes: () => void): Promise<void> {
    await writeStream(answer, this.#target.file, this.#bytes, signal, async (bytes) => {
      this.#bytes += bytes;
      onBytes();
      if (this.#bytes >= this.#recordedBytes + this.#stepBytes) await this.record();
    });
    if (this.#totalBytes === null || this.isWhole) return;
    // A server may send less than it was asked for (RFC 9110, part 15.3.7), but not more than there is.
    if (this.#bytes > this.#totalBytes) this.dropValidator();
    throw new Error('the server sent another piece than it said');
  }

  /** What is there counts from now on, if it can be gone on with at all. */
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

  /** Servers that ignore conditions send the rest of another version; its validator or its size may reveal that. */
  #isRest({ start, totalBytes }: ContentRange, headers: Headers): boolean {
    const version = headers.get(isEntityTag(this.#validator ?? '') ? 'etag' : 'last-modified');
    const isSameVersion = version === null || version === this.#validator;
    const isSameLength = totalBytes === null || this.#totalBytes === null || totalBytes === this.#totalBytes;
    return start === this.#bytes && isSameVersion && isSameLength;
  }
}

/** The server's word for this version of the file, if it is one that bytes may be put together by; else `null`. */
function validatorOf(headers: Headers): string | null {
  const etag = headers.get('etag');
  if (etag !== null && isEntityTag(etag)) return etag;
  const modified = headers.get('last-modified');
  // A file may change twice within the second that such a time is good to (RFC 9110, part 8.8.2.2).
  const ageMs = Date.parse(headers.get('date') ?? '') - Date.parse(modified ?? '');
  return ageMs >= 1000 ? modified : null;
}

/** Whether it is an entity tag that stands for the very same bytes (RFC 9110, part 8.8.3): a weak one begins with `W/`. */
const isEntityTag = (validator: string): boolean => validator.startsWith('"');

function lengthOf(headers: Headers): number | null {
  const length = headers.get('content-length');
  return length === null ? null : Number(length);
}

/** Which piece of the file a partial answer is; `null` when that is not said. */
function contentRangeOf(headers: Headers): ContentRange | null {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/i.exec(headers.get('content-range') ?? '') ?? [];
  return start === undefined
    ? null
    : { start: Number(start), totalBytes: total === '*' ? null : Number(total) };
}
