import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemId } from '../../electron/contract/identifiers.ts';
import { transcriptOf } from '../support/transcript-of.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';

let core: ScriptedCore;

beforeEach(async () => {
  core = await ScriptedCore.start();
});
afterEach(() => core.close());

const idOf = (): ItemId => core.row().id;
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
    expect(core.longhand.queue.setOptions([idOf()], { language: 'de', accuracy: 'accurate' })).toBe(1);
    core.longhand.queue.setPaused(false);
    await untilAtWork();
    expect(core.row().options).toMatchObject({ language: 'de', accuracy: 'accurate' });
    expect(sentOptions()).toMatchObject({ language: 'de', accuracy_mode: 'accurate' });
  });

  it('changed while its first request is prepared are in that request', async () => {
    await core.addLink('https://a.example/talk.mp3');
    // It is starting: nothing has been sent yet.
    const changed = core.longhand.queue.setOptions([idOf()], { language: 'fr' });
    await untilAtWork();
    expect(core.row().options.language).toBe(changed === 1 ? 'fr' : 'auto');
    expect(sentOptions()).toMatchObject({ language: core.row().options.language });
  });

  it('do not change once a request has been made', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    core.longhand.queue.pause([idOf()]);
    expect(core.row().changeable).toBe(false);
    expect(core.longhand.queue.setOptions([idOf()], { language: 'de' })).toBe(0);
    expect(core.row().options.language).toBe('auto');
  });

  it('changed after a cancellation are sent with a new key', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    core.longhand.queue.cancel([idOf()]);
    await core.advanceUntil(() => core.row().state.kind === 'cancelled');
    expect(core.longhand.queue.setOptions([idOf()], { translateToEnglish: true })).toBe(1);
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
    core.longhand.queue.clearFinished();
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
});
