import { writeSync } from 'node:fs';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import { ServiceClient } from '../../electron/core/api/client.ts';
import type { Clock } from '../../electron/core/ports.ts';
import { probeFileDuration } from '../../electron/core/media/probe.ts';
import { Queue } from '../../electron/core/queue/queue.ts';
import { Scheduler } from '../../electron/core/queue/scheduling/scheduler.ts';
import type { ServiceRequests, Services } from '../../electron/core/queue/services/services.ts';
import { Store } from '../../electron/core/store/store.ts';
import { systemClock, systemRandom } from '../../electron/core/system.ts';
import { quietLogger } from '../support/core.ts';
import { killAt, type Kill } from './points.ts';

/**
 * The real core over real HTTP, in a process that may be killed at any point: sends the given recordings, cancels the
 * last one once a part of it has arrived, and ends when nothing is left to do. Arguments: the data folder, the
 * service's address and key, the kill point (0: none), and the recordings.
 */
const [folder = '', baseUrl = '', key = '', point = '0', ...paths] = process.argv.slice(2);
/** Speeds up the clock: the service asks for three seconds between two polls. */
const speedup = 40;
const clock: Clock = {
  now: () => systemClock.now() * speedup,
  schedule: (delayMs, callback) => systemClock.schedule(delayMs / speedup, callback),
};
// Written synchronously, so that a killed process has printed all of its points.
const kill = killAt(Number(point), (line) => writeSync(1, line));
const store = new Store({
  folder,
  program: 'command-line',
  clock,
  random: systemRandom,
  onLeaseLost: () => undefined,
  onCommit: (moment) => kill(`${moment} a commit`),
});
const client = withKillPoints(new ServiceClient(baseUrl, key, clock), kill);
const services: Services = {
  access: () => ({ kind: 'open', client, maxActiveJobs: 4 }),
  onChange: () => () => undefined,
};
const scheduler = new Scheduler({
  store,
  services,
  clock,
  random: systemRandom,
  logger: quietLogger,
  parallelUploads: () => 1,
  canStartNew: () => true,
  defaultAutoExports: () => [],
  onSaved: () => undefined,
  onChange: () => scheduleCheck(),
});
const queue = new Queue({
  store,
  scheduler,
  services,
  clock,
  random: systemRandom,
  probeDuration: probeFileDuration,
});
let isCheckScheduled = false;
const { promise: ended, resolve: end } = Promise.withResolvers<void>();

scheduler.start();
const signal = new AbortController().signal;
const addedNames = new Set(store.items.page({ filter: 'all', offset: 0, limit: 10 }).map(({ name }) => name));
const missing = paths.filter((path) => !addedNames.has(path.split('/').at(-1) ?? ''));
await queue.add({
  paths: missing,
  links: [],
  service: baseUrl,
  options: defaultJobOptions,
  autoExports: null,
  signal,
});
check();
await ended;
await scheduler.stop();
await client.close();
await store.close();

/** Changes are reported while the queue works; a user's command comes only afterwards. */
function scheduleCheck(): void {
  if (isCheckScheduled) return;
  isCheckScheduled = true;
  setImmediate(() => {
    isCheckScheduled = false;
    check();
  });
}

function check(): void {
  const items = store.items.page({ filter: 'all', offset: 0, limit: 10 });
  const last = items.find(({ name }) => name === paths.at(-1)?.split('/').at(-1));
  if (last?.state.kind === 'uploading' && last.state.partsSent > 0) queue.cancel([last.id]);
  if (items.length === paths.length && items.every(({ state }) => ['done', 'cancelled'].includes(state.kind)))
    end();
}

/** The client, with a point before each request and after each response. */
function withKillPoints(target: ServiceClient, reach: Kill): ServiceRequests {
  const around = async <T>(name: string, send: () => Promise<T>): Promise<T> => {
    reach(`before ${name}`);
    const response = await send();
    reach(`after ${name}`);
    return response;
  };
  return {
    create: (request, stop) => around('create', () => target.create(request, stop)),
    sendPart: (session, number, bytes, stop) =>
      around('part', () => target.sendPart(session, number, bytes, stop)),
    complete: (jobId, session, stop) => around('complete', () => target.complete(jobId, session, stop)),
    status: (jobId, stop) => around('status', () => target.status(jobId, stop)),
    delete: (jobId, stop) => around('delete', () => target.delete(jobId, stop)),
    close: () => target.close(),
  };
}
