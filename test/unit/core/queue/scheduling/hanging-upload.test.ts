import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { initialProgress, type CreateRequest } from '../../../../../electron/core/item/item.ts';
import { Scheduler } from '../../../../../electron/core/queue/scheduling/scheduler.ts';
import type { ServiceRequests } from '../../../../../electron/core/queue/services/services.ts';
import { systemRandom } from '../../../../../electron/core/system.ts';
import { quietLogger } from '../../../../support/core.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { newLink, openStore } from '../../store/store-kit.ts';

/** The real scheduler with two waiting recordings, the first one on a drive that does not respond. */
async function hangingQueue() {
  const clock = new ManualClock();
  const store = openStore(await testFolder(), { clock });
  const source = {
    kind: 'file',
    path: '/mnt/talk.mp4',
    sizeBytes: 8,
    mtimeMs: 0,
    inode: '1',
    fingerprint: '',
    mimeType: 'video/mp4',
  } as const;
  const link = { ...newLink('https://files.example/1'), service: 'on-device' };
  const ids = store.items.add([{ ...link, source }, link, { ...link, seed: 'third' }]);
  const created: string[] = [];
  const client = {
    create: ({ key }: CreateRequest) => {
      created.push(key);
      return new Promise(() => undefined);
    },
  } as unknown as ServiceRequests;
  const scheduler = new Scheduler({
    store,
    services: {
      access: () => ({ kind: 'open', client, maxActiveJobs: 4 }),
      onChange: () => () => undefined,
    },
    clock,
    random: systemRandom,
    logger: quietLogger,
    files: { open: () => new Promise(() => undefined) },
    parallelUploads: () => 4,
    canStartNew: () => true,
    defaultAutoExports: () => [],
    onSaved: () => undefined,
    onChange: () => undefined,
  });
  onTestFinished(() => scheduler.abandon());
  /** Returns how many jobs were created, once all that can happen now has happened. */
  const createdCount = async (): Promise<number> => {
    for (let round = 0; round < 20; round++) {
      await setImmediate();
      clock.advance(0);
    }
    return created.length;
  };
  return { clock, store, scheduler, ids, createdCount };
}

it('an upload to this computer that hangs does not stop the others, but one more is sent', async () => {
  const { clock, scheduler, createdCount } = await hangingQueue();
  scheduler.start();
  clock.advance(4_000);
  expect(await createdCount()).toBe(0);
  clock.advance(1_000);
  expect(await createdCount()).toBe(1);
  clock.advance(60_000);
  expect(await createdCount()).toBe(1);
});

it('an upload to this computer that hangs is waited for while this computer has others to transcribe', async () => {
  const { clock, store, scheduler, ids, createdCount } = await hangingQueue();
  const request = { key: 'key', body: '{}' };
  const state = {
    kind: 'transcribing',
    jobId: 'key',
    request,
    status: 'running',
    progress: 0,
    recheck: 'none',
  } as const;
  store.items.setProgress(ids[2]!, { ...initialProgress, state, nextAttemptAt: clock.now() + 3_600_000 });
  scheduler.start();
  clock.advance(60_000);
  expect(await createdCount()).toBe(0);
});

it('an upload to this computer that sends bytes does not hang', async () => {
  const { clock, scheduler, ids, createdCount } = await hangingQueue();
  scheduler.start();
  for (let seconds = 0; seconds < 60; seconds++) {
    clock.advance(1_000);
    scheduler.meter.recordSent(ids[0]!, 1);
  }
  expect(await createdCount()).toBe(0);
});
