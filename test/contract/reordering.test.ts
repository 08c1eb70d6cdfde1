import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemId } from '../../electron/contract/identifiers.ts';
import { add } from '../support/core.ts';
import { transcriptOf } from '../support/transcript-of.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';

let core: ScriptedCore;

beforeEach(async () => {
  core = await ScriptedCore.start();
});
afterEach(() => core.close());

const idOf = (): ItemId => core.row().id;
const allIds = (): readonly ItemId[] =>
  core.longhand.queue.ids({ filter: 'all', offset: 0, limit: Infinity });
async function addLinks(count: number): Promise<void> {
  const links = Array.from({ length: count }, (_, index) => `https://a.example/${index}.mp3`);
  await add(core.longhand, [], core.service.baseUrl, links);
}
/** The options that were sent to the service for the only item. */
function sentOptions(): unknown {
  const item = core.longhand.queue.get(idOf());
  if (item?.state.kind !== 'transcribing') throw new Error(`it is ${item?.state.kind}`);
  return JSON.parse(item.state.request.body);
}
const untilAtWork = (): Promise<boolean> => core.advanceUntil(() => core.row().state.kind === 'transcribing');

describe('options', () => {
  it('of a waiting item are those that it is sent with', async () => {
    core.longhand.queue.setPaused(true);
    await core.addLink('https://a.example/talk.mp3');
    expect(await core.longhand.queue.setOptions([idOf()], { language: 'de', accuracy: 'accurate' })).toBe(1);
    core.longhand.queue.setPaused(false);
    await untilAtWork();
    expect(core.row().options).toMatchObject({ language: 'de', accuracy: 'accurate' });
    expect(sentOptions()).toMatchObject({ language: 'de', accuracy_mode: 'accurate' });
  });

  it('changed while its first request is prepared are in that request', async () => {
    await core.addLink('https://a.example/talk.mp3');
    // It is starting: nothing has been sent yet.
    const changed = await core.longhand.queue.setOptions([idOf()], { language: 'fr' });
    await untilAtWork();
    expect(core.row().options.language).toBe(changed === 1 ? 'fr' : 'auto');
    expect(sentOptions()).toMatchObject({ language: core.row().options.language });
  });

  it('of a long queue change in several turns, all before anything is sent', async () => {
    core.longhand.queue.setPaused(true);
    await addLinks(1000);
    const ids = allIds();
    const languages = () => new Set(ids.map((id) => core.longhand.queue.get(id)?.options.language));
    const changed = core.longhand.queue.setOptions(ids, { language: 'de' });
    core.longhand.queue.setPaused(false);
    expect(languages()).toStrictEqual(new Set(['de', 'auto']));
    await core.advanceUntil(() => core.service.callsOf('create').length > 0);
    expect(languages()).toStrictEqual(new Set(['de']));
    expect(await changed).toBe(1000);
  });

  it('a long queue moves to another service in several turns, all before anything is sent', async () => {
    const other = await core.addAccount();
    core.longhand.queue.setPaused(true);
    await addLinks(1000);
    const ids = allIds();
    const services = () => new Set(ids.map((id) => core.longhand.queue.get(id)?.service));
    const moved = core.longhand.queue.moveToService([...ids, ...ids], other.baseUrl);
    core.longhand.queue.setPaused(false);
    expect(services()).toStrictEqual(new Set([core.service.baseUrl, other.baseUrl]));
    await core.advanceUntil(() => other.callsOf('create').length > 0);
    expect(services()).toStrictEqual(new Set([other.baseUrl]));
    expect(await moved).toStrictEqual({ changed: 1000, notMoved: 0 });
    expect(core.service.calls).toEqual([]);
    expect(core.longhand.queue.unfinishedOn(core.service.baseUrl)).toBe(0);
  });

  it('do not change once a request has been made', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    core.longhand.queue.pause([idOf()]);
    expect(core.row().changeable).toBe(false);
    expect(await core.longhand.queue.setOptions([idOf()], { language: 'de' })).toBe(0);
    expect(core.row().options.language).toBe('auto');
  });

  it('changed after a cancellation are sent with a new key', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    core.longhand.queue.cancel([idOf()]);
    await core.advanceUntil(() => core.row().state.kind === 'cancelled');
    expect(await core.longhand.queue.setOptions([idOf()], { translateToEnglish: true })).toBe(1);
    await core.longhand.queue.retry([idOf()]);
    await core.advanceUntil(() => core.row().state.kind === 'done');
    expect(core.longhand.queue.details(idOf())?.requests).toBe(2);
    expect(core.service.violations).toEqual([]);
  });
});

