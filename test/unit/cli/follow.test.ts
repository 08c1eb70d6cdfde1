import { expect, it } from 'vitest';
import { follow } from '../../../electron/cli/follow.ts';
import { add, openCore, rowsOf } from '../../support/core.ts';
import { testFolder } from '../../support/test-folder.ts';

it('follows items that a command for a great many reaches only later', async () => {
  const longhand = openCore(await testFolder());
  const links = Array.from({ length: 101 }, (_, index) => `https://example.org/${index}.mp3`);
  await add(longhand, [], 'on-device', links);
  const ids = rowsOf(longhand).map(({ id }) => id);
  const pausedItems = (): number =>
    longhand.queue.view({ filter: 'all', offset: 0, limit: 0 }).summary.pausedItems;
  longhand.queue.pause(ids);
  await expect.poll(pausedItems).toBe(101);
  longhand.queue.resume(ids);
  expect(pausedItems()).toBeGreaterThan(0);
  const waiting = new Set<number>();
  const stop = new AbortController();
  const following = follow({
    longhand,
    ids,
    reporter: {
      report: (event) => {
        if (event.type === 'item' && event.row.state.kind === 'waiting') waiting.add(event.row.id);
      },
      close: () => undefined,
    },
    interrupted: stop.signal,
    lost: new AbortController().signal,
  });
  await expect.poll(() => waiting.size).toBe(101);
  stop.abort();
  await following;
  await longhand.close();
});
