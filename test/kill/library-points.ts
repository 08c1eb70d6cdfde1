import fs, { writeSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { killAt } from './points.ts';

/**
 * Adds a kill point before and after each change of the file system and each commit of this thread. The process is
 * killed at the point that `LONGHAND_KILL_AT` names, such as `main 12`; each point is printed on standard output.
 */
const thread = isMainThread ? 'main' : 'worker';
const [targetThread, targetNumber = '0'] = (process.env['LONGHAND_KILL_AT'] ?? '').split(' ');
const write = writeSync;
const reach = killAt(thread === targetThread ? Number(targetNumber) : 0, (line) =>
  write(1, `${thread} ${line}`),
);

let isArmed = false;

/** Starts counting points; earlier ones are not kill points. */
export function arm(): void {
  isArmed = true;
}

const changes = ['writeFileSync', 'copyFileSync', 'writeSync', 'renameSync', 'rmSync', 'fsyncSync'] as const;
for (const name of changes) {
  const change = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name](...args: unknown[]): unknown {
      if (isArmed) reach(`before ${name}`);
      const result = change(...args);
      if (isArmed) reach(`after ${name}`);
      return result;
    },
  });
}
syncBuiltinESMExports();

// A transaction commits where its outermost function has returned.
const { transaction } = Database.prototype;
Object.assign(Database.prototype, {
  transaction(this: Database.Database, callback: (...args: unknown[]) => unknown) {
    const wrapped = transaction.call(this, (...args: unknown[]) => {
      const result = callback(...args);
      if (isArmed) reach('before a commit');
      return result;
    });
    return new Proxy(wrapped, {
      apply(target, self, args) {
        const result: unknown = Reflect.apply(target, self, args);
        if (isArmed) reach('after a commit');
        return result;
      },
    });
  },
});
