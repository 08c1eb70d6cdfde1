import { describe, expect, test } from 'vitest';
import type { EditOperation } from '../../../../../electron/contract/transcript.ts';
import type { Segment } from '../../../../../electron/contract/segment-schema.ts';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { openStore } from '../store-kit.ts';
import { make, opened, refused, save } from './edit-kit.ts';

const typed = (text: string): EditOperation => ({ kind: 'set-text', segment: 1, text });

const put = (at: number, removed: number, inserted: string): EditOperation => ({
  kind: 'edit-text',
  at,
  removed,
  inserted,
});

describe('typing that is stored in parts', () => {
  test('is one edit, which is undone and redone as a whole', async () => {
    const store = openStore(await testFolder());
    const id = save(store);
    let { revision } = store.edits.edit(id, 0, typed('Three b'));
    ({ revision } = store.edits.edit(id, revision, typed('Three boa'), true));
    ({ revision } = store.edits.edit(id, revision, typed('Three boats'), true));
    expect(opened(store, id).segments[1]?.text).toBe('Three boats');
    const undone = store.edits.undo(id, revision);
    expect(undone).toMatchObject({ canUndo: false, canRedo: true });
    expect(opened(store, id).segments[1]?.text).toBe('Three');
    store.edits.redo(id, undone.revision);
    expect(opened(store, id).segments[1]?.text).toBe('Three boats');
    await store.close();
  });

  test('is not an edit if it cancels out', async () => {
    const store = openStore(await testFolder());
    const id = save(store);
    const { revision } = store.edits.edit(id, 0, typed('Three b'));
    const ended = store.edits.edit(id, revision, typed('Three'), true);
    expect(ended).toMatchObject({ revision: 2, canUndo: false, canRedo: false });
    await store.close();
  });

  test('gives the words of what was typed at once, and the same words as before if it cancels out', async () => {
    const store = openStore(await testFolder());
    const text = 'Mbecki came';
    const segment = withWords(newSegment(0, 4, text), [
      { from: 0, to: 6, start: 1, end: 2, probability: 0.3 },
      { from: 7, to: 11, start: 2, end: 3, probability: 0.9 },
    ]);
    const saveSpoken = () => save(store, [segment]);
    const type = (id: number, texts: readonly string[]): Segment | undefined => {
      let revision = 0;
      texts.forEach((one, index) => {
        const operation = { kind: 'set-text', segment: 0, text: one } as const;
        ({ revision } = store.edits.edit(id, revision, operation, index > 0));
      });
      return opened(store, id).segments[0];
    };
    const atOnce = type(saveSpoken(), ['Mbeki came']);
    const inParts = type(saveSpoken(), ['came', 'Mb came', 'Mbeki came']);
    expect(inParts).toEqual(atOnce);
    expect(type(saveSpoken(), ['came', 'Mb came', text])).toMatchObject(segment);
    const undone = saveSpoken();
    type(undone, ['', 'M', 'Mbeki']);
    store.edits.undo(undone, opened(store, undone).revision);
    expect(opened(store, undone).segments).toMatchObject([segment]);
    await store.close();
  });

  test('of a text without times is one edit too', async () => {
    const store = openStore(await testFolder());
    const { id } = store.transcripts.save({
      itemId: null,
      service: 'on-device',
      jobId: 'timeless',
      name: 'net.txt',
      durationSeconds: null,
      transcript: { text: 'A net.', segments: [], language: 'en' },
      recording: null,
      createdAt: 1,
    });
    const { revision } = store.edits.edit(id, 0, put(2, 3, 'bo'));
    const ended = store.edits.edit(id, revision, put(4, 0, 'at'), true);
    expect(opened(store, id).text).toBe('A boat.');
    store.edits.undo(id, ended.revision);
    expect(opened(store, id).text).toBe('A net.');
    await store.close();
  });

  test('continues only the last edit, if that was typing in the same segment', async () => {
    const store = openStore(await testFolder());
    const id = save(store);
    expect(refused(() => store.edits.edit(id, 0, typed('Three b'), true))).toBe('transcript_changed');
    const revision = make(store, id, [typed('Three b'), { kind: 'set-text', segment: 2, text: 'Four b' }]);
    expect(refused(() => store.edits.edit(id, revision, typed('Three bo'), true))).toBe('transcript_changed');
    store.edits.undo(id, revision);
    expect(refused(() => store.edits.edit(id, revision + 1, typed('Three bo'), true))).toBe(
      'transcript_changed',
    );
    expect(opened(store, id).segments.map(({ text }) => text)).toStrictEqual([
      'One net. Two nets.',
      'Three b',
      'Four',
    ]);
    await store.close();
  });
});
