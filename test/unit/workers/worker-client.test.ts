import { EventEmitter } from 'node:events';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { ProblemError } from '../../../electron/contract/problem.ts';
import { CancelledError, type WorkerRequestContext } from '../../../electron/workers/protocol.ts';
import { elementsPerMessage } from '../../../electron/workers/long-arrays.ts';
import { workerSources } from '../../../electron/workers/registry.ts';
import { WorkerClient, WorkerStoppedError } from '../../../electron/workers/worker-client.ts';
import { workerRunning } from '../../support/worker-running.ts';

interface Echo {
  readonly [handler: string]: (input: never, context: WorkerRequestContext<never, never>) => unknown;
  echo(words: string): string;
  crash(how: 'throw' | 'exit'): Promise<never>;
  wait(input: null, context: WorkerRequestContext<'waiting'>): Promise<never>;
  isCancelled(input: null, context: WorkerRequestContext<never>): Promise<boolean>;
  busy(input: null, context: WorkerRequestContext<'busy'>): never;
  fill(input: null): never;
  fail(name: 'problem' | 'code'): never;
  nest(depth: number): unknown;
  count(to: number): Counted;
  wide(count: number): readonly (readonly number[])[];
  size(bytes: Uint8Array): number;
  sum(input: null, context: WorkerRequestContext<'next', number | null>): Promise<number>;
}

/** A result with long arrays at several depths. */
interface Counted {
  readonly name: string;
  readonly numbers: readonly number[];
  readonly inner: {
    readonly objects: readonly { readonly number: number }[];
    readonly few: readonly number[];
  };
}

const countTo = (to: number): Counted => ({
  name: 'counted',
  numbers: Array.from({ length: to }, (_, number) => number),
  inner: { objects: Array.from({ length: to }, (_, number) => ({ number })), few: [1, 2] },
});

const echo = workerRunning(
  `echo: (words) => words,
   wide: (count) => Array.from({ length: count }, () => Array(15_000).fill(0)),
   crash: (how) => {
     if (how === 'exit') process.exit(3);
     setImmediate(() => { throw new Error('no memory'); });
     return new Promise(() => {});
   },
   wait: (_, { signal, report }) => {
     report('waiting');
     return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
   },
   isCancelled: async (_, { signal }) => {
     await null;
     return signal.aborted;
   },
   busy: (_, { report, throwIfCancelled }) => {
     report('busy');
     for (;;) throwIfCancelled();
   },
   fill: () => {
     for (const held = []; ; ) held.push({ held: [held.length] });
   },
   fail: (name) => {
     if (name === 'problem') throw new ProblemError({ code: 'disk_full', detail: 'D:' });
     throw Object.assign(new RangeError('too long'), { code: 'E_LONG' });
   },
   nest: (depth) => {
     let nested = [];
     for (let level = 0; level < depth; level += 1) nested = [nested];
     return nested;
   },
   count: (to) => ({
     name: 'counted',
     numbers: Array.from({ length: to }, (_, number) => number),
     inner: { objects: Array.from({ length: to }, (_, number) => ({ number })), few: [1, 2] },
   }),
   size: (bytes) => bytes.length,
   sum: async (_, { ask }) => {
     let sum = 0;
     for (;;) {
       const number = await ask('next');
       if (number === null) return sum;
       sum += number;
     }
   }`,
  `import { ProblemError } from ${JSON.stringify(new URL('../../../electron/contract/problem.ts', import.meta.url).href)};`,
);

function openClient(url = echo): WorkerClient<Echo> {
  const client = new WorkerClient<Echo>({ url, name: 'echo', maxHeapMb: 64 });
  onTestFinished(() => client.close());
  return client;
}

