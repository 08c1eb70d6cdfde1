import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ItemId } from '../../electron/contract/identifiers.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';

let core: ScriptedCore;

beforeEach(async () => {
  core = await ScriptedCore.start();
});
afterEach(() => core.close());

const idOf = (): ItemId => core.row().id;
/** What was asked of the service for the only item. */
function asked(): unknown {
  const item = core.longhand.queue.get(idOf());
  if (item?.state.kind !== 'transcribing') throw new Error(`it is ${item?.state.kind}`);
  return JSON.parse(item.state.ticket.body);
}
const untilAtWork = (): Promise<boolean> => core.passUntil(() => core.row().state.kind === 'transcribing');

describe('options', () => {
  it('of what waits are those that it is sent with', async () => {
    core.longhand.queue.setPaused(true);
    await core.addLink('https://a.example/talk.mp3');
    expect(core.longhand.queue.setOptions([idOf()], { language: 'de', accuracy: 'accurate' })).toBe(1);
    core.longhand.queue.setPaused(false);
    await untilAtWork();
    expect(core.row().options).toMatchObject({ language: 'de', accuracy: 'accurate' });
    expect(asked()).toMatchObject({ language: 'de', accuracy_mode: 'accurate' });
  });

  it('changed while its first request is prepared are in that request', async () => {
    await core.addLink('https://a.example/talk.mp3');
    // It has begun to begin: nothing has left yet.
    const changed = core.longhand.queue.setOptions([idOf()], { language: 'fr' });
    await untilAtWork();
    expect(core.row().options.language).toBe(changed === 1 ? 'fr' : 'auto');
    expect(asked()).toMatchObject({ language: core.row().options.language });
  });

  it('stay as they are once a request stands', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    core.longhand.queue.pause([idOf()]);
    expect(core.row().changeable).toBe(false);
    expect(core.longhand.queue.setOptions([idOf()], { language: 'de' })).toBe(0);
    expect(core.row().options.language).toBe('auto');
  });

  it('changed after it was given up go out under a new key', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    core.longhand.queue.cancel([idOf()]);
    await core.passUntil(() => core.row().state.kind === 'cancelled');
    expect(core.longhand.queue.setOptions([idOf()], { translateToEnglish: true })).toBe(1);
    await core.longhand.queue.retry([idOf()]);
    await core.passUntil(() => core.row().state.kind === 'done');
    expect(core.longhand.queue.facts(idOf())?.requests).toBe(2);
    expect(core.service.violations).toEqual([]);
  });
});

describe('what was removed', () => {
  it('comes back as it was when it had not begun', async () => {
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

  it('comes back with its transcript', async () => {
    await core.addFile('talk.wav');
    await core.passUntil(() => core.row().state.kind === 'done');
    const before = core.row();
    core.longhand.queue.clearFinished();
    expect(core.rows()).toEqual([]);
    core.longhand.queue.undoRemove();
    expect(core.row()).toEqual(before);
    const { state } = core.row();
    const transcript = state.kind === 'done' ? core.longhand.transcripts.get(state.transcriptId) : null;
    expect(transcript?.itemId).toBe(before.id);
  });

  it('starts over once its job is gone, and is charged once', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    core.longhand.queue.remove([idOf()]);
    expect(core.longhand.queue.undoRemove()).toBe(1);
    await core.passUntil(() => core.row().state.kind === 'done');
    expect(core.rows()).toHaveLength(1);
    expect(core.service.violations).toEqual([]);
  });

  it('comes back as new when its job has gone meanwhile', async () => {
    await core.addFile('talk.wav');
    await untilAtWork();
    core.longhand.queue.remove([idOf()]);
    await core.passUntil(() => core.rows().length === 0);
    core.longhand.queue.undoRemove();
    expect(core.row().state.kind).toBe('waiting');
    await core.passUntil(() => core.row().state.kind === 'done');
    expect(core.service.violations).toEqual([]);
  });
});
