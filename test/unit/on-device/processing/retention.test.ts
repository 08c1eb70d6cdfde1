import { expect, test } from 'vitest';
import { CreditAccount } from '../../../../electron/on-device/jobs/account.ts';
import { JobStore } from '../../../../electron/on-device/jobs/job-store.ts';
import { Retention } from '../../../../electron/on-device/processing/retention.ts';
import { serviceMigrations, Sql } from '../../../../electron/on-device/jobs/service-database.ts';
import { documentedLimits } from '../../../../electron/on-device/service-options.ts';
import { openDatabase } from '../../../../electron/sqlite/open-database.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { quietLogger } from '../../../support/core.ts';

const hour = 60 * 60 * 1000;

test('a file in use delays neither the start nor other files, and is removed later', async () => {
  const database = openDatabase(':memory:', serviceMigrations);
  const clock = new ManualClock();
  const left = new Set(['stuck', 'loose']);
  let isOpen = true;
  const files = {
    list: async () => [...left],
    async remove(id: string) {
      if (id === 'stuck' && isOpen) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
      left.delete(id);
    },
  };
  const sql = new Sql(database);
  const store = new JobStore(sql, new CreditAccount(sql), clock, quietLogger);
  const retention = new Retention(store, files, documentedLimits, clock, quietLogger);
  await retention.start();
  expect([...left]).toEqual(['stuck']);
  isOpen = false;
  clock.advance(hour);
  await retention.stop();
  expect([...left]).toEqual([]);
  database.close();
});
