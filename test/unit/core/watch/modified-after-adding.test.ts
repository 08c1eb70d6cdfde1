import { describe, expect, it } from 'vitest';
import type { ItemId } from '../../../../electron/contract/identifiers.ts';
import type { ItemState } from '../../../../electron/core/item/item.ts';
import { rowsOf } from '../../../support/core.ts';
import { patient, WatchedSeason } from './watched-season.ts';

/** Watches the folder and waits until a recording has been added. */
async function addWatched(season: WatchedSeason): Promise<ItemId> {
  await season.watch();
  await season.write('talk.wav', 2);
  await expect.poll(season.later(season.names), patient).toEqual(['talk.wav']);
  await season.settle();
  const [row] = rowsOf(season.longhand);
  if (row === undefined) throw new Error('one is queued');
  return row.id;
}

describe('a file that is modified after it has been added', () => {
  const blocked: ItemState = {
    kind: 'blocked',
    problem: { code: 'file_changed' },
    at: { kind: 'waiting' },
  };

  it('is sent in its current form once its upload has noticed, and is not added again', async () => {
    const season = await WatchedSeason.open();
    const id = await addWatched(season);
    await season.write('talk.wav', 3);
    await season.settle();
    expect(season.retried).toEqual([]);
    season.states.set(id, blocked);
    await expect
      .poll(
        season.later(() => season.retried),
        patient,
      )
      .toEqual([id]);
    await season.settle();
    expect(season.retried).toEqual([id]);
    expect(season.names()).toEqual(['talk.wav']);
  });

  it('stays blocked for another reason, or when it was not modified', async () => {
    const season = await WatchedSeason.open();
    const id = await addWatched(season);
    season.states.set(id, blocked);
    await season.settle();
    season.states.set(id, { ...blocked, problem: { code: 'disk_full' } });
    await season.write('talk.wav', 3);
    await season.settle();
    expect(season.retried).toEqual([]);
    expect(season.names()).toEqual(['talk.wav']);
  });

  it('is another recording once the first has been transcribed', async () => {
    const season = await WatchedSeason.open();
    const id = await addWatched(season);
    season.states.set(id, { kind: 'done', jobId: 'job', wordCount: 1 });
    await season.write('talk.wav', 3);
    await expect.poll(season.later(season.queued), patient).toBe(2);
    await season.settle();
    expect(season.queued()).toBe(2);
    expect(season.retried).toEqual([]);
  });
});
