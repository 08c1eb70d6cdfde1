import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import type { ServiceResult, Created, Job } from '../../electron/core/api/service-results.ts';
import { probeFileDuration } from '../../electron/core/media/probe.ts';
import { Queue } from '../../electron/core/queue/queue.ts';
import { Scheduler } from '../../electron/core/queue/scheduling/scheduler.ts';
import type { ServiceRequests, Services } from '../../electron/core/queue/services/services.ts';
import type { NewItem } from '../../electron/core/item/item.ts';
import { Store } from '../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { quietLogger } from '../support/core.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { saveResults } from './support/results.ts';

/**
 * Measures the cost of the queue itself, with a service that responds immediately and a real database on disk: events
 * per second and event loop delay with 10,000 items, how long a command for 100,000 items blocks the main process, and
 * how long the program takes to be ready with 100,000 items. `npm run bench -- queue`
 */

const service = 'https://cloud.example';
const respond = <T>(value: T): Promise<ServiceResult<T>> =>
  turn({ ok: true, value, retryAfterMs: 1, balanceCredits: 1 });

/** Every job is completed at its first poll. */
function quickService(): ServiceRequests {
  let serial = 0;
  const job: Job = {
    status: 'completed',
    progress: 100,
    durationSeconds: 60,
    creditsCharged: 1,
    transcript: {
      text: 'So it goes.',
      segments: [{ start: 0, end: 1, text: 'So it goes.' }],
      language: 'en',
    },
    error: null,
  };
  return {
    create: () => respond<Created>({ jobId: `job-${(serial += 1)}`, session: null }),
    sendPart: () => respond(null),
    complete: () => respond<Job | null>(job),
    status: () => respond(job),
    delete: () => respond(null),
    close: async () => undefined,
  };
}

const newLink = (number: number): NewItem => ({
  service,
  source: { kind: 'link', url: `https://a.example/${number}.mp3` },
  name: `${number}.mp3`,
  folderLabel: 'a.example',
  durationSeconds: null,
  options: defaultJobOptions,
  addedAt: 0,
  seed: systemRandom.uuid(),
});

const openStore = (folder: string): Store =>
  new Store({
    folder,
    program: 'command-line',
    clock: systemClock,
    random: systemRandom,
    onLeaseLost: () => undefined,
  });

function openQueue(store: Store): { scheduler: Scheduler; queue: Queue } {
  const client = quickService();
  const services: Services = {
    access: () => ({ kind: 'open', client, maxActiveJobs: 50 }),
    onChange: () => () => undefined,
  };
  const scheduler = new Scheduler({
    store,
    services,
    clock: systemClock,
    random: systemRandom,
    logger: quietLogger,
    parallelUploads: () => 4,
    canStartNew: () => true,
    defaultAutoExports: () => [],
    onSaved: () => undefined,
    onChange: () => undefined,
  });
  return {
    scheduler,
    queue: new Queue({
      store,
      scheduler,
      services,
      clock: systemClock,
      random: systemRandom,
      probeDuration: probeFileDuration,
    }),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
const links = (count: number): readonly NewItem[] =>
  Array.from({ length: count }, (_, index) => newLink(index));

/** Runs the queue for some seconds. An event is a commit with all its consequences. */
async function measureRun(items: number, seconds: number): Promise<Record<string, number>> {
  const folder = await temporaryFolder();
  const store = openStore(folder.path);
  store.items.add(links(items));
  const { scheduler } = openQueue(store);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  scheduler.start();
  await sleep(seconds * 1000);
  delay.disable();
  await scheduler.stop();
  const done = store.items.totals.count(['done']);
  await store.close();
  await folder.remove();
  // Started, created, completed and saved.
  const events = 4 * done;
  return {
    items,
    done,
    seconds,
    eventsPerSecond: Math.round(events / seconds),
    loopDelayP99Ms: rounded(delay.percentile(99) / 1e6),
    loopDelayMaxMs: rounded(delay.max / 1e6),
  };
}

/** Measures a command for all of 100,000 items, and a restart with them. */
async function measureManyItems(items: number): Promise<Record<string, number>> {
  const folder = await temporaryFolder();
  const store = openStore(folder.path);
  for (let from = 0; from < items; from += 5_000) store.items.add(links(5_000));
  const { scheduler, queue } = openQueue(store);
  const ids = queue.ids({ filter: 'all', offset: 0, limit: items });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  queue.pause(ids);
  const blockedMs = performance.now() - startedAt;
  while (store.items.totals.count(['paused']) < items) await turn();
  const pauseSeconds = (performance.now() - startedAt) / 1000;
  delay.disable();
  await scheduler.stop();
  await store.close();

  const reopenedAt = performance.now();
  const reopenedStore = openStore(folder.path);
  const recovered = openQueue(reopenedStore);
  recovered.scheduler.start();
  const rows = recovered.queue.view({ filter: 'all', offset: 0, limit: 50 }).rows.length;
  const recoveryMs = performance.now() - reopenedAt;
  await recovered.scheduler.stop();
  await reopenedStore.close();
  await folder.remove();
  return {
    items,
    pauseAllHeldUpMs: rounded(blockedMs),
    pauseAllSeconds: rounded(pauseSeconds),
    pauseAllLoopDelayP99Ms: rounded(delay.percentile(99) / 1e6),
    recoveryMs: Math.round(recoveryMs),
    firstRows: rows,
  };
}

const results = { run: await measureRun(10_000, 10), many: await measureManyItems(100_000) };
console.table(results);
saveResults('queue', results);
