import { describe, expect, it } from 'vitest';
import type { ItemId } from '../../../../../electron/contract/identifiers.ts';
import {
  initialProgress,
  type ItemState,
  type ItemPhase,
  type StateKind,
} from '../../../../../electron/core/item/item.ts';
import {
  DueRequests,
  countsAsUpload,
  schedulableStates,
  type DueRequestsOptions,
} from '../../../../../electron/core/queue/scheduling/due-requests.ts';
import { InFlightRequests } from '../../../../../electron/core/queue/scheduling/in-flight-requests.ts';
import { AffordableItems } from '../../../../../electron/core/queue/services/affordable-items.ts';
import { ServiceStates } from '../../../../../electron/core/queue/services/service-gate.ts';
import type { ServiceAccess, ServiceRequests } from '../../../../../electron/core/queue/services/services.ts';
import { SpendingLimits } from '../../../../../electron/core/queue/services/spending-limits.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { newLink, openStore } from '../../store/store-kit.ts';

const service = 'https://cloud.example';
const other = 'https://other.example';
const session = { partSize: 8, partCount: 2, partPath: '/part', completePath: '/complete' };
const problem = { code: 'insufficient_credits', params: {}, detail: '' } as const;

/** Steps of an item, each with the key that its request would have. */
const phases = {
  waiting: () => ({ kind: 'waiting' }),
  creating: (key) => ({ kind: 'creating', request: { key, body: '{}' }, refused: false }),
  refused: (key) => ({ kind: 'creating', request: { key, body: '{}' }, refused: true }),
  uploading: (key) => ({ kind: 'uploading', session, partsSent: 1, recheck: 'none', ...job(key) }),
  completing: (key) => ({ kind: 'completing', session, recheck: 'none', ...job(key) }),
  transcribing: (key) => ({
    kind: 'transcribing',
    status: 'running',
    progress: 0,
    recheck: 'none',
    ...job(key),
  }),
  saving: (key) => ({ kind: 'saving', ...job(key) }),
} as const satisfies Record<string, (key: string) => ItemPhase>;
const job = (key: string) => ({ jobId: key, request: { key, body: '{}' } });

interface Row {
  /** Paused before its next request. */
  readonly isPaused?: boolean;
  readonly phase: keyof typeof phases | 'cancelling';
  readonly minutes?: number | null;
  readonly on?: string;
  /** Milliseconds until its next attempt. */
  readonly dueInMs?: number;
}

/** A queue with `rows` in order, whose requests start but never end. */
async function queueOf(
  rows: readonly Row[],
  options: Partial<Pick<DueRequestsOptions, 'parallelUploads' | 'canStartNew'>> & {
    readonly maxActiveJobs?: number;
    readonly access?: ServiceAccess;
    readonly creditLimit?: number;
  } = {},
) {
  const clock = new ManualClock();
  const now = clock.now();
  const store = openStore(await testFolder(), { clock });
  const ids = store.items.add(
    rows.map(({ minutes = null, on = service }, index) => ({
      ...newLink(`https://files.example/${index}`),
      service: on,
      durationSeconds: minutes === null ? null : minutes * 60,
    })),
  );
  const setState = (id: ItemId, state: ItemState, dueInMs = 0) =>
    store.items.setProgress(id, { ...initialProgress, state, nextAttemptAt: now + dueInMs });
  rows.forEach(({ isPaused = false, phase, dueInMs }, index) => {
    const [id, key] = [ids[index]!, `key ${index}`];
    if (phase === 'cancelling') {
      const next = { kind: 'cancelled', forget: false } as const;
      return setState(id, { kind: 'cancelling', request: { key, body: '{}' }, jobId: key, next }, dueInMs);
    }
    const at = phases[phase](key);
    setState(id, isPaused ? { kind: 'paused', at } : at, dueInMs);
  });
  const states = new ServiceStates();
  const inFlight = new InFlightRequests();
  const { maxActiveJobs = 50, creditLimit = null } = options;
  const spending = new SpendingLimits({ store, clock, creditLimit: () => creditLimit });
  const access = options.access ?? { kind: 'open', client: {} as ServiceRequests, maxActiveJobs };
  let started: string[] = [];
  const held: number[] = [];
  const requests = new DueRequests({
    store,
    services: { access: () => access, onChange: () => () => undefined },
    parallelUploads: () => 4,
    canStartNew: () => true,
    ...options,
    states,
    spending,
    affordable: new AffordableItems({ store, states }),
    inFlight,
    start: (item, kind, purpose) => {
      started.push(`${ids.indexOf(item.id)} ${kind} ${purpose}`);
      states.gate(item.service).onRequestStarted(purpose, now);
      const controller = new AbortController();
      inFlight.add(item.id, { service: item.service, kind, purpose, controller }, now);
    },
    onLimitReached: (id) => {
      held.push(ids.indexOf(id));
      setState(id, { kind: 'waiting' });
    },
  });
  return {
    held,
    store,
    states,
    spending,
    now,
    requests,
    id: (index: number) => ids[index]!,
    /** Starts what is due, and returns the index, the kind and the purpose of each request. */
    startDue: (): readonly string[] => {
      started = [];
      requests.startDue(service, now);
      return started;
    },
    /** Ends the request of an item, whose next one is due in an hour. */
    end: (index: number) => {
      inFlight.delete(ids[index]!);
      setState(ids[index]!, phases.transcribing(`key ${index}`), 3_600_000);
    },
  };
}

