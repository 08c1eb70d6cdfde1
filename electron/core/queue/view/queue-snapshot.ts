import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { QueueRow } from '../../../contract/queue-commands.ts';
import type { QueueFilter } from '../../../contract/choices.ts';
import { jobSlots } from '../../../contract/limits.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { ServiceAddress, ServiceCondition, ServiceStatus } from '../../../contract/service.ts';
import { storageProblem } from '../../storage-problem.ts';
import { allStates } from '../../item/item-filter.ts';
import { savedDurations } from '../../store/library/saved-durations.ts';
import { leftJobs } from '../../store/migrations/047-left-jobs.ts';
import {
  overLimitCondition,
  SpendingLimits,
  type Spending,
  type SpendingLimitsOptions,
} from '../services/spending-limits.ts';
import { readPublishedStatuses } from '../services/published-statuses.ts';
import { ServiceWaitReasons, type KnownAccess } from './service-wait-reasons.ts';
import { readerContext, rowOf } from './queue-row-view.ts';
import { databasePathIn } from '../../store/database/folder-lock.ts';
import { readLeaseProgram } from '../../store/database/lease.ts';
import { ItemStore } from '../../store/items/item-store.ts';
import { ranks } from '../../store/migrations/021-ranks.ts';
import { orderFromPositions, orderFromRanks, queueOrder } from '../../store/migrations/030-queue-order.ts';
import { statedDurations } from '../../store/migrations/049-stated-durations.ts';
import { renamedColumns, requestNames } from '../../store/migrations/031-request-names.ts';

/** The queue at one point in time. */
export interface QueueSnapshot {
  readonly counts: Readonly<Record<QueueFilter, number>>;
  /** Whether the user paused the queue. */
  readonly paused: boolean;
  /** Whether a program is using the data folder: without one, no recording advances on this computer. */
  readonly isRunning: boolean;
  /** All items that are working, waiting or in need of attention, in this order. */
  readonly unfinished: readonly QueueRow[];
  /** The status of each service of the queue, and of those that the program that uses the data folder has. */
  readonly services: readonly ServiceStatus[];
}

const emptyQueue: QueueSnapshot = {
  paused: false,
  isRunning: false,
  counts: { all: 0, working: 0, waiting: 0, attention: 0, done: 0, cancelled: 0 },
  unfinished: [],
  services: [],
};

export interface QueueReaderOptions {
  /** How each service can be reached, while no program works on the queue. */
  readonly accessOf: (service: ServiceAddress) => Promise<KnownAccess>;
  readonly creditLimit: NonNullable<SpendingLimitsOptions['creditLimit']>;
  readonly clock: SpendingLimitsOptions['clock'];
}

/** Whether the user has paused the queue. */
export const readPaused = (database: Database.Database): boolean =>
  database.prepare<[], number>("SELECT value FROM flags WHERE name = 'paused'").pluck().get() === 1;

/**
 * Reads the queue of a data folder without writing to it, even while another process uses it. Such a process publishes
 * the statuses of its services; without one, every service that can be reached counts as ready.
 *
 * @throws ProblemError `disk_full` or `internal` when it cannot be read.
 */
export async function readQueue(folder: string, options: QueueReaderOptions): Promise<QueueSnapshot> {
  const path = databasePathIn(folder);
  if (!existsSync(path)) return emptyQueue;
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      emulateCurrentSchema(database);
      const items = new ItemStore(database);
      const paused = readPaused(database);
      const services = await readServices(
        database,
        items,
        readPublishedStatuses(folder, options.clock),
        options,
      );
      const waitReasons = waitReasonsOf(services, paused);
      const activityOf = (service: ServiceAddress) => waitReasons.activity(service);
      const counts = items.totals.counts(activityOf);
      const unfinished = (['working', 'waiting', 'attention'] as const).flatMap((filter) =>
        items
          .page({ filter, activityOf, offset: 0, limit: Infinity })
          .map((item) => rowOf(item, { ...readerContext, waits: waitReasons.of(item.service) })),
      );
      return {
        counts,
        paused,
        isRunning: readLeaseProgram(folder, options.clock) !== null,
        unfinished,
        services: [...services.values()].map(({ status }) => status),
      };
    } finally {
      database.close();
    }
  } catch (error) {
    throw new ProblemError(storageProblem(error), { cause: error });
  }
}