/** Returns how many elements of long arrays each message has; it grows with each message. */
function watchElements(onMessage?: () => void): readonly number[] {
  const lengths: number[] = [];
  const emit = vi.spyOn(Worker.prototype, 'emit').mockImplementation(function (this: Worker, ...given) {
    const { success, data } = z.tuple([z.literal('message'), elementsSchema]).safeParse(given);
    if (success) {
      lengths.push(data[1].elements.length);
      onMessage?.();
    }
    return Reflect.apply(EventEmitter.prototype.emit, this, given);
  });
  onTestFinished(() => emit.mockRestore());
  return lengths;
}
const elementsSchema = z.object({ kind: z.literal('elements'), elements: z.array(z.unknown()) });

const ignoreUpdates = { onUpdate: () => undefined };

describe('a worker client', () => {
  it('gets the result of each request', async () => {
    const client = openClient();
    const words = ['one', 'two', 'three'];
    expect(await Promise.all(words.map((word) => client.request('echo', word)))).toEqual(words);
  });

  it.each([
    ['throw', 'no memory'],
    ['exit', 'the echo thread has ended'],
  ] as const)('rejects all requests after a crash by %s, and starts another thread', async (how, message) => {
    const client = openClient();
    const results = await Promise.allSettled([
      client.request('wait', null, ignoreUpdates),
      client.request('crash', how),
      client.request('wait', null, ignoreUpdates),
    ]);
    const rejected = {
      status: 'rejected',
      reason: expect.objectContaining({ name: 'WorkerStoppedError', message }),
    };
    expect(results).toEqual([rejected, rejected, rejected]);
    expect(await client.request('echo', 'again')).toBe('again');
  });

  it('rejects a request whose result is nested too deeply to be received', async () => {
    const client = openClient();
    await expect(client.request('nest', 8000)).rejects.toBeInstanceOf(Error);
    expect(await client.request('echo', 'again')).toBe('again');
  });

  it('gets long arrays in several messages, so that no message blocks it', async () => {
    const lengths = watchElements();
    const client = openClient();
    const count = 3 * elementsPerMessage + 1;
    expect(await client.request('count', count)).toEqual(countTo(count));
    const inOne = [elementsPerMessage, elementsPerMessage, elementsPerMessage, 1];
    expect(lengths).toEqual([...inOne, ...inOne]);
  });

  it('gets lists of large elements in several messages too', async () => {
    const lengths = watchElements();
    const wide = await openClient().request('wide', 3);
    expect(wide.map(({ length }) => length)).toEqual([15_000, 15_000, 15_000]);
    expect(lengths).toEqual([1, 1, 1]);
  });

  it.each([
    [false, 'at most one more message', 2, { status: 'rejected' }],
    [true, 'all of it if it still waits', 20, { status: 'fulfilled', value: countTo(10_000) }],
  ] as const)(
    'a request that is cancelled while it gets a long array (%s) gets %s',
    async (waitsForCancelled, _what, messages, outcome) => {
      const client = openClient();
      const abort = new AbortController();
      const lengths = watchElements(() => abort.abort());
      const result = client.request('count', 10_000, { signal: abort.signal, waitsForCancelled });
      expect(await Promise.allSettled([result])).toMatchObject([outcome]);
      await client.finish();
      expect(lengths).toHaveLength(messages);
    },
  );

  it('hands over memory instead of copying it', async () => {
    const client = openClient();
    const bytes = new Uint8Array(1000);
    expect(await client.request('size', bytes, { transfer: [bytes.buffer] })).toBe(1000);
    expect(bytes.length).toBe(0);
  });

  it('rejects a request that needs more memory than the thread may have, and starts another thread', async () => {
    const client = openClient();
    await expect(client.request('fill', null)).rejects.toBeInstanceOf(WorkerStoppedError);
    expect(await client.request('echo', 'again')).toBe('again');
  });

  it('rejects all requests when it is restarted, and starts another thread', async () => {
    const client = openClient();
    const results = Promise.allSettled([client.request('wait', null, ignoreUpdates)]);
    await client.restart();
    expect(await results).toMatchObject([{ reason: { message: 'the echo thread was restarted' } }]);
    expect(await client.request('echo', 'again')).toBe('again');
  });

  it('rejects all requests when it is closed, and those after it', async () => {
    const client = openClient();
    const results = Promise.allSettled([client.request('wait', null, ignoreUpdates)]);
    await client.close();
    expect(await results).toMatchObject([{ reason: { message: 'the echo thread is closed' } }]);
    await expect(client.request('echo', '')).rejects.toThrow('the echo thread is closed');
  });

  it('rejects a request when no thread can be started', async () => {
    // Node runs nothing that is not on this computer.
    const client = openClient(new URL('https://example.com/'));
    await expect(client.request('echo', '')).rejects.toBeInstanceOf(WorkerStoppedError);
  });

  it('cancels a request, even one that keeps the thread busy', async () => {
    const client = openClient();
    for (const handler of ['wait', 'busy'] as const) {
      for (const waitsForCancelled of [false, true]) {
        const abort = new AbortController();
        const options = { signal: abort.signal, waitsForCancelled, onUpdate: () => abort.abort() };
        await expect(client.request(handler, null, options)).rejects.toBeInstanceOf(CancelledError);
        expect(await client.request('echo', handler)).toBe(handler);
      }
    }
  });

  it('reports the cancellation of a request from the start if its result is awaited nevertheless', async () => {
    const client = openClient();
    const signal = AbortSignal.abort();
    expect(await client.request('isCancelled', null, { signal, waitsForCancelled: true })).toBe(true);
  });

  it('starts no thread for a request that is cancelled already', async () => {
    const client = openClient(new URL('https://example.com/'));
    const signal = AbortSignal.abort();
    await expect(client.request('echo', '', { signal })).rejects.toBeInstanceOf(CancelledError);
  });

  it('gets a problem or a code with an error', async () => {
    const client = openClient();
    const problem = { code: 'disk_full', detail: 'D:' };
    await expect(client.request('fail', 'problem')).rejects.toMatchObject({ problem });
    await expect(client.request('fail', 'problem')).rejects.toBeInstanceOf(ProblemError);
    const error = { name: 'RangeError', message: 'too long', code: 'E_LONG' };
    await expect(client.request('fail', 'code')).rejects.toMatchObject(error);
  });

  it('answers what the worker asks; an error instead of an answer fails the request', async () => {
    const client = openClient();
    const numbers = [1, 2, 3][Symbol.iterator]();
    const onUpdate = async (): Promise<number | null> => numbers.next().value ?? null;
    expect(await client.request('sum', null, { onUpdate })).toBe(6);
    const failing = client.request('sum', null, { onUpdate: () => Promise.reject(new Error('no numbers')) });
    await expect(failing).rejects.toThrow('no numbers');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('the disk is full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the disk is full'))],
  ] as const)('a report whose receiver %s cancels the request and fails it', async (_how, onUpdate) => {
    const client = openClient();
    await expect(client.request('busy', null, { onUpdate })).rejects.toThrow('the disk is full');
    // The thread is free again.
    expect(await client.request('echo', 'again')).toBe('again');
  });

  it('finishes: what is under way is cancelled, and the worker cleans up before it ends', async () => {
    const shared = new Int32Array(new SharedArrayBuffer(4));
    const url = workerRunning(
      `wait: (_, { signal }) => new Promise((_, reject) =>
         signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason), 20))) },
       async () => { Atomics.add(workerData, 0, 1);`,
    );
    const client = new WorkerClient<Echo>({ url, name: 'echo', maxHeapMb: 64, workerData: shared });
    const results = Promise.allSettled([client.request('wait', null, ignoreUpdates)]);
    await client.finish();
    expect(await results).toMatchObject([{ reason: { name: 'CancelledError' } }]);
    expect(shared[0]).toBe(1);
  });
});

it('every worker of the program is in the registry', () => {
  const folder = fileURLToPath(new URL('../../../electron/', import.meta.url));
  const found = globSync('**/*-worker.ts', { cwd: folder }).map((path) => path.replaceAll('\\', '/'));
  expect(found.toSorted()).toEqual(Object.values(workerSources).toSorted());
});
