import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProblemError, type ProblemCode } from '../../../../../electron/contract/problem.ts';
import { removeAbandonedBackups } from '../../../../../electron/core/library/backup/partial-backups.ts';
import { writeBackup } from '../../../../../electron/core/library/backup/write-backup.ts';
import type { TaskContext } from '../../../../../electron/core/library/task/run-task.ts';
import type { Library } from '../../../../../electron/core/library/library.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../../support/temporary-folder.ts';
import { canConnectDrives, connectDrive, type Drive } from '../../../../support/drives.ts';
import { defaultTaskOptions } from '../../../../support/default-task-options.ts';
import { openStore } from '../../store/store-kit.ts';
import { openLibrary, saveTranscript } from '../library-kit.ts';

interface Opened {
  readonly store: Store;
  readonly library: Library;
}

let folder: TemporaryFolder;
let open: Opened[];
let drives: Drive[];

beforeEach(async () => {
  folder = await temporaryFolder();
  open = [];
  drives = [];
});
afterEach(async () => {
  for (const { store, library } of open) {
    await library.close();
    await store.close();
  }
  for (const drive of drives) drive.remove();
  await folder.remove();
});

function openIn(path: string): Opened {
  const store = openStore(path, { clock: eagerClock });
  const opened = { store, library: openLibrary(store) };
  open.push(opened);
  return opened;
}

function connect(name: string, sizeBytes: number): Drive {
  const drive = connectDrive(folder.path, name, sizeBytes);
  drives.push(drive);
  return drive;
}

/** Saves transcripts with some megabytes. */
function fill(store: Store, count: number): void {
  const texts = Array.from({ length: 200 }, (_, index) => `harbour radio ${index} `.repeat(10));
  for (let index = 0; index < count; index += 1) saveTranscript(store, `Talk ${index}`, texts, index);
}

/** Writes a backup while something else happens. Returns the outcome. */
function backUp(
  store: Store,
  target: string,
  meanwhile: () => void = () => undefined,
): ProblemCode | 'whole' {
  let happened = false;
  const watch: TaskContext = {
    throwIfCancelled: () => undefined,
    reportProgress: () => {
      if (!happened) meanwhile();
      happened = true;
    },
  };
  const wish = { source: store.path, target, replace: true, createdAt: 1, appVersion: '1.2.3' };
  try {
    writeBackup(wish, watch);
    return 'whole';
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.code;
    throw error;
  }
}

const notes = (): readonly string[] =>
  readdirSync(join(folder.path, 'data')).filter((name) => name.startsWith('backup-draft'));

// Windows does not move a folder with an open file.
it.skipIf(process.platform === 'win32')(
  'a backup whose folder is moved fails, and leaves nothing there, nor in its replacement',
  () => {
    const { store } = openIn(join(folder.path, 'data'));
    fill(store, 60);
    const [before, after] = [join(folder.path, 'before'), join(folder.path, 'after')];
    mkdirSync(before);
    writeFileSync(join(before, 'library.longhand'), 'an earlier one');
    const move = (): void => renameSync(before, after);
    expect(backUp(store, join(before, 'library.longhand'), move)).toBe('backup_folder_gone');
    expect(readdirSync(after)).toEqual(['library.longhand']);
    expect(notes()).toEqual([]);

    const moveAgain = (): void => {
      renameSync(after, before);
      mkdirSync(after);
    };
    expect(backUp(store, join(after, 'library.longhand'), moveAgain)).toBe('backup_folder_gone');
    expect([readdirSync(before), readdirSync(after)]).toEqual([['library.longhand'], []]);
    expect(backUp(store, join(before, 'library.longhand'))).toBe('whole');
    expect(notes()).toEqual([]);
  },
);

