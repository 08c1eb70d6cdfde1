import { expect, it } from 'vitest';
import { follow } from '../../../electron/cli/follow.ts';
import { add, openCore, rowsOf } from '../../support/core.ts';
import { openScripted } from '../../support/scripted-service/open-scripted.ts';
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
    leaseLost: new AbortController().signal,
  });
  await expect.poll(() => waiting.size).toBe(101);
  stop.abort();
  await following;
  await longhand.close();
});

it('follows a recording that is requested while the limit of its account holds back the others', async () => {
  const core = await openScripted();
  const { longhand } = core;
  core.creditLimit = 1;
  for (const number of [1, 2]) await core.addFile(`${number}.wav`);
  const following = follow({
    longhand,
    ids: core.rows().map(({ id }) => id),
    reporter: { report: () => undefined, close: () => undefined },
    interrupted: new AbortController().signal,
    leaseLost: new AbortController().signal,
  });
  const ending = following.then((outcome) => ({
    outcome,
    kinds: core.rows().map(({ state }) => state.kind),
  }));
  await core.pass(60_000);
  expect(await ending).toMatchObject({
    outcome: { kind: 'needs-user', problem: { code: 'credit_limit' } },
    kinds: ['done', 'waiting'],
  });
});
