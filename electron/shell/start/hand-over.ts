import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { RecordingInputs } from '../../core/media/links.ts';
import type { Logger } from '../../core/ports.ts';

const handedOverSchema = z.object({
  paths: z.array(z.string()),
  links: z.array(z.string()),
  ask: z.boolean(),
});

/** Recordings from another start; `ask`: whether the window shows them before it adds them. */
export type HandedOver = RecordingInputs & { readonly ask: boolean };

const folderIn = (dataFolder: string): string => join(dataFolder, 'hand-over');

/**
 * Leaves recordings for the window that works in the data folder. In a file, because a long list does not fit into the
 * message of the single-instance lock, and so that nothing is lost if the window ends before it has added them.
 *
 * @throws the system's error when the folder cannot be written.
 */
export function handOverRecordings(dataFolder: string, recordings: HandedOver): void {
  const folder = folderIn(dataFolder);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.json`);
  // The window looks only for the final name, under which the file is complete.
  writeFileSync(`${path}.part`, JSON.stringify(recordings));
  renameSync(`${path}.part`, path);
}

/** Adds what other starts have left, now and later. */
export class HandOverInbox {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #add: (recordings: HandedOver) => Promise<void>;
  readonly #stopWatching: () => void;
  #pending: Promise<void> = Promise.resolve();

  /** @param add resolves when the recordings are stored or shown. */
  constructor(dataFolder: string, logger: Logger, add: (recordings: HandedOver) => Promise<void>) {
    this.#folder = folderIn(dataFolder);
    this.#logger = logger;
    this.#add = add;
    mkdirSync(this.#folder, { recursive: true });
    const watcher = watch(this.#folder, () => this.check());
    watcher.on('error', (error) =>
      logger.warn('the hand-over folder is not watched', { error: String(error) }),
    );
    this.#stopWatching = () => watcher.close();
    this.check();
  }

  /** Checks for new files. */
  check(): void {
    this.#pending = this.#pending
      .then(() => this.#addAll())
      // The next check retries.
      .catch((error: unknown) =>
        this.#logger.warn('the hand-over folder could not be read', { error: String(error) }),
      );
  }

  /** Stops; what is being added is finished first. */
  async close(): Promise<void> {
    this.#stopWatching();
    await this.#pending;
  }

  async #addAll(): Promise<void> {
    for (const name of readdirSync(this.#folder)) {
      if (!name.endsWith('.json')) continue;
      const path = join(this.#folder, name);
      try {
        await this.#add(handedOverSchema.parse(JSON.parse(readFileSync(path, 'utf8'))));
      } catch (error) {
        this.#logger.error('handed-over recordings could not be added', { error: String(error) });
      }
      rmSync(path, { force: true });
    }
  }
}