it('what a computer of another name left of a backup is removed once it is a day old', () => {
  openIn(join(folder.path, 'data'));
  const draft = join(folder.path, '.longhand-backup-1-2.unfinished');
  const marker = join(folder.path, 'data', 'backup-draft-1-2.json');
  writeFileSync(draft, 'a part of a library');
  writeFileSync(marker, JSON.stringify({ draft, pid: 1, host: 'the name until yesterday' }));
  removeAbandonedBackups(join(folder.path, 'data'), true);
  expect([existsSync(draft), existsSync(marker)]).toEqual([true, true]);
  utimesSync(marker, 1_700_000_000, 1_700_000_000);
  removeAbandonedBackups(join(folder.path, 'data'), true);
  expect([existsSync(draft), existsSync(marker)]).toEqual([false, false]);
});

describe.skipIf(!canConnectDrives)('a drive', () => {
  it('that is removed during a backup has no leftovers once it is back', () => {
    const { store } = openIn(join(folder.path, 'data'));
    fill(store, 60);
    const stick = connect('stick', 64_000_000);
    const target = join(stick.path, 'library.longhand');
    expect(backUp(store, target, stick.disconnect)).toBe('backup_folder_gone');
    expect(notes()).toHaveLength(1);
    // The leftovers are remembered while the drive is missing.
    removeAbandonedBackups(join(folder.path, 'data'), true);
    expect(notes()).toHaveLength(1);

    stick.reconnect();
    expect(readdirSync(stick.path)).not.toEqual([]);
    // They are also remembered while they cannot be removed.
    stick.lock();
    removeAbandonedBackups(join(folder.path, 'data'), true);
    expect(notes()).toHaveLength(1);
    stick.unlock();
    expect(backUp(store, target)).toBe('whole');
    expect(readdirSync(stick.path)).toEqual(['library.longhand']);
    expect(notes()).toEqual([]);
  });

  it('that is full or read-only keeps its earlier backup and nothing else', () => {
    const { store } = openIn(join(folder.path, 'data'));
    const stick = connect('stick', 16_000_000);
    const target = join(stick.path, 'library.longhand');
    expect(backUp(store, target)).toBe('whole');
    fill(store, 60);
    for (const leave of [0, 100_000, 1_000_000]) {
      stick.fill(leave);
      expect(backUp(store, target)).toBe('backup_no_room');
    }
    stick.empty();
    stick.lock();
    expect(backUp(store, target)).toBe('backup_failed');
    stick.unlock();
    expect(readdirSync(stick.path)).toEqual(['ballast', 'library.longhand']);
    expect(notes()).toEqual([]);
    expect(backUp(store, target)).toBe('whole');
  });

  it('that the library itself fills does not prevent a backup to another drive', () => {
    const home = connect('home', 64_000_000);
    const { store } = openIn(join(home.path, 'data'));
    fill(store, 30);
    home.fill(0);
    const target = join(folder.path, 'library.longhand');
    expect(backUp(store, target)).toBe('whole');
    expect(existsSync(target)).toBe(true);
  });

  it('that fills up during a restore keeps what was restored, and the rest can follow later', async () => {
    const from = openIn(join(folder.path, 'from'));
    fill(from.store, 60);
    const file = join(folder.path, 'library.longhand');
    expect(backUp(from.store, file)).toBe('whole');

    const home = connect('home', 64_000_000);
    const { library } = openIn(join(home.path, 'data'));
    home.fill(500_000);
    await expect(library.backups.open(file, defaultTaskOptions)).rejects.toMatchObject({
      problem: { code: 'disk_full' },
    });
    home.empty();
    await library.backups.open(file, defaultTaskOptions);
    home.fill(1_000_000);
    const { added, addedAsCopies, outcome } = await library.backups.restore(defaultTaskOptions);
    expect({ addedAsCopies, outcome }).toEqual({ addedAsCopies: 0, outcome: 'disk-full' });
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(60);
    expect(library.counts().total).toBe(added);

    home.empty();
    const contents = await library.backups.open(file, defaultTaskOptions);
    expect(contents).toMatchObject({ total: 60, known: added, missing: 60 - added, differing: 0 });
    expect(await library.backups.restore(defaultTaskOptions)).toEqual({
      added: 60 - added,
      addedAsCopies: 0,
      outcome: 'finished',
    });
    expect(library.counts().total).toBe(60);
  });
});
