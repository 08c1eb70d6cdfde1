import { spawn } from 'node:child_process';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LibraryBackups } from '../../electron/core/library/backup/library-backups.ts';
import { LibraryReplacer } from '../../electron/core/library/replace/replace-in-all.ts';
import type { Store } from '../../electron/core/store/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eagerClock } from '../support/clocks/eager-clock.ts';
import { saveTranscript } from '../unit/core/library/library-kit.ts';
import { openStore } from '../unit/core/store/store-kit.ts';
import { replaceWords } from '../support/replace-words.ts';
import { defaultTaskOptions } from '../support/default-task-options.ts';
import { followedItem, followLink, saveLong } from '../support/long-transcript.ts';

const talks = ['First', 'Second', 'Third'];

let root: string;
let removeRoot: () => Promise<void>;

beforeEach(async () => {
  ({ path: root, remove: removeRoot } = await temporaryFolder());
});
afterEach(() => removeRoot());

interface OpenLibrary {
  readonly store: Store;
  readonly backups: LibraryBackups;
}

/** Opens a library as the next start does, and closes it afterwards. */
async function withLibrary<T>(
  folder: string,
  callback: (library: OpenLibrary) => Promise<T> | T,
): Promise<T> {
  const store = openStore(folder);
  const worker = new URL('../../electron/core/library/task/library-task-worker.ts', import.meta.url);
  const backups = new LibraryBackups({ store, clock: eagerClock, worker, onRestored: () => undefined });
  try {
    return await callback({ store, backups });
  } finally {
    await backups.close();
    await store.close();
  }
}

/** Everything that a library stores about its transcripts, by their names. */
function contentOf(store: Store): ReadonlyMap<string, unknown> {
  const ids = store.library.ids({ query: '', tag: null, sort: 'name', trash: false });
  return new Map(
    ids.map((id) => {
      const { id: _id, ...document } = store.edits.open(id) ?? { id, name: 'gone' };
      return [document.name, { document, tags: store.library.tagsOf([id]).filter(({ count }) => count > 0) }];
    }),
  );
}

type Work = 'backup' | 'restore' | 'save' | 'replace';

interface Run {
  /** Each point that was reached, such as `worker 3`. */
  readonly points: readonly string[];
  readonly wasKilled: boolean;
}

/** Runs the program until it is killed at a point, or to its end. */
async function run(what: Work, folder: string, file: string, point: string): Promise<Run> {
  const program = resolve(import.meta.dirname, 'library-program.ts');
  const child = spawn(process.execPath, [program, what, folder, file], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', LONGHAND_KILL_AT: point },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exitSignal = new Promise<string | null>((done) => {
    child.on('exit', (_code, signal) => done(signal));
  });
  const points = [...(await text(child.stdout)).matchAll(/^\w+ \d+/gm)].map(([point]) => point);
  return { points, wasKilled: (await exitSignal) === 'SIGKILL' };
}

/** Kills a run at each of its points, two at a time, and checks the folder that each leaves. */
async function killAtEachPoint(
  what: Work,
  prepare: (folder: string) => Promise<string>,
  check: (folder: string) => Promise<void>,
): Promise<void> {
  const attempt = async (name: string, point: string): Promise<Run> => {
    const folder = join(root, name);
    const file = await prepare(folder);
    const result = await run(what, join(folder, 'data'), file, point);
    await check(folder).catch((error: unknown) => {
      throw new Error(`killed at ${point}`, { cause: error });
    });
    return result;
  };
  const complete = await attempt('complete', '');
  expect(complete.wasKilled).toBe(false);
  expect(complete.points.length).toBeGreaterThan(20);
  const rest = complete.points.entries();
  const killAtNextPoints = async (): Promise<void> => {
    for (const [index, point] of rest) {
      const { wasKilled } = await attempt(`killed-${index}`, point);
      expect({ point, wasKilled }).toEqual({ point, wasKilled: true });
    }
  };
  await Promise.all([killAtNextPoints(), killAtNextPoints()]);
  console.log(`${what}: ${complete.points.length} kill points`);
}

/** A library with three transcripts, edited and tagged. */
function fill(folder: string): Promise<void> {
  return withLibrary(folder, ({ store }) => {
    for (const [index, name] of talks.entries()) {
      // The last one is too long to be restored in one step.
      const more = index === 2 ? Array.from({ length: 600 }, (_, number) => `and on ${number}`) : [];
      const id = saveTranscript(store, name, ['on the harbour wall', 'and back', ...more], index);
      store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: `Corrected ${name}` });
      store.library.tag([id], ['Sea', name], []);
    }
  });
}

const unfinished = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => /unfinished|backup-draft|backup-to-restore/.test(name));

it('a backup killed at any point is the old one or the new one, and leaves nothing behind', async () => {
  const model = join(root, 'model');
  await fill(join(model, 'data'));
  const file = join(model, 'backups', 'library.longhand');
  await mkdir(join(model, 'backups'));
  // The older backup is empty, so that it differs from the newer one.
  await withLibrary(join(root, 'empty'), ({ backups }) =>
    backups.write(file, { appVersion: '1.2.3', replace: true }, defaultTaskOptions),
  );
  await killAtEachPoint(
    'backup',
    async (folder) => {
      await cp(model, folder, { recursive: true });
      return join(folder, 'backups', 'library.longhand');
    },
    (folder) =>
      withLibrary(join(folder, 'data'), async ({ store, backups }) => {
        const contents = await backups.open(join(folder, 'backups', 'library.longhand'), defaultTaskOptions);
        expect([0, talks.length]).toContain(contents.total);
        expect(contents).toMatchObject({ known: contents.total, missing: 0, differing: 0 });
        await backups.closeOpened();
        expect(contentOf(store).size).toBe(talks.length);
        expect(await unfinished(join(folder, 'backups'))).toEqual([]);
        expect(await unfinished(join(folder, 'data'))).toEqual([]);
      }),
  );
}, 600_000);