describe('a removed item', () => {
  it('is restored unchanged if it had not started', async () => {
    core.longhand.queue.setPaused(true);
    for (const name of ['a', 'b', 'c']) await core.addLink(`https://a.example/${name}.mp3`);
    const before = core.rows();
    core.longhand.queue.remove([before[1]?.id ?? 0]);
    expect(core.rows()).toHaveLength(2);
    expect(core.longhand.queue.undoRemove()).toBe(1);
    expect(core.rows()).toEqual(before);
    expect(core.longhand.queue.view({ filter: 'all', offset: 0, limit: 0 }).summary.counts.all).toBe(3);
    expect(core.longhand.queue.undoRemove()).toBe(0);
  });

  it('is restored with its transcript', async () => {
    await core.addFile('talk.wav');
    await core.advanceUntil(() => core.row().state.kind === 'done');
    const before = core.row();
    core.longhand.queue.clearDoneAndCancelled();
    expect(core.rows()).toEqual([]);
    core.longhand.queue.undoRemove();
    expect(core.row()).toEqual(before);
    const { state } = core.row();
    const transcript = core.longhand.transcripts.get(transcriptOf({ state }));
    expect(transcript?.itemId).toBe(before.id);
  });

  it('starts over once its job is gone, and is charged once', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    core.longhand.queue.remove([idOf()]);
    expect(core.longhand.queue.undoRemove()).toBe(1);
    await core.advanceUntil(() => core.row().state.kind === 'done');
    expect(core.rows()).toHaveLength(1);
    expect(core.service.violations).toEqual([]);
  });

  it('is restored as new if its job was deleted meanwhile', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    core.longhand.queue.remove([idOf()]);
    await core.advanceUntil(() => core.rows().length === 0);
    core.longhand.queue.undoRemove();
    expect(core.row().state.kind).toBe('waiting');
    await core.advanceUntil(() => core.row().state.kind === 'done');
    expect(core.service.violations).toEqual([]);
  });

  it('can still be restored if a later removal could not be stored', async () => {
    core.longhand.queue.setPaused(true);
    await addLinks(2);
    const [first = 0, second = 0] = allIds();
    core.longhand.queue.remove([first]);
    const database = new Database(core.pathOf('data/longhand.db'));
    try {
      database.exec(`CREATE TRIGGER full_disk BEFORE DELETE ON items BEGIN SELECT RAISE(ABORT, 'full'); END`);
      expect(() => core.longhand.queue.remove([second])).toThrow('full');
      database.exec('DROP TRIGGER full_disk');
    } finally {
      database.close();
    }
    expect(core.longhand.queue.undoRemove()).toBe(1);
    expect(allIds()).toEqual([first, second]);
  });

  it('is restored if the removal of a long selection has not reached it yet', async () => {
    core.longhand.queue.setPaused(true);
    await addLinks(250);
    const before = allIds();
    core.longhand.queue.remove(before);
    expect(allIds().length).toBeGreaterThan(0);
    expect(core.longhand.queue.undoRemove()).toBe(250);
    await core.pass(60_000);
    expect(allIds()).toEqual(before);
  });

  it('is restored if the clearing of a long queue has not reached it yet', async () => {
    core.longhand.queue.setPaused(true);
    await addLinks(250);
    const before = allIds();
    core.longhand.queue.cancel(before);
    await core.pass(60_000);
    core.longhand.queue.clearDoneAndCancelled();
    expect(allIds()).toHaveLength(150);
    expect(core.longhand.queue.undoRemove()).toBe(250);
    await core.pass(60_000);
    expect(allIds()).toEqual(before);
    core.longhand.queue.clearDoneAndCancelled();
    await core.pass(60_000);
    expect(allIds()).toEqual([]);
  });

  it('stays removed if an earlier, longer removal that has not reached it is not undone', async () => {
    core.longhand.queue.setPaused(true);
    await addLinks(250);
    const all = allIds();
    core.longhand.queue.remove(all.slice(1));
    core.longhand.queue.remove([all[0] ?? 0]);
    expect(core.longhand.queue.undoRemove()).toBe(1);
    await core.pass(60_000);
    expect(allIds()).toEqual(all.slice(0, 1));
  });

  it('is restored as done if its transcript arrived before the removal reached it', async () => {
    core.service.account.holdsJobs = true;
    await core.addFile('talk.wav');
    await untilAtWork();
    const id = idOf();
    core.longhand.queue.setPaused(true);
    await addLinks(250);
    await core.pass(60_000);
    core.service.account.holdsJobs = false;
    // The poll is in flight during the removal, and its answer is committed between two slices of it.
    core.clock.advance(60_000);
    core.longhand.queue.remove([...allIds().filter((other) => other !== id), id]);
    await core.advanceUntil(() => allIds().length === 0);
    expect(core.service.callsOf('delete')).toEqual([]);
    expect(core.longhand.queue.undoRemove()).toBe(251);
    expect(core.longhand.queue.get(id)?.state.kind).toBe('done');
  });

  it('needs the consent of the user for a second job if the first could not be deleted', async () => {
    core.service.account.holdsJobs = true;
    await core.addFile('talk.wav');
    await untilAtWork();
    const fault = { kind: 'refusal', status: 409, code: 'invalid_status', tookEffect: false } as const;
    core.service.inject({ endpoint: 'delete', from: 1, times: Infinity, fault });
    core.longhand.queue.remove([idOf()]);
    expect(await core.advanceUntil(() => core.rows().length === 0)).toBe(true);
    expect(core.longhand.queue.undoRemove()).toBe(1);
    await core.pass(60_000);
    expect(core.row().state).toMatchObject({ kind: 'blocked' });
    expect(core.service.callsOf('create')).toHaveLength(1);
  });

  it('stays cancelled if its removal has not reached it when it is undone', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    const id = idOf();
    core.longhand.queue.setPaused(true);
    await addLinks(250);
    core.longhand.queue.cancel([id]);
    core.longhand.queue.remove([...allIds().filter((other) => other !== id), id]);
    core.longhand.queue.undoRemove();
    await core.pass(60_000);
    expect(core.longhand.queue.get(id)?.state.kind).toBe('cancelled');
  });

  describe.each([
    ['while its job is being deleted', false],
    ['after its job was deleted', true],
  ])('that is restored %s', (_, isGone) => {
    /** Removes the only item and undoes that; no other job is requested. */
    async function removeAndUndo(): Promise<void> {
      core.longhand.queue.remove([idOf()]);
      if (isGone) await core.advanceUntil(() => core.rows().length === 0);
      expect(core.longhand.queue.undoRemove()).toBe(1);
      await core.pass(10 * 60_000);
      expect(core.service.callsOf('create')).toHaveLength(1);
      expect(core.service.violations).toEqual([]);
    }

    beforeEach(async () => {
      core.service.account.holdsJobs = true;
      await core.addFile('talk.wav');
      await untilAtWork();
    });

    it('stays cancelled if it was being cancelled', async () => {
      core.longhand.queue.cancel([idOf()]);
      expect(core.row().state.kind).toBe('cancelling');
      await removeAndUndo();
      expect(core.row().state.kind).toBe('cancelled');
    });

    it('needs the consent of the user for another job if it was paused', async () => {
      core.longhand.queue.pause([idOf()]);
      await removeAndUndo();
      expect(core.row().state).toMatchObject({ kind: 'blocked', problem: { code: 'job_deleted' } });
    });
  });

  it.each([
    ['while its request is repeated', false],
    ['after its request was repeated', true],
  ])('needs the consent of the user for another key if it is restored %s', async (_, isGone) => {
    const fault = { kind: 'refusal', status: 409, code: 'idempotency_conflict', tookEffect: false } as const;
    core.service.inject({ endpoint: 'create', from: 1, times: Infinity, fault });
    await core.addFile('talk.wav');
    await core.advanceUntil(() => core.row().state.kind === 'blocked');
    core.longhand.queue.remove([idOf()]);
    if (isGone) await core.advanceUntil(() => core.rows().length === 0);
    expect(core.longhand.queue.undoRemove()).toBe(1);
    await core.pass(60_000);
    expect(core.row().state).toMatchObject({ kind: 'blocked', problem: { code: 'idempotency_conflict' } });
    expect(core.longhand.queue.details(idOf())?.requests).toBe(1);
  });

  it('needs the consent of the user for another key if the repeated request has a conflict', async () => {
    const reset = { kind: 'reset', tookEffect: false } as const;
    core.service.inject({ endpoint: 'create', from: 1, times: 1, fault: reset });
    const fault = { kind: 'refusal', status: 409, code: 'idempotency_conflict', tookEffect: false } as const;
    core.service.inject({ endpoint: 'create', from: 2, times: Infinity, fault });
    await core.addFile('talk.wav');
    await core.advanceUntil(() => core.service.callsOf('create').length === 1);
    core.longhand.queue.remove([idOf()]);
    await core.advanceUntil(() => core.rows().length === 0);
    core.longhand.queue.undoRemove();
    await core.pass(60_000);
    expect(core.row().state).toMatchObject({ kind: 'blocked', problem: { code: 'idempotency_conflict' } });
    expect(core.longhand.queue.details(idOf())?.requests).toBe(1);
  });
});
