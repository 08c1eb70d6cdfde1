import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { Lease } from '../../../../../electron/core/store/database/lease.ts';
import { openStore } from '../store-kit.ts';
import { systemRandom } from '../../../../../electron/core/system.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';

/** A database with a lease. */
async function held() {
  const store = openStore(await testFolder());
  await store.close();
  const database = new Database(store.path);
  onTestFinished(() => void database.close());
  const clock = new ManualClock();
  let lost = 0;
  const lease = Lease.take(database, 'window', { clock, random: systemRandom }, () => (lost += 1));
  const renewedAt = (): unknown => database.prepare('SELECT renewed_at FROM lease').pluck().get();
  return { database, clock, lease, lost: () => lost, renewedAt };
}

it('the lease of a temporarily unreadable database is not lost, and is renewed later', async () => {
  const { database, clock, lost, renewedAt } = await held();
  database.exec('ALTER TABLE lease RENAME TO away');
  clock.advance(5_000);
  database.exec('ALTER TABLE away RENAME TO lease');
  clock.advance(5_000);
  expect(renewedAt()).toBe(clock.now());
  expect(lost()).toBe(0);
});

it('the lease is lost once another process has taken the database, and notified once', async () => {
  const { database, clock, lost } = await held();
  database.prepare("UPDATE lease SET owner = 'another'").run();
  clock.advance(60_000);
  expect(lost()).toBe(1);
});
