import { beforeEach, expect, it } from 'vitest';
import type { LibraryTaskProgress } from '../../../../electron/contract/model/library-task.ts';
import { CancelledError } from '../../../../electron/core/library/task/task-watch.ts';
import type { TaskOptions } from '../../../../electron/core/library/task/task-thread.ts';
import { LibraryTasks } from '../../../../electron/shell/commands/library-tasks.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';

let told: LibraryTaskProgress[];
let clock: ManualClock;
let tasks: LibraryTasks;

beforeEach(() => {
  told = [];
  clock = new ManualClock();
  tasks = new LibraryTasks((progress) => told.push(progress), clock);
});

/** Work that goes on until it is ended, or called off. */
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

it('does one after the other of a kind, and different kinds beside each other', async () => {
  const order: string[] = [];
  const [first, second, other] = [work(), work(), work()];
  const all = [
    tasks.run('purge', first.run).then((said) => order.push(`purge ${said}`)),
    tasks.run('purge', second.run).then((said) => order.push(`purge ${said}`)),
    tasks.run('backup', other.run).then((said) => order.push(`backup ${said}`)),
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

it('calls off what goes on and what waits, and begins anew after that', async () => {
  const [first, second, third] = [work(), work(), work()];
  const both = [tasks.run('purge', first.run), tasks.run('purge', second.run)];
  await first.begun;
  tasks.cancel('purge');
  expect(await Promise.all(both)).toEqual([null, null]);
  const after = tasks.run('purge', third.run);
  await third.begun;
  third.end('C');
  expect(await after).toBe('C');
});

it('goes on after a task that failed', async () => {
  const failed = tasks.run('restore', () => Promise.reject(new Error('no')));
  const next = tasks.run('restore', () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});

it('ends the search for an older text when a newer one is looked for', async () => {
  const older = work();
  const first = tasks.run('find', older.run);
  await older.begun;
  const second = tasks.run('find', () => Promise.resolve('newer'));
  expect(await Promise.all([first, second])).toEqual([null, 'newer']);
});

it('tells that it begins, and its progress now and then', async () => {
  await tasks.run('backup', async ({ onProgress }) => {
    onProgress({ done: 1, total: 9 });
    onProgress({ done: 2, total: 9 });
    clock.advance(100);
    onProgress({ done: 3, total: 9 });
  });
  expect(told.map(({ done }) => done)).toEqual([0, 1, 3]);
});
