import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { InterruptedImport } from '../../../contract/library-commands.ts';
import type { Logger } from '../../ports.ts';
import type { Store } from '../../store/store.ts';
import { importService } from './import-files.ts';

const importSchema = z.object({
  paths: z.array(z.string()),
  /** What was known once all files were found; `null` before that. */
  found: z
    .object({
      total: z.int().nonnegative(),
      /** The latest transcript of the library before it. */
      latest: z.int().nonnegative(),
    })
    .nullable(),
});

type UnfinishedImport = z.infer<typeof importSchema>;

/** An import that waits or runs. */
export interface ImportRecord {
  /** Called with the number of files once all are found. */
  readonly found: (total: number) => void;
  /** Forgets the import, unless the program is closing: then it is an interrupted one at the next start. */
  readonly finish: () => void;
}

export interface UnfinishedImportsOptions {
  readonly folder: string;
  readonly store: Store;
  readonly logger: Logger;
  /** Aborted when the program closes. */
  readonly closed: AbortSignal;
}

/** Stores the imports that run, so that those that the end of the program interrupted can be resumed. */
export class UnfinishedImports {
  readonly #path: string;
  readonly #store: Store;
  readonly #logger: Logger;
  readonly #closed: AbortSignal;
  readonly #running = new Set<UnfinishedImport>();
  /** Those of earlier runs of the program, as one. */
  #interrupted: UnfinishedImport | null;

  constructor({ folder, store, logger, closed }: UnfinishedImportsOptions) {
    this.#path = join(folder, 'unfinished-imports.json');
    this.#store = store;
    this.#logger = logger;
    this.#closed = closed;
    this.#interrupted = asOne(read(this.#path));
  }

  /** Returns what was interrupted and is neither resumed nor dismissed; `null` if there is nothing. */
  get interrupted(): InterruptedImport | null {
    if (this.#interrupted === null) return null;
    const { found } = this.#interrupted;
    return found === null
      ? { imported: null }
      : { imported: this.#store.library.countAfter(found.latest, importService), total: found.total };
  }

  /** Records an import that is about to run. */
  record(paths: readonly string[]): ImportRecord {
    return this.#record({ paths: [...paths], found: null });
  }

  /** Records that what was interrupted runs again; `null` if there is nothing. */
  resume(): (ImportRecord & { readonly paths: readonly string[] }) | null {
    const interrupted = this.#interrupted;
    if (interrupted === null) return null;
    this.#interrupted = null;
    return { ...this.#record(interrupted), paths: interrupted.paths };
  }

  /** Forgets what was interrupted. */
  dismiss(): void {
    this.#interrupted = null;
    this.#write();
  }

  #record(unfinished: UnfinishedImport): ImportRecord {
    this.#running.add(unfinished);
    this.#write();
    return {
      found: (total) => {
        const latest = unfinished.found?.latest ?? this.#store.library.latestId();
        unfinished.found = { total, latest };
        this.#write();
      },
      finish: () => {
        if (this.#closed.aborted) return;
        this.#running.delete(unfinished);
        this.#write();
      },
    };
  }

  #write(): void {
    const all = [...(this.#interrupted === null ? [] : [this.#interrupted]), ...this.#running];
    try {
      if (all.length === 0) rmSync(this.#path, { force: true });
      else {
        writeFileSync(`${this.#path}.new`, JSON.stringify(all), { mode: 0o600 });
        renameSync(`${this.#path}.new`, this.#path);
      }
    } catch (error) {
      // The import itself does not depend on it.
      this.#logger.warn('the unfinished imports could not be stored', { error: String(error) });
    }
  }
}

function read(path: string): readonly UnfinishedImport[] {
  try {
    return z.array(importSchema).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return [];
  }
}

function asOne(all: readonly UnfinishedImport[]): UnfinishedImport | null {
  if (all.length === 0) return null;
  const found = all.map((one) => one.found).filter((one) => one !== null);
  return {
    paths: [...new Set(all.flatMap(({ paths }) => paths))],
    found:
      found.length < all.length
        ? null
        : {
            total: found.reduce((sum, { total }) => sum + total, 0),
            latest: Math.min(...found.map(({ latest }) => latest)),
          },
  };
}
