import { dirname } from 'node:path';
import type { Logger } from '../ports.ts';
import { storageProblem } from '../queue/storage-problem.ts';
import type { Store } from '../store/store.ts';
import type { WritableFile } from '../store/wanted-file-store.ts';
import { writeExport } from './export.ts';

/** Writes the files that are wanted of transcripts as soon as there are any, and after a restart those left over. */
export class WantedFiles {
  readonly #store: Store;
  readonly #logger: Logger;
  #work: Promise<void> = Promise.resolve();

  constructor(store: Store, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** Writes all that can be written now, after what is being written already. Never rejects. */
  write(): Promise<void> {
    this.#work = this.#work.then(() => this.#writeAll());
    return this.#work;
  }

  async #writeAll(): Promise<void> {
    for (const file of this.#store.wantedFiles.writable()) await this.#writeOne(file);
  }

  async #writeOne(file: WritableFile): Promise<void> {
    try {
      const transcript = this.#store.transcripts.get(file.transcriptId);
      const folder = file.folder ?? this.#folderOf(file);
      if (transcript === null || folder === null) return;
      this.#store.wantedFiles.markWritten(
        file,
        await writeExport({ transcript, format: file.format, folder }),
      );
    } catch (error) {
      const problem = storageProblem(error);
      this.#logger.warn('a transcript could not be written', { code: problem.code, format: file.format });
      this.#store.wantedFiles.markFailed(file, problem);
    }
  }

  #folderOf({ itemId }: WritableFile): string | null {
    const source = this.#store.items.get(itemId)?.source;
    return source?.kind === 'file' ? dirname(source.path) : null;
  }
}