interface KnownService {
  readonly access: KnownAccess;
  readonly status: ServiceStatus;
}

/** Returns the published status of each service, or what its access and the limit of its account imply. */
async function readServices(
  database: Database.Database,
  items: ItemStore,
  published: ReadonlyMap<ServiceAddress, ServiceStatus>,
  { accessOf, creditLimit, clock }: QueueReaderOptions,
): Promise<ReadonlyMap<ServiceAddress, KnownService>> {
  const transcripts = {
    durationsSince: (service: string, since: number) => savedDurations(database, service, since),
  };
  const spending = new SpendingLimits({ store: { items, transcripts }, clock, creditLimit });
  const services = new Map<ServiceAddress, KnownService>();
  for (const status of published.values())
    services.set(status.service, { access: impliedAccess(status.condition), status });
  for (const service of items.totals.services(allStates)) {
    if (services.has(service)) continue;
    const access = await accessOf(service);
    const condition = conditionOf(access, access.kind === 'open' ? spending.exceeded(service) : null);
    const activeJobs = items.totals.possibleJobs(service);
    services.set(service, { access, status: { service, condition, balanceCredits: null, activeJobs } });
  }
  return services;
}

/** Derives what the items of each service wait for, as the running queue does. */
function waitReasonsOf(
  services: ReadonlyMap<ServiceAddress, KnownService>,
  paused: boolean,
): ServiceWaitReasons {
  const knownService = (service: ServiceAddress): KnownService => {
    const found = services.get(service);
    if (found === undefined) throw new Error(`no item has the service ${service}`);
    return found;
  };
  return new ServiceWaitReasons({
    store: { paused },
    services: { access: (service) => knownService(service).access },
    scheduler: { status: (service) => knownService(service).status },
  });
}

/** Returns the access that a condition implies. */
function impliedAccess(condition: ServiceCondition): KnownAccess {
  switch (condition.kind) {
    case 'starting':
      return { kind: 'starting' };
    case 'stopped':
      return { kind: 'closed', problem: condition.problem };
    default:
      return { kind: 'open', maxActiveJobs: jobSlots };
  }
}

function conditionOf(access: KnownAccess, exceeded: Spending | null): ServiceCondition {
  switch (access.kind) {
    case 'starting':
      return { kind: 'starting' };
    case 'closed':
      return { kind: 'stopped', problem: access.problem };
    case 'open':
      return exceeded === null ? { kind: 'ready' } : overLimitCondition(exceeded);
  }
}

/** Emulates the tables that the queue is read from in a database that has not been migrated to this version yet. */
function emulateCurrentSchema(database: Database.Database): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version < queueOrder.version)
    database.exec(
      `CREATE TEMP VIEW queue_order AS ${version < ranks.version ? orderFromPositions : orderFromRanks}`,
    );
  if (version < leftJobs.version)
    database.exec('CREATE TEMP TABLE left_jobs (service TEXT, left_at INTEGER, duration_seconds REAL)');
  if (version >= requestNames.version) {
    if (version < statedDurations.version)
      database.exec('CREATE TEMP VIEW items AS SELECT *, NULL AS stated_seconds FROM main.items');
    return;
  }
  const replaced = new Set<string>(Object.entries(renamedColumns).flat());
  const currentNames = database
    .prepare<[], string>("SELECT name FROM pragma_table_info('items')")
    .pluck()
    .all();
  const columns = [
    ...currentNames.filter((name) => !replaced.has(name)),
    ...Object.entries(renamedColumns).map(([name, from]) => `${from} AS ${name}`),
    'NULL AS stated_seconds',
  ];
  database.exec(`CREATE TEMP TABLE items AS SELECT ${columns.join(', ')} FROM main.items`);
}