it('a restore killed at any point leaves complete transcripts, and the next one adds the rest', async () => {
  const model = join(root, 'model');
  await fill(model);
  const file = join(root, 'library.longhand');
  const complete = await withLibrary(model, async ({ store, backups }) => {
    await backups.write(file, { appVersion: '1.2.3', replace: false }, defaultTaskOptions);
    return contentOf(store);
  });
  const target = join(root, 'target');
  await withLibrary(target, ({ store }) => saveTranscript(store, 'Of this computer', ['mine'], 9));
  await killAtEachPoint(
    'restore',
    async (folder) => {
      await cp(target, join(folder, 'data'), { recursive: true });
      return file;
    },
    (folder) =>
      withLibrary(join(folder, 'data'), async ({ store, backups }) => {
        const saved = new Map(contentOf(store));
        expect(saved.delete('Of this computer')).toBe(true);
        for (const [name, content] of saved) expect(content).toEqual(complete.get(name));
        expect(await unfinished(join(folder, 'data'))).toEqual([]);
        expect(store.library.counts()).toEqual({ total: 1 + saved.size, trashed: 0 });
        for (const id of store.staged.leftovers()) Array.from(store.staged.remove(id));
        expect(store.staged.leftovers()).toEqual([]);
        const { missing, known } = await backups.open(file, defaultTaskOptions);
        expect([missing, known]).toEqual([complete.size - saved.size, saved.size]);
        await backups.restore(defaultTaskOptions);
        const all = new Map(contentOf(store));
        all.delete('Of this computer');
        expect(all).toEqual(complete);
        expect(await unfinished(join(folder, 'data'))).toEqual([]);
      }),
  );
}, 600_000);

/** The texts of all transcripts, by name. */
const textsOf = (store: Store): readonly string[] =>
  store.library.ids({ query: '', tag: null, sort: 'name', trash: false }).map(
    (id) =>
      store.edits
        .open(id)
        ?.segments.map(({ text }) => text)
        .join(', ') ?? '',
  );

it('a replacement by a regular expression killed at any point is reported, and undone or made again', async () => {
  const model = join(root, 'model');
  await withLibrary(model, ({ store }) => {
    for (const [index, name] of talks.entries())
      saveTranscript(store, name, [`on ${name}`, 'on the harbour wall'], index);
  });
  const worker = new URL('../../electron/core/library/task/library-task-worker.ts', import.meta.url);
  const before = talks.map((name) => `on ${name}, on the harbour wall`);
  const after = talks.map((name) => `at ${name}, at harbour wall`);
  const reported = new Set<number>();
  await killAtEachPoint(
    'replace',
    async (folder) => {
      await cp(model, join(folder, 'data'), { recursive: true });
      return 'none';
    },
    (folder) =>
      withLibrary(join(folder, 'data'), async ({ store }) => {
        const replacer = new LibraryReplacer({ store, clock: eagerClock, worker, onChange: () => undefined });
        const texts = textsOf(store);
        // Each transcript is replaced completely, or not at all.
        const changed = texts.filter((text) => after.includes(text)).length;
        expect(texts.filter((text) => before.includes(text)).length).toBe(talks.length - changed);
        const stored = replacer.stored();
        expect(stored.map((run) => run.changed)).toEqual(changed === 0 ? [] : [changed]);
        const interrupted = stored.filter((run) => run.interrupted === 'replacement').length;
        expect(interrupted).toBe(changed > 0 && changed < talks.length ? 1 : 0);
        if (interrupted > 0) reported.add(changed);
        for (const { run } of stored) await replacer.undo(run, defaultTaskOptions);
        expect(textsOf(store)).toEqual(before);
        await replaceWords(store, worker);
        expect(textsOf(store)).toEqual(after);
      }),
  );
  expect(reported).toEqual(new Set([1, 2]));
}, 600_000);

it('a long transcript killed at any point is saved with its item done, or is saved again', async () => {
  const model = join(root, 'model');
  await withLibrary(model, ({ store }) => followLink(store));
  const complete = await withLibrary(join(root, 'complete-model'), async ({ store }) => {
    followLink(store);
    await saveLong(store);
    return contentOf(store);
  });
  await killAtEachPoint(
    'save',
    async (folder) => {
      await cp(model, join(folder, 'data'), { recursive: true });
      return 'none';
    },
    (folder) =>
      withLibrary(join(folder, 'data'), async ({ store }) => {
        const isDone = followedItem(store).state.kind === 'done';
        expect(contentOf(store)).toEqual(isDone ? complete : new Map());
        expect(store.library.counts()).toEqual({ total: isDone ? 1 : 0, trashed: 0 });
        for (const id of store.staged.leftovers()) Array.from(store.staged.remove(id));
        await saveLong(store);
        expect(followedItem(store).state.kind).toBe('done');
        expect(store.staged.leftovers()).toEqual([]);
        expect(contentOf(store)).toEqual(complete);
      }),
  );
}, 600_000);
