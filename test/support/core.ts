import { defaultJobOptions } from '../../electron/contract/options.ts';
import type { QueueRow, RowState } from '../../electron/contract/queue-commands.ts';
import { defaultWriteOptions } from '../../electron/core/formats/write/write-options.ts';
import { Longhand, type LonghandOptions } from '../../electron/core/longhand.ts';
import type { Logger, SecretStore } from '../../electron/core/ports.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { createEmptyLibrary } from './empty-library.ts';

export const quietLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A keychain in memory. The real one is tested in `test/e2e/keychain.test.ts`. */
export function memorySecrets(keys: Readonly<Record<string, string>> = {}): SecretStore {
  const stored = new Map(Object.entries(keys));
  return {
    get: async (baseUrl) => stored.get(baseUrl) ?? null,
    set: async (baseUrl, key) => {
      stored.set(baseUrl, key);
      return { keptIn: 'keychain' };
    },
    remove: async (baseUrl) => void stored.delete(baseUrl),
    status: async (baseUrl) => (stored.has(baseUrl) ? 'keychain' : 'none'),
  };
}

/** Opens the real core on a folder, with the system's time and randomness. */
export function openCore(folder: string, options: Partial<LonghandOptions> = {}): Longhand {
  createEmptyLibrary(folder);
  return new Longhand({
    folder,
    program: 'command-line',
    clock: systemClock,
    random: systemRandom,
    logger: quietLogger,
    secrets: memorySecrets(),
    parallelUploads: () => 2,
    uploadLimit: () => null,
    canStartNew: () => true,
    defaultAutoExports: () => [],
    autoExportStyle: () => ({ writing: defaultWriteOptions, template: '{name}' }),
    onLeaseLost: () => undefined,
    ...options,
  });
}

/** Adds recordings with the default options. */
export function add(
  longhand: Longhand,
  paths: readonly string[],
  service = 'on-device',
  links: readonly string[] = [],
) {
  return longhand.queue.add({
    paths,
    links,
    service,
    options: defaultJobOptions,
    autoExports: null,
    signal: new AbortController().signal,
  });
}

/** Returns all rows of the queue. */
export const rowsOf = (longhand: Longhand): readonly QueueRow[] =>
  longhand.queue.view({ filter: 'all', offset: 0, limit: 500 }).rows;

/** Resolves once every row is in one of `kinds`. */
export async function waitUntilSettled(
  longhand: Longhand,
  ...kinds: readonly RowState['kind'][]
): Promise<readonly QueueRow[]> {
  const isSettled = (): boolean => rowsOf(longhand).every(({ state }) => kinds.includes(state.kind));
  await new Promise<void>((resolve) => {
    const end = longhand.listen({
      changed: () => {
        if (!isSettled()) return;
        end();
        resolve();
      },
    });
    if (isSettled()) {
      end();
      resolve();
    }
  });
  return rowsOf(longhand);
}

/** Returns the latest saved transcripts. */
export const savedTranscripts = (longhand: Longhand) =>
  longhand.library.list(
    { query: '', tag: null, sort: 'newest', trash: false },
    { offset: 0, limit: 10, all: false },
  );
