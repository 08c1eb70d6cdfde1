import Database from 'better-sqlite3';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { QueueView } from '../../electron/contract/queue-commands.ts';
import { systemRandom } from '../../electron/core/system.ts';
import { add, openCore } from '../support/core.ts';
import { ManualClock } from '../support/clocks/manual-clock.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { testFolder } from '../support/test-folder.ts';

const links = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `https://example.com/${index}.mp3`);

async function kit() {
  const folder = join(await testFolder(), 'data');
  const clock = new ManualClock();
  const longhand = openCore(folder, { clock });
  const database = new Database(join(folder, 'longhand.db'));
  onTestFinished(() => void database.close());
  return { folder, clock, longhand, database };
}

const count = (database: Database.Database, table: string): unknown =>
  database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

it('listeners get no events after closing', async () => {
  const { clock, longhand } = await kit();
  const notified: QueueView[] = [];
  longhand.queue.subscribe((view) => notified.push(view));
  longhand.queue.setPaused(true);
  await longhand.close();
  clock.advance(1_000);
  expect(notified).toEqual([]);
});

it('closing stops adding, and keeps what was found', async () => {
  const folder = await testFolder();
  for (let n = 1; n <= 100; n += 1) await writeFile(join(folder, `${n}.wav`), silentWav(n / 100));
  let closed: Promise<void> | null = null;
  let items = 0;
  const uuid = (): string => {
    items += 1;
    if (items === 10) closed = longhand.close();
    return systemRandom.uuid();
  };
  const longhand = openCore(join(folder, 'data'), { random: { next: systemRandom.next, uuid } });
  items = 0;
  await expect(add(longhand, [folder])).rejects.toThrow('the queue is closed');
  await closed;

  const again = openCore(join(folder, 'data'));
  onTestFinished(() => again.close());
  const { total } = again.queue.view({ filter: 'all', offset: 0, limit: 0 });
  expect(total).toBeGreaterThanOrEqual(10);
  expect(total).toBeLessThan(100);
});

it('the data folder is released even if the last changes cannot be stored', async () => {
  const { clock, longhand, database } = await kit();
  const { ids } = await add(longhand, [], 'on-device', links(300));
  longhand.queue.pause(ids);
  database.exec("CREATE TRIGGER no_room BEFORE UPDATE ON items BEGIN SELECT RAISE(ABORT, 'no room'); END");
  await expect(longhand.close()).rejects.toThrow('no room');
  expect(count(database, 'lease')).toBe(0);
  clock.advance(60_000);
});

it('nothing is stored in a data folder that another process has taken over', async () => {
  const { clock, longhand, database } = await kit();
  longhand.start();
  const notified: unknown[] = [];
  longhand.listen({ changed: (id) => notified.push(id) });
  longhand.queue.subscribe((view) => notified.push(view));
  const { ids } = await add(longhand, [], 'on-device', links(300));
  longhand.queue.cancel(ids);
  const adding = add(longhand, [], 'on-device', ['https://example.com/late.mp3']);
  database.prepare("UPDATE lease SET owner = 'another'").run();
  notified.length = 0;

  longhand.abandon();
  const states = database.prepare('SELECT kind, count(*) AS items FROM items GROUP BY kind ORDER BY kind');
  const then = states.all();
  await expect(adding).rejects.toThrow('the queue is closed');
  clock.advance(3_600_000);
  await longhand.close();
  expect(then).toEqual([
    { kind: 'cancelled', items: 100 },
    { kind: 'waiting', items: 200 },
  ]);
  expect(states.all()).toEqual(then);
  expect(database.prepare('SELECT owner FROM lease').pluck().all()).toEqual(['another']);
  expect(notified).toEqual([]);
});
