import { constants } from 'node:fs';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../contract/errors.ts';
import { ownFiles, uuidForm } from '../../core/own-files.ts';

const fileName = new RegExp(`^${uuidForm}$`);

/**
 * The recordings that the service holds: one file per job, named by the job's identifier, so that names from requests
 * never reach the file system.
 */
export class MediaFiles {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<MediaFiles> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new MediaFiles(folder);
  }

  pathOf(jobId: string): string {
    return join(this.#folder, jobId);
  }

  /** Opens a job's file for writing at any position; creates it when it is missing. */
  async openForWriting(jobId: string): Promise<FileHandle> {
    return open(this.pathOf(jobId), constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** Returns the first bytes of a job's file, at most `length`, and its size; `null` when there is no file. */
  async readHead(
    jobId: string,
    length: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly sizeBytes: number } | null> {
    const file = await open(this.pathOf(jobId), 'r').catch(nullIfAbsent);
    if (file === null) return null;
    try {
      const { size } = await file.stat();
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, 0);
      return { bytes: buffer.subarray(0, bytesRead), sizeBytes: size };
    } finally {
      await file.close();
    }
  }

  /** Removes a job's file, if there is one. */
  async remove(jobId: string): Promise<void> {
    await rm(this.pathOf(jobId), { force: true });
  }

  /** Returns the identifiers of all jobs that have a file. */
  async list(): Promise<readonly string[]> {
    return ownFiles(await readdir(this.#folder, { withFileTypes: true }), fileName);
  }
}

function nullIfAbsent(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null;
  throw error;
}