const rowsOf = (count: number, row: Row): readonly Row[] => Array.from({ length: count }, () => row);
/** The indexes of the items whose requests were started. */
const indexes = (started: readonly string[]) => started.map((one) => Number.parseInt(one, 10));

describe('the requests to a service', () => {
  it('are those of its own items that are due, each once', async () => {
    const queue = await queueOf([
      { phase: 'transcribing' },
      { phase: 'transcribing', on: other },
      { phase: 'transcribing', dueInMs: 1 },
      { phase: 'transcribing', isPaused: true },
      { phase: 'saving' },
      { phase: 'cancelling' },
    ]);
    expect(queue.startDue()).toEqual(['0 poll continue', '4 poll continue', '5 poll continue']);
    expect(queue.startDue()).toEqual([]);
  });

  it.each([{ kind: 'starting' } as const, { kind: 'closed', problem } as const])(
    'do not start while it is $kind',
    async (access) => {
      expect(
        (await queueOf([{ phase: 'transcribing' }, { phase: 'waiting' }], { access })).startDue(),
      ).toEqual([]);
    },
  );

  it('are at most as many as its gate allows, in the order of the queue', async () => {
    const queue = await queueOf(rowsOf(12, { phase: 'transcribing' }));
    expect(indexes(queue.startDue())).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(queue.startDue()).toEqual([]);
    queue.end(3);
    queue.end(4);
    expect(indexes(queue.startDue())).toEqual([8, 9]);
  });

  it('come from exactly the states that are scheduled without the user', async () => {
    const kinds = [...Object.keys(phases), 'cancelling'] as Row['phase'][];
    const rows = kinds.flatMap((phase) => [{ phase }, { phase, isPaused: phase !== 'cancelling' }]);
    const queue = await queueOf(rows, { parallelUploads: () => 100 });
    const started = new Set<StateKind>();
    for (let some = queue.startDue(); some.length > 0; some = queue.startDue()) {
      for (const index of indexes(some)) {
        started.add(queue.store.items.get(queue.id(index))!.state.kind);
        queue.end(index);
      }
    }
    expect(started).toEqual(new Set(schedulableStates));
  });

  it('go on while the account has its maximum of jobs, but no item starts', async () => {
    const queue = await queueOf([{ phase: 'waiting' }, { phase: 'uploading' }, { phase: 'transcribing' }]);
    const signal = { kind: 'slots-full', problem, retryAfterMs: null } as const;
    queue.states.gate(service).handle(signal, { now: queue.now, random: 0 });
    expect(queue.startDue()).toEqual(['2 poll continue', '1 upload continue']);
  });

  it('probe an outage for each kind of item in turn, and for the item that is due longest', async () => {
    const queue = await queueOf([
      { phase: 'transcribing' },
      { phase: 'transcribing', dueInMs: -60_000 },
      { phase: 'uploading' },
      { phase: 'uploading', dueInMs: -60_000 },
      { phase: 'waiting' },
    ]);
    const probeAfterFailure = () => {
      const context = { now: queue.now - 60_000, random: 0 };
      queue.states.gate(service).handle({ kind: 'offline', problem, delayMs: 0 }, context);
      return queue.startDue();
    };
    expect(probeAfterFailure()).toEqual(['1 poll continue']);
    queue.end(1);
    expect(probeAfterFailure()).toEqual(['3 upload continue']);
    queue.end(3);
    expect(probeAfterFailure()).toEqual(['4 upload start']);
    queue.end(4);
    expect(probeAfterFailure()).toEqual(['0 poll continue']);
  });

  it('are next due when the first attempt is that needs no user', async () => {
    const queue = await queueOf([
      { phase: 'transcribing', dueInMs: 5000 },
      { phase: 'creating', dueInMs: 4000 },
      { phase: 'waiting', dueInMs: 1000 },
      { phase: 'uploading', dueInMs: 2000, isPaused: true },
    ]);
    expect(queue.requests.nextDueAt(queue.now)).toBe(queue.now + 4000);
    expect(queue.requests.nextDueAt(queue.now + 4000)).toBe(queue.now + 5000);
    expect(queue.requests.nextDueAt(queue.now + 5000)).toBeNull();
  });
});

