import { beforeEach, expect, it } from 'vitest';
import type { LibraryTaskProgress } from '../../../../electron/contract/library-task.ts';
import { CancelledError } from '../../../../electron/workers/protocol.ts';
import type { TaskOptions } from '../../../../electron/core/library/task/run-task.ts';
import { LibraryTasks } from '../../../../electron/shell/commands/library-tasks.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';

let reported: LibraryTaskProgress[];
let clock: ManualClock;
let tasks: LibraryTasks;

beforeEach(() => {
  reported = [];
  clock = new ManualClock();
  tasks = new LibraryTasks((progress) => reported.push(progress), clock);
});

/** Work that runs until it is finished or cancelled. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<TaskOptions>();
  return {
    begun: begun.promise,
    end: resolve,
    run: (options: TaskOptions): Promise<string> => {
      options.signal.addEventListener('abort', () => reject(new CancelledError()));
      begun.resolve(options);
      return promise;
    },
  };
}

it('runs tasks of one kind in sequence, and different kinds in parallel', async () => {
  const order: string[] = [];
  const [first, second, other] = [work(), work(), work()];
  const all = [
    tasks.run('purge', 'one', first.run).then((said) => order.push(`purge ${said}`)),
    tasks.run('purge', 'two', second.run).then((said) => order.push(`purge ${said}`)),
    tasks.run('backup', 'three', other.run).then((said) => order.push(`backup ${said}`)),
  ];
  void second.begun.then(() => order.push('second begins'));
  await other.begun;
  other.end('C');
  await all[2];
  first.end('A');
  await second.begun;
  second.end('B');
  await Promise.all(all);
  expect(order).toEqual(['backup C', 'purge A', 'second begins', 'purge B']);
});

it('reports each run by its id, even while it waits', async () => {
  const [first, second] = [work(), work()];
  const both = [tasks.run('purge', 'one', first.run), tasks.run('purge', 'two', second.run)];
  const { onProgress } = await first.begun;
  onProgress({ done: 3, total: 9 });
  first.end('A');
  await second.begun;
  second.end('B');
  await Promise.all(both);
  expect(reported).toEqual([
    { task: 'one', isWaiting: false, done: 0, total: 0 },
    { task: 'two', isWaiting: true, done: 0, total: 0 },
    { task: 'one', isWaiting: false, done: 3, total: 9 },
    { task: 'two', isWaiting: false, done: 0, total: 0 },
  ]);
});

it('cancels only the given task, and the next one runs', async () => {
  const [first, second] = [work(), work()];
  const both = [tasks.run('purge', 'one', first.run), tasks.run('purge', 'two', second.run)];
  await first.begun;
  tasks.cancel('one');
  expect(await both[0]).toBeNull();
  await second.begun;
  second.end('B');
  expect(await both[1]).toBe('B');
});

it('cancels a waiting task immediately, and the one after it still waits for the first', async () => {
  const order: string[] = [];
  const [first, second, third] = [work(), work(), work()];
  const one = tasks.run('purge', 'one', first.run);
  const two = tasks.run('purge', 'two', second.run);
  await first.begun;
  tasks.cancel('two');
  expect(await two).toBeNull();
  const three = tasks.run('purge', 'three', third.run);
  void third.begun.then(() => order.push('third begins'));
  void one.then(() => order.push('first is over'));
  first.end('A');
  await third.begun;
  third.end('C');
  expect(await three).toBe('C');
  expect(order).toEqual(['first is over', 'third begins']);
});

it('continues after a task that failed', async () => {
  const failed = tasks.run('restore', 'one', () => Promise.reject(new Error('no')));
  const next = tasks.run('restore', 'two', () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

it('cancels the search for an older text when a newer one starts, without an event', async () => {
  const older = work();
  const first = tasks.runLatest('find', older.run);
  await older.begun;
  const second = tasks.runLatest('find', () => Promise.resolve('newer'));
  expect(await Promise.all([first, second])).toEqual([null, 'newer']);
  expect(reported).toEqual([]);
});

it('reports its start and its throttled progress', async () => {
  await tasks.run('backup', 'one', async ({ onProgress }) => {
    onProgress({ done: 1, total: 9 });
    onProgress({ done: 2, total: 9 });
    clock.advance(100);
    onProgress({ done: 3, total: 9 });
  });
  expect(reported.map(({ done }) => done)).toEqual([0, 1, 3]);
});

it('lets only a limited number of tasks wait', async () => {
  const running = work();
  const first = tasks.run('purge', 'one', running.run);
  const waiting = Array.from({ length: 99 }, (_, index) => tasks.run('purge', `${index}`, async () => index));
  await expect(tasks.run('purge', 'last', async () => 'last')).rejects.toMatchObject({
    problem: { code: 'too_many_tasks' },
  });
  running.end('done');
  await Promise.all([first, ...waiting]);
  expect(await tasks.run('purge', 'last', async () => 'last')).toBe('last');
});
