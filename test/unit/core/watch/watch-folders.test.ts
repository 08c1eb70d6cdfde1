import { copyFile, mkdir, open, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { watch as watchFiles } from 'chokidar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultJobOptions } from '../../../../electron/contract/options.ts';
import type { ItemId } from '../../../../electron/contract/model/identifiers.ts';
import type { Longhand } from '../../../../electron/core/longhand.ts';
import type { ItemState } from '../../../../electron/core/queue/machine/item.ts';
import { WatchFolders } from '../../../../electron/core/watch/watch-folders.ts';
import { openCore, quietLogger, rowsOf } from '../../../support/core.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts';
import { FastClock } from '../../../support/clocks/fast-clock.ts';
import { speechlessWave } from '../../../support/speech/quick-speech.ts';

let home: TemporaryFolder;
let season: string;
let clock: FastClock;
let longhand: Longhand;
let folders: WatchFolders;
let away: string[];
/** States that items are said to be in: nothing is transcribed here. */
let states: Map<ItemId, ItemState>;
let retried: ItemId[];
/** Makes the system refuse to watch; the words are those of a system whose watches are used up. */
let refuse: () => void;
let refusing: boolean;

function openAll(): void {
  longhand = openCore(join(home.path, 'data'));
  folders = new WatchFolders({
    store: longhand.watch,
    clock,
    logger: quietLogger,
    add: (paths) =>
      longhand.queue.add({
        paths,
        links: [],
        service: 'on-device',
        options: defaultJobOptions,
        wanted: [],
        signal: new AbortController().signal,
      }),
    item: (id) => {
      const item = longhand.queue.get(id);
      const state = states.get(id);
      return item === null || state === undefined ? item : { ...item, state };
    },
    retry: async (id) => void retried.push(id),
    onChange: () => undefined,
    onAway: (name) => away.push(name),
    watch: (...what) => {
      const watcher = watchFiles(...what);
      refuse = () => {
        const message = 'ENOSPC: System limit for number of file watchers reached';
        watcher.emit('error', Object.assign(new Error(message), { code: 'ENOSPC' }));
      };
      if (refusing) watcher.once('ready', refuse);
      return watcher;
    },
  });
  folders.start();
}

async function closeAll(): Promise<void> {
  await folders.close();
  await longhand.close();
}

beforeEach(async () => {
  home = await temporaryFolder();
  season = join(home.path, 'Season 9');
  await mkdir(season);
  away = [];
  states = new Map();
  retried = [];
  refusing = false;
  clock = new FastClock();
  openAll();
});

afterEach(async () => {
  await closeAll();
  await home.remove();
});

const names = (): readonly string[] =>
  rowsOf(longhand)
    .map(({ name }) => name)
    .toSorted();
const queued = (): number => longhand.queue.view({ filter: 'all', offset: 0, limit: 0 }).total;
const stateOf = (): string | undefined => folders.list()[0]?.state.kind;
const write = (name: string, seconds: number): Promise<void> =>
  writeFile(join(season, name), speechlessWave(seconds));

/** Lets time pass; what falls due meanwhile is done afterwards. */
async function pass(ms: number): Promise<void> {
  await clock.passUntil(
    () => false,
    () => false,
    ms,
  );
}

/** Looks after another second has passed, for polls: what the system tells of files comes in its own time. */
const later =
  <T>(look: () => T) =>
  async (): Promise<T> => {
    await pass(1_000);
    return look();
  };
const patient = { timeout: 30_000 };

/** Long enough for whatever has come to be added, if it is going to be. */
const settle = (): Promise<void> => pass(60_000);

async function watch(addPresent = false): Promise<void> {
  folders.add(season, addPresent);
  await expect.poll(later(stateOf), patient).toBe('watching');
}

describe('a watched folder', () => {
  it('adds what comes, also in folders below, and leaves alone what was there', async () => {
    await write('old.wav', 1);
    await watch();
    await write('new.wav', 2);
    await mkdir(join(season, 'Raw'));
    await write('Raw/deep.wav', 3);
    await expect.poll(later(names), patient).toEqual(['deep.wav', 'new.wav']);
    await settle();
    expect(names()).toEqual(['deep.wav', 'new.wav']);
    expect((await readdir(season)).toSorted()).toEqual(['Raw', 'new.wav', 'old.wav']);
    expect(folders.list()[0]).toMatchObject({ addedCount: 2, unfinishedCount: 0 });
  });

  it('adds what is there when that is wanted', async () => {
    await write('old.wav', 1);
    await watch(true);
    await expect.poll(later(names), patient).toEqual(['old.wav']);
  });

  it('picks up no texts, hidden files or parts of downloads, whatever they are called', async () => {
    await watch();
    await writeFile(join(season, 'notes.txt'), 'Episode 1');
    await writeFile(join(season, 'source.ts'), 'export const one = 1;\n');
    await writeFile(join(season, 'text.mp3'), 'This is no sound.\n'.repeat(100));
    await write('.hidden.wav', 1);
    await write('talk.wav.part', 2);
    await write('last.wav', 3);
    await expect.poll(later(names), patient).toEqual(['last.wav']);
    await rename(join(season, 'talk.wav.part'), join(season, 'talk.wav'));
    await expect.poll(later(names), patient).toEqual(['last.wav', 'talk.wav']);
  });

  it('adds each content once: not when it is renamed, copied, or found after a restart', async () => {
    await watch();
    await write('one.wav', 1);
    await expect.poll(later(names), patient).toEqual(['one.wav']);
    await rename(join(season, 'one.wav'), join(season, 'first.wav'));
    await copyFile(join(season, 'first.wav'), join(season, 'copy.wav'));
    await write('last.wav', 3);
    await expect.poll(later(names), patient).toEqual(['last.wav', 'one.wav']);
    longhand.queue.remove(rowsOf(longhand).map(({ id }) => id));
    await closeAll();
    await write('while closed.wav', 2);
    openAll();
    await expect.poll(later(names), patient).toEqual(['while closed.wav']);
    await settle();
    expect(names()).toEqual(['while closed.wav']);
  });

  it('waits for a file that is written slowly, and then adds all of it', async () => {
    await watch();
    const content = speechlessWave(4);
    const file = await open(join(season, 'slow.wav'), 'w');
    await expect
      .poll(
        later(() => folders.list()[0]?.unfinishedCount),
        patient,
      )
      .toBe(1);
    const piece = Math.ceil(content.length / 12);
    for (let start = 0; start < content.length; start += piece) {
      await file.write(content.subarray(start, start + piece));
      await pass(2_000);
      expect(queued()).toBe(0);
    }
    await file.close();
    await expect.poll(later(names), patient).toEqual(['slow.wav']);
    expect(rowsOf(longhand)[0]?.sizeBytes).toBe(content.length);
  });

  it('is told when it has vanished, and comes back by itself', async () => {
    await watch();
    await rename(season, `${season} elsewhere`);
    await expect.poll(later(stateOf), patient).toBe('away');
    await settle();
    expect(away).toEqual(['Season 9']);
    await mkdir(season);
    await write('later.wav', 3);
    await expect.poll(later(names), patient).toEqual(['later.wav']);
    expect(stateOf()).toBe('watching');
  });

  it('is told once when the system will not watch it, and is watched again as soon as it will', async () => {
    await watch();
    refusing = true;
    refuse();
    expect(stateOf()).toBe('away');
    await write('meanwhile.wav', 1);
    // Asked again, and refused, several times.
    await pass(100_000);
    expect(stateOf()).toBe('away');
    expect(away).toEqual(['Season 9']);
    refusing = false;
    await expect.poll(later(stateOf), patient).toBe('watching');
    await write('later.wav', 3);
    await expect.poll(later(names), patient).toEqual(['later.wav', 'meanwhile.wav']);
    refuse();
    expect(away).toEqual(['Season 9', 'Season 9']);
  });

  it('is watched on beside an entry that leads nowhere', async () => {
    await watch();
    await symlink('loop.wav', join(season, 'loop.wav'));
    await write('one.wav', 1);
    await expect.poll(later(names), patient).toEqual(['one.wav']);
    expect(stateOf()).toBe('watching');
    expect(away).toEqual([]);
  });

  it('adds nothing while it is paused, and what came meanwhile afterwards', async () => {
    await watch();
    const { id } = folders.list()[0]!;
    await folders.change(id, { paused: true });
    await write('meanwhile.wav', 1);
    await settle();
    expect(queued()).toBe(0);
    await folders.change(id, { paused: false });
    await expect.poll(later(names), patient).toEqual(['meanwhile.wav']);
  });

  it('is watched no more once it is removed, and may be added again', async () => {
    await watch();
    expect(() => folders.add(season, false)).toThrow('folder_watched');
    await folders.remove(folders.list()[0]!.id);
    // What was being read when it ended may fail late.
    expect(refuse).not.toThrow();
    await write('after.wav', 1);
    await settle();
    expect(queued()).toBe(0);
    await watch(true);
    await expect.poll(later(names), patient).toEqual(['after.wav']);
  });
});

/** Watches, and waits until a recording has been added. */
async function addWatched(): Promise<ItemId> {
  await watch();
  await write('talk.wav', 2);
  await expect.poll(later(names), patient).toEqual(['talk.wav']);
  await settle();
  const [row] = rowsOf(longhand);
  if (row === undefined) throw new Error('one is queued');
  return row.id;
}

describe('a file that is written on after it has been added', () => {
  const blocked: ItemState = {
    kind: 'blocked',
    problem: { code: 'file_changed' },
    at: { kind: 'waiting' },
  };

  it('is sent as it is now once its upload has noticed, and is not added again', async () => {
    const id = await addWatched();
    await write('talk.wav', 3);
    await settle();
    expect(retried).toEqual([]);
    states.set(id, blocked);
    await expect
      .poll(
        later(() => retried),
        patient,
      )
      .toEqual([id]);
    await settle();
    expect(retried).toEqual([id]);
    expect(names()).toEqual(['talk.wav']);
  });

  it('waits for its user when it is blocked for another reason, or was not written on', async () => {
    const id = await addWatched();
    states.set(id, blocked);
    await settle();
    states.set(id, { ...blocked, problem: { code: 'disk_full' } });
    await write('talk.wav', 3);
    await settle();
    expect(retried).toEqual([]);
    expect(names()).toEqual(['talk.wav']);
  });

  it('is another recording once the first has been transcribed', async () => {
    const id = await addWatched();
    states.set(id, { kind: 'done', transcriptId: 1, wordCount: 1 });
    await write('talk.wav', 3);
    await expect.poll(later(queued), patient).toBe(2);
    await settle();
    expect(queued()).toBe(2);
    expect(retried).toEqual([]);
  });
});

it('looks through a drive that tells nothing', async () => {
  await watch();
  await folders.change(folders.list()[0]!.id, { polled: true });
  await expect.poll(later(stateOf), patient).toBe('watching');
  await write('far.wav', 1);
  await expect.poll(later(names), patient).toEqual(['far.wav']);
});

it('takes a thousand files at once, each once', async () => {
  await watch();
  const thousand = Array.from({ length: 1000 }, (_, index) => index);
  await Promise.all(
    thousand.map((index) => {
      const wave = speechlessWave(1);
      wave.writeUInt32LE(index, wave.length - 4);
      return writeFile(join(season, `Take ${index}.wav`), wave);
    }),
  );
  await expect.poll(later(queued), { timeout: 80_000 }).toBe(1000);
  await settle();
  expect(queued()).toBe(1000);
  await rm(season, { recursive: true });
  expect(queued()).toBe(1000);
}, 90_000);