describe('uploads', () => {
  it('are at most as many as the user allows, in the order of the queue', async () => {
    const queue = await queueOf(rowsOf(5, { phase: 'uploading' }), { parallelUploads: () => 2 });
    expect(queue.startDue()).toEqual(['0 upload continue', '1 upload continue']);
    expect(queue.startDue()).toEqual([]);
    queue.end(0);
    expect(indexes(queue.startDue())).toEqual([2]);
  });

  it('leave room for polls, which do not count as uploads', async () => {
    const queue = await queueOf(
      [...rowsOf(7, { phase: 'transcribing' }), ...rowsOf(3, { phase: 'uploading' })],
      {
        parallelUploads: () => 2,
      },
    );
    expect(indexes(queue.startDue())).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    queue.end(0);
    expect(indexes(queue.startDue())).toEqual([8]);
    queue.end(1);
    expect(queue.startDue()).toEqual([]);
  });

  it('that have started come before new jobs, and jobs that are being created before waiting items', async () => {
    const rows = (['waiting', 'creating', 'completing', 'uploading'] as const).map((phase) => ({ phase }));
    const queue = await queueOf(rows);
    expect(queue.startDue()).toEqual([
      '2 upload continue',
      '3 upload continue',
      '1 upload start',
      '0 upload start',
    ]);
    expect(indexes((await queueOf(rows, { parallelUploads: () => 3 })).startDue())).toEqual([2, 3, 1]);
  });

  it('wait while the queue is paused, but polls do not', async () => {
    const rows = (['waiting', 'creating', 'uploading', 'transcribing'] as const).map((phase) => ({ phase }));
    const queue = await queueOf(rows);
    queue.store.paused = true;
    expect(queue.startDue()).toEqual(['3 poll continue']);
  });

  it('go on while the account has no credits for new jobs', async () => {
    const rows = (['refused', 'refused', 'waiting', 'uploading'] as const).map((phase) => ({ phase }));
    const queue = await queueOf(rows);
    queue.states.gate(service).handle({ kind: 'no-credits', problem }, { now: queue.now, random: 0 });
    expect(queue.startDue()).toEqual(['3 upload continue']);
    queue.states.gate(service).reopen();
    expect(queue.startDue()).toEqual(['0 upload start', '1 upload start', '2 upload start']);
  });

  it('are the requests that send a recording', async () => {
    const kinds = Object.keys(phases) as (keyof typeof phases)[];
    const queue = await queueOf(kinds.map((phase) => ({ phase })));
    const isUpload = (_: string, index: number) => countsAsUpload(queue.store.items.get(queue.id(index))!);
    expect(kinds.filter(isUpload)).toEqual(['creating', 'refused', 'uploading', 'completing']);
  });
});

/** Six credits were refused; five are left. */
const shortQueue = async (rows: readonly Row[], parallelUploads = () => 4) => {
  const queue = await queueOf(rows, { parallelUploads });
  queue.states.setBalance(service, 5);
  const requested = { id: queue.id(0), credits: 6 };
  queue.states
    .gate(service)
    .handle({ kind: 'no-credits', problem }, { now: queue.now, random: 0 }, requested);
  return queue;
};

const waiting = (...minutes: readonly (number | null)[]): readonly Row[] =>
  minutes.map((one) => ({ phase: 'waiting', minutes: one }));

