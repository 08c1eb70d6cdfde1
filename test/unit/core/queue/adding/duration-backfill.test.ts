import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import type { FileSource } from '../../../../../electron/core/item/item.ts';
import { DurationBackfill } from '../../../../../electron/core/queue/adding/duration-backfill.ts';
import type { Store } from '../../../../../electron/core/store/store.ts';
import { quietLogger } from '../../../../support/core.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { newLink, openStore } from '../../store/store-kit.ts';

const source = (path: string, fingerprint: string): FileSource => ({
  kind: 'file',
  path,
  sizeBytes: 1_000,
  mtimeMs: 1,
  inode: '1',
  mimeType: 'audio/wav',
  fingerprint,
});

async function storeWithFile(): Promise<{
  readonly store: Store;
  readonly id: number;
  readonly path: string;
}> {
  const folder = await testFolder();
  const store = openStore(folder);
  onTestFinished(() => store.close());
  const path = join(folder, 'talk.wav');
  const [id = -1] = store.items.add([{ ...newLink(''), source: source(path, 'before'), name: 'talk.wav' }]);
  return { store, id, path };
}

function backfillOf(store: Store, measure: () => Promise<number>): DurationBackfill {
  const backfill = new DurationBackfill({
    store,
    logger: quietLogger,
    probeDuration: async () => ({ seconds: await measure(), unmeasured: null }),
    onStored: () => undefined,
  });
  onTestFinished(() => backfill.stop());
  return backfill;
}

it('stores no duration of a file that was replaced while it was read, but that of the new one', async () => {
  const { store, id, path } = await storeWithFile();
  const durations = [60, 90];
  const backfill = backfillOf(store, async () => {
    const seconds = durations.shift() ?? 0;
    await Promise.resolve();
    if (seconds === 60) {
      store.items.setSource(id, source(path, 'after'), 'talk.wav', '');
      backfill.start(id);
    }
    return seconds;
  });
  backfill.start();
  await expect.poll(() => store.items.get(id)?.durationSeconds).toBe(90);
});

it('tries again with the next start if a duration could not be stored', async () => {
  const { store, id } = await storeWithFile();
  const other = new Database(store.path);
  onTestFinished(() => void other.close());
  other.exec(`CREATE TRIGGER no_room BEFORE UPDATE OF duration_seconds ON items
    BEGIN SELECT RAISE(ABORT, 'no room'); END`);
  let probeCount = 0;
  const backfill = backfillOf(store, async () => {
    probeCount += 1;
    return 60;
  });
  backfill.start();
  await expect.poll(() => probeCount).toBe(1);
  other.exec('DROP TRIGGER no_room');
  const startAgain = (): number | null | undefined => {
    backfill.start();
    return store.items.get(id)?.durationSeconds;
  };
  await expect.poll(startAgain).toBe(60);
});
