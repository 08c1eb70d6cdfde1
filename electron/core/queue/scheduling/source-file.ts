import { errorCode } from '../../../contract/errors.ts';
import { ProblemError, type ProblemCode } from '../../../contract/problem.ts';
import { fingerprintBy } from '../../media/fingerprint.ts';
import { openInside } from '../../media/file-inside.ts';
import { NotAFileError, openRegularFile } from '../../media/open-file.ts';
import type { Part } from '../../api/part-plan.ts';
import type { HttpBody } from '../../api/http.ts';
import type { FileSource } from '../../item/item.ts';

/** Where recordings are read from: the disk, or a simulation. */
export interface SourceFiles {
  /**
   * @throws the system's error, with its `code`, when there is no such file or it cannot be read; NotAFileError for
   *   anything but a file, and for a file of a watched folder that is reached through a symbolic link.
   */
  open(source: Pick<FileSource, 'path' | 'watchedFolder'>): Promise<SourceHandle>;
}

export interface SourceHandle {
  /** Size in bytes, modification time in Unix milliseconds and inode in decimal, as in {@link FileSource}. */
  stat(): Promise<Pick<FileSource, 'sizeBytes' | 'mtimeMs' | 'inode'>>;
  /** Reads up to `length` bytes at `position` to the start of `buffer`; returns the number of bytes read. */
  read(buffer: Uint8Array, length: number, position: number): Promise<number>;
  close(): Promise<void>;
}

/** The local file system. */
export const diskFiles: SourceFiles = {
  async open({ path, watchedFolder }) {
    const handle = await (watchedFolder === undefined
      ? openRegularFile(path)
      : openInside(watchedFolder, path));
    return {
      async stat() {
        const [stats, { ino }] = await Promise.all([handle.stat(), handle.stat({ bigint: true })]);
        return { sizeBytes: stats.size, mtimeMs: stats.mtimeMs, inode: String(ino) };
      },
      read: async (buffer, length, position) => (await handle.read(buffer, 0, length, position)).bytesRead,
      close: () => handle.close(),
    };
  },
};

/**
 * Opens a recording and ensures that it is the file that was added: same size, modification time and inode. A drive
 * that was unplugged may have new inode numbers; then the fingerprint has to match.
 *
 * @throws ProblemError `file_missing`, `file_unreadable` or `file_changed`.
 */
export async function openSource(source: FileSource, files: SourceFiles = diskFiles): Promise<SourceHandle> {
  const handle = await files.open(source).catch((error: unknown) => {
    throw new ProblemError(fileProblem(problemCodeOf(error), source.path), { cause: error });
  });
  // Closing a file on a drive that is gone may fail too; nothing was written to it.
  const close = (): Promise<void> => handle.close().catch(() => undefined);
  try {
    const { sizeBytes, mtimeMs, inode } = await handle.stat();
    const isUnmodified = sizeBytes === source.sizeBytes && mtimeMs === source.mtimeMs;
    if (!isUnmodified || (inode !== source.inode && !(await hasContentOf(source, handle))))
      throw new ProblemError(fileProblem('file_changed', source.path));
    return { ...handle, close };
  } catch (error) {
    await close();
    throw toProblemError(error, source.path);
  }
}

async function hasContentOf({ fingerprint, sizeBytes }: FileSource, handle: SourceHandle): Promise<boolean> {
  const read = (buffer: Uint8Array, length: number, position: number): Promise<number> =>
    handle.read(buffer, length, position);
  return (await fingerprintBy(read, sizeBytes)) === fingerprint;
}

/** Ensures that a recording exists and is unchanged. @throws ProblemError as {@link openSource}. */
export async function checkSource(source: FileSource, files: SourceFiles = diskFiles): Promise<void> {
  await (await openSource(source, files)).close();
}

/**
 * Returns one part of an open recording as a request body that is read while it is sent.
 *
 * @param onSent called with the number of bytes just sent.
 */
export function partBody(
  handle: SourceHandle,
  path: string,
  part: Part,
  onSent: (bytes: number) => void,
): HttpBody {
  async function* chunks(onProgress: (bytes: number) => void): AsyncIterable<Uint8Array> {
    const buffers = takeBuffers();
    const read = (from: number, buffer: Buffer): Promise<number> =>
      handle.read(buffer, Math.min(pieceBytes, part.length - from), part.offset + from);
    let [buffer, other] = buffers;
    let reading = read(0, buffer);
    let sent = 0;
    while (sent < part.length) {
      const bytesRead = await reading.catch((error: unknown) => {
        throw toProblemError(error, path);
      });
      if (bytesRead === 0) throw new ProblemError(fileProblem('file_changed', path));
      const readUpTo = sent + bytesRead;
      if (readUpTo < part.length) {
        reading = read(readUpTo, other);
        // The next iteration handles the error, if there is one.
        reading.catch(() => undefined);
      }
      // Resumes once the piece was sent: a full socket blocks the generator until then.
      yield buffer.subarray(0, bytesRead);
      sent = readUpTo;
      [buffer, other] = [other, buffer];
      onProgress(bytesRead);
      onSent(bytesRead);
    }
    // Not returned after an error: the broken connection may still use one of them.
    returnBuffers(buffers);
  }
  return { length: part.length, chunks };
}

/** Converts an error of the recording's file, which must not count as an error of our own storage. */
const toProblemError = (error: unknown, path: string): ProblemError =>
  error instanceof ProblemError
    ? error
    : new ProblemError(fileProblem(problemCodeOf(error), path), { cause: error });

function problemCodeOf(error: unknown): ProblemCode {
  if (error instanceof NotAFileError) return 'file_changed';
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'file_missing' : 'file_unreadable';
}

const fileProblem = (code: ProblemCode, path: string): { code: ProblemCode; params: { path: string } } => ({
  code,
  params: { path },
});

/** Recordings are read and sent in pieces of this size, in bytes. */
export const pieceBytes = 1024 * 1024;

/** Two alternating buffers: the next piece is read into one while the other is being sent. */
type PieceBuffers = readonly [Buffer, Buffer];

/** One pair for each parallel upload at most. */
const maxPooled = 4;
const bufferPool: PieceBuffers[] = [];

/** Takes buffers for one part from the pool: allocating them for each part costs as much as sending it. */
const takeBuffers = (): PieceBuffers =>
  bufferPool.pop() ?? [Buffer.allocUnsafeSlow(pieceBytes), Buffer.allocUnsafeSlow(pieceBytes)];

/** Returns buffers to the pool; they must no longer be read or sent. */
function returnBuffers(buffers: PieceBuffers): void {
  if (bufferPool.length < maxPooled) bufferPool.push(buffers);
}