describe('a waiting item', () => {
  it('does not start while new ones may not, but started ones continue', async () => {
    const queue = await queueOf([{ phase: 'waiting' }, { phase: 'creating' }], { canStartNew: () => false });
    expect(queue.startDue()).toEqual(['1 upload start']);
  });

  it('starts within the number of jobs that the account may have, including requests in flight', async () => {
    const rows: readonly Row[] = [
      { phase: 'transcribing', dueInMs: 1000 },
      { phase: 'saving', dueInMs: 1000, on: other },
      ...waiting(null, null, null, null),
    ];
    const queue = await queueOf(rows, { maxActiveJobs: 3 });
    expect(indexes(queue.startDue())).toEqual([2, 3]);
    expect(queue.startDue()).toEqual([]);
    expect(indexes((await queueOf(rows, { maxActiveJobs: 1 })).startDue())).toEqual([]);
  });

  it('starts when another job ends, next to those whose start is not stored yet', async () => {
    const queue = await queueOf(
      [{ phase: 'transcribing', dueInMs: 1000 }, ...waiting(null, null, null, null)],
      { maxActiveJobs: 3 },
    );
    expect(indexes(queue.startDue())).toEqual([1, 2]);
    queue.store.items.setProgress(queue.id(0), { ...initialProgress, state: { kind: 'failed', problem } });
    expect(indexes(queue.startDue())).toEqual([3]);
    expect(queue.startDue()).toEqual([]);
  });

  it('starts only if 50 jobs are not exceeded with those of paused items', async () => {
    const rows = [...rowsOf(48, { phase: 'transcribing', isPaused: true }), ...waiting(null, null, null)];
    const queue = await queueOf(rows, { maxActiveJobs: 100 });
    expect(indexes(queue.startDue())).toEqual([48, 49]);
  });

  it('does not start if it would exceed the limit of spending, and does not hold up those that fit', async () => {
    const rows: readonly Row[] = [
      { phase: 'transcribing', dueInMs: 1000, minutes: 2 },
      ...waiting(3, 1, 3, 1),
    ];
    const queue = await queueOf(rows, { creditLimit: 6 });
    expect(queue.startDue()).toEqual(['1 upload start', '2 upload start']);
    expect(queue.startDue()).toEqual([]);
    expect(indexes((await queueOf(rows, { creditLimit: 8 })).startDue())).toEqual([1, 2, 4]);
    const many = await queueOf(waiting(...Array.from({ length: 60 }, () => 5), 2), { creditLimit: 4 });
    expect(many.spending.exceeded(service)).toBeNull();
    expect(indexes(many.startDue())).toEqual([60]);
    const none = await queueOf(waiting(5, 2), { creditLimit: 1 });
    expect(none.spending.exceeded(service)).toEqual({ limit: 1, spent: 0 });
    expect(none.startDue()).toEqual([]);
  });

  it('counts the spending of requests whose start is not stored yet', async () => {
    let parallel = 1;
    const queue = await queueOf(waiting(3, 1, 1), { creditLimit: 4, parallelUploads: () => parallel });
    expect(indexes(queue.startDue())).toEqual([0]);
    parallel = 4;
    expect(indexes(queue.startDue())).toEqual([1]);
  });

  it('leaves the credits of refused requests to these, and holds those that exceed the limit', async () => {
    const rows: readonly Row[] = [
      { phase: 'refused', minutes: 3 },
      { phase: 'refused', minutes: 2 },
      { phase: 'creating', minutes: 2 },
      ...waiting(3, 1),
    ];
    const fits = await queueOf(rows, { creditLimit: 8, parallelUploads: () => 10 });
    expect(indexes(fits.startDue())).toEqual([0, 1, 2, 4]);
    expect(fits.held).toEqual([]);
    const lowered = await queueOf(rows, { creditLimit: 5, parallelUploads: () => 10 });
    expect(indexes(lowered.startDue())).toEqual([0, 2]);
    expect(lowered.held).toEqual([1]);
    const none = await queueOf(rows, { creditLimit: 0, parallelUploads: () => 10 });
    // The job that may exist is still found out about.
    expect(indexes(none.startDue())).toEqual([2]);
    expect(none.held).toEqual([1, 0]);
  });

  describe('of an account that has refused a larger one', () => {
    it('starts if the balance pays for it together with those before it', async () => {
      const queue = await shortQueue(waiting(6, 3, 3, 2));
      expect(queue.startDue()).toEqual(['1 upload start-affordable', '3 upload start-affordable']);
      expect(queue.startDue()).toEqual([]);
    });

    it('starts if the balance also pays for requests whose start is not stored yet', async () => {
      let parallel = 1;
      const queue = await shortQueue(waiting(6, 3, 3, 2, 1), () => parallel);
      expect(indexes(queue.startDue())).toEqual([1]);
      parallel = 4;
      expect(indexes(queue.startDue())).toEqual([3]);
    });

    it('waits if none is affordable', async () => {
      expect((await shortQueue(waiting(6, 7, null))).startDue()).toEqual([]);
    });

    it('does not hold back the creation of a job that the balance pays for', async () => {
      const queue = await shortQueue([
        ...waiting(6),
        { phase: 'creating', minutes: 3 },
        { phase: 'refused', minutes: 9 },
      ]);
      expect(queue.startDue()).toEqual(['1 upload start-affordable']);
    });
  });
});
