import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TranscriptDocument } from '../../electron/contract/transcript.ts';
import type { Store } from '../../electron/core/store/store.ts';
import type { RebaseOutcome } from '../../renderer/features/transcript/session/rebase.ts';
import { TranscriptSession } from '../../renderer/features/transcript/session/transcript-session.ts';
import { NoteEdit } from '../../renderer/features/transcript/session/note-edit.ts';
import { saveIntervalMs } from '../../renderer/features/transcript/session/typing-buffer.ts';
import { testFolder } from '../support/test-folder.ts';
import { openStore } from '../unit/core/store/store-kit.ts';
import { sentences, saveNets, Wire } from './session-kit.ts';

let store: Store;
let id: number;
let wire: Wire;
let session: TranscriptSession;
const outcomes: RebaseOutcome[] = [];
const stored = (): TranscriptDocument => store.edits.open(id)!;
const texts = (): readonly string[] => stored().segments.map(({ text }) => text);
const settle = (): Promise<void> => wire.deliverAll();

beforeEach(async () => {
  store = openStore(await testFolder());
  id = saveNets(store);
  wire = new Wire(store);
  outcomes.length = 0;
  session = new TranscriptSession(wire.invoke, stored(), {
    onRebased: (outcome) => outcomes.push(outcome),
    onEarlierEditUndone: () => undefined,
    onNothingToDo: () => undefined,
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

const deleteSecond = () => store.edits.edit(id, stored().revision, { kind: 'delete', segments: [1] });

const noteTexts = () => stored().notes.map(({ text }) => text);
const typeNote = async (note: NoteEdit, text: string): Promise<void> => {
  note.type(text);
  await vi.advanceTimersByTimeAsync(0);
  await settle();
};

describe('a note', () => {
  it('is stored as it is typed, and all of it is one edit', async () => {
    const note = new NoteEdit(session, { kind: 'new', atSeconds: 1 });
    for (const text of ['C', 'Ch', 'Check the year']) {
      await typeNote(note, text);
      expect(noteTexts()).toStrictEqual([text]);
    }
    session.undo();
    await settle();
    expect(noteTexts()).toStrictEqual([]);
    expect(session.getState().canUndo).toBe(false);
    session.redo();
    await settle();
    expect(noteTexts()).toStrictEqual(['Check the year']);
  });

  it('leaves no edit when its text is removed or discarded', async () => {
    const note = new NoteEdit(session, { kind: 'new', atSeconds: 1 });
    await typeNote(note, 'Check');
    await typeNote(note, ' ');
    expect(noteTexts()).toStrictEqual([]);
    expect(session.getState().canUndo).toBe(false);
    note.set('Kept');
    await settle();
    const existing = new NoteEdit(session, { kind: 'existing', note: stored().notes[0]!.id });
    await typeNote(existing, 'Discarded');
    existing.set(existing.textBefore);
    await settle();
    expect(noteTexts()).toStrictEqual(['Kept']);
    session.undo();
    await settle();
    expect(session.getState().canUndo).toBe(false);
    expect(noteTexts()).toStrictEqual([]);
  });

  it('typed while another is added elsewhere stays a note of its own', async () => {
    const note = new NoteEdit(session, { kind: 'new', atSeconds: 1 });
    store.edits.edit(id, 0, { kind: 'add-note', atSeconds: 3, text: 'Elsewhere' });
    note.type('Ch');
    await vi.advanceTimersByTimeAsync(0);
    await typeNote(note, 'Check');
    expect(noteTexts().toSorted()).toStrictEqual(['Check', 'Elsewhere']);
    await typeNote(note, 'Check the year');
    expect(noteTexts().toSorted()).toStrictEqual(['Check the year', 'Elsewhere']);
    note.set(note.textBefore);
    await settle();
    expect(noteTexts()).toStrictEqual(['Elsewhere']);
  });

  it('typed while a segment is split elsewhere is stored to its end', async () => {
    const note = new NoteEdit(session, { kind: 'new', atSeconds: 1 });
    store.edits.edit(id, 0, { kind: 'split', segment: 1, offset: 4, atSeconds: null });
    await typeNote(note, 'C');
    await typeNote(note, 'Check');
    expect(noteTexts()).toStrictEqual(['Check']);
  });

  it('that was removed elsewhere is added again when it is typed on, but not when it is discarded', async () => {
    const note = new NoteEdit(session, { kind: 'new', atSeconds: 1 });
    const removeElsewhere = async (): Promise<void> => {
      const { revision, notes } = stored();
      store.edits.edit(id, revision, { kind: 'remove-note', note: notes[0]!.id });
      session.pullChanges();
      await settle();
    };
    await typeNote(note, 'Check');
    await removeElsewhere();
    await typeNote(note, 'Check the year');
    expect(noteTexts()).toStrictEqual(['Check the year']);
    const existing = new NoteEdit(session, { kind: 'existing', note: stored().notes[0]!.id });
    await typeNote(existing, 'Discarded');
    await removeElsewhere();
    existing.set(existing.textBefore);
    await settle();
    expect(noteTexts()).toStrictEqual([]);
  });
});

describe('typing without a pause', () => {
  it('is stored within a fraction of a second, and becomes one edit', async () => {
    let text = 'Two nets.';
    for (const letter of ' They were washed') {
      text += letter;
      session.updateTyping(1, text);
      vi.advanceTimersByTime(saveIntervalMs);
      await settle();
      expect(texts()[1]).toBe(text);
      expect(session.getState().saving.kind).toBe('saving');
    }
    session.undo();
    await settle();
    expect(texts()).toStrictEqual(sentences);
    session.redo();
    await settle();
    expect(texts()[1]).toBe(text);
    expect(session.getState()).toMatchObject({ saving: { kind: 'saved' }, canRedo: false });
  });

  it('is announced to subscribers at its first letter, even while an earlier edit is being saved', async () => {
    session.edit({ kind: 'set-text', segment: 0, text: 'A net.' });
    expect(session.getState().saving.kind).toBe('saving');
    let wasTyping = false;
    session.subscribe(() => {
      wasTyping ||= session.isTyping;
    });
    session.updateTyping(1, 'Two netss.');
    expect(wasTyping).toBe(true);
    await settle();
  });

  it('that cancels out leaves nothing to undo', async () => {
    session.updateTyping(1, 'Two netss.');
    vi.advanceTimersByTime(saveIntervalMs);
    await settle();
    session.updateTyping(1, 'Two nets.');
    session.flush();
    await settle();
    expect(session.getState()).toMatchObject({ canUndo: false, saving: { kind: 'saved' } });
    expect(stored()).toMatchObject({ canUndo: false, revision: 2 });
  });

  it('waits while nothing can be stored, and is complete after a retry', async () => {
    wire.isDown = true;
    session.updateTyping(1, 'Two nets. A');
    vi.advanceTimersByTime(saveIntervalMs);
    await settle();
    session.updateTyping(1, 'Two nets. A boat');
    vi.advanceTimersByTime(5000);
    await settle();
    expect(session.getState().saving.kind).toBe('unsaved');
    wire.isDown = false;
    session.retry();
    await settle();
    expect(texts()[1]).toBe('Two nets. A boat');
    expect(session.getState().saving.kind).toBe('saved');
  });

  it('is kept when the transcript is changed elsewhere; both can be undone', async () => {
    session.updateTyping(1, 'Two nets. And');
    vi.advanceTimersByTime(saveIntervalMs);
    await settle();
    session.updateTyping(1, 'Two nets. And a boat');
    store.edits.edit(id, stored().revision, {
      kind: 'replace',
      query: { text: 'net', matchCase: false, wholeWords: false },
      replacement: 'trap',
    });
    vi.advanceTimersByTime(saveIntervalMs);
    await settle();
    expect(session.textOf(1, '')).toBe('Two traps. And a boat');
    session.flush();
    await settle();
    expect(texts()).toStrictEqual(['One trap.', 'Two traps. And a boat', 'Three.']);
    expect(outcomes).toStrictEqual(['clean']);
    session.undo();
    await settle();
    session.undo();
    await settle();
    session.undo();
    await settle();
    expect(texts()).toStrictEqual(sentences);
    expect(session.getState().canUndo).toBe(false);
  });

  it('and other edits are rebased on changes made elsewhere', async () => {
    store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: 'Twenty-one nets.' });
    session.edit({ kind: 'split', segment: 1, offset: 3, atSeconds: null });
    session.updateTyping(2, 'Three, and a boat.');
    session.flush();
    await settle();
    expect(texts()).toStrictEqual(['Twenty-one nets.', 'Two', 'nets.', 'Three, and a boat.']);
    expect(outcomes).toStrictEqual(['clean']);
    expect(session.getState().saving.kind).toBe('saved');
  });

  it('and no edit is applied to a text that the user did not see', async () => {
    session.edit({ kind: 'set-text', segment: 1, text: 'Two.' });
    session.edit({ kind: 'split', segment: 2, offset: 3, atSeconds: null });
    // The edit made elsewhere creates the revision that the second edit names.
    store.edits.edit(id, 0, { kind: 'set-text', segment: 2, text: 'A net, and three.' });
    await wire.deliverPending();
    expect(texts()).toStrictEqual(['One net.', 'Two nets.', 'A net, and three.']);
    await settle();
    expect(session.getState().draft.segments.map(({ text }) => text)).toStrictEqual(texts());
    expect(texts()[1]).toBe('Two.');
  });

  it('undo does not undo an edit made elsewhere', async () => {
    session.edit({ kind: 'set-text', segment: 1, text: 'Two.' });
    await settle();
    store.edits.edit(id, 1, { kind: 'set-text', segment: 0, text: 'One.' });
    session.undo();
    await settle();
    expect(texts()).toStrictEqual(['One.', 'Two.', 'Three.']);
    expect(outcomes).toStrictEqual(['partial']);
    expect(session.getState().draft.segments.map(({ text }) => text)).toStrictEqual(texts());
  });

  describe('in a segment that is deleted elsewhere', () => {
    it('restores the segment with every letter, and continues in it', async () => {
      session.updateTyping(1, 'Two nets. And');
      deleteSecond();
      vi.advanceTimersByTime(saveIntervalMs);
      session.updateTyping(1, 'Two nets. And a');
      await settle();
      expect(outcomes).toStrictEqual(['reinserted']);
      const [, back] = session.getState().draft.segments;
      expect(back).toMatchObject({ start: 2, end: 4 });
      expect(session.getState().locateLastChange?.(0)).toStrictEqual({ segment: back?.id, offset: 15 });
      session.updateTyping(back?.id ?? 0, 'Two nets. And a boat');
      session.flush();
      await settle();
      expect(texts()).toStrictEqual(['One net.', 'Two nets. And a boat', 'Three.']);
      expect(session.getState().saving.kind).toBe('saved');
      while (session.getState().canUndo) {
        session.undo();
        await settle();
      }
      expect(texts()).toStrictEqual(sentences);
    });

    it('restores the segment when nothing had been sent', async () => {
      session.updateTyping(1, 'Two nets. And');
      deleteSecond();
      session.pullChanges();
      await settle();
      session.flush();
      await settle();
      expect(texts()).toStrictEqual(['One net.', 'Two nets. And', 'Three.']);
      expect(outcomes).toStrictEqual(['reinserted']);
    });

    it('restores the segment when the caret had left it before the deletion was known', async () => {
      session.updateTyping(1, 'Two nets. And');
      deleteSecond();
      session.pullChanges();
      session.flush();
      await settle();
      expect(texts()).toStrictEqual(['One net.', 'Two nets. And', 'Three.']);
      expect(outcomes).toStrictEqual(['reinserted']);
    });

    it('leaves the segment deleted when the text is unchanged', async () => {
      session.updateTyping(1, 'Two nets. A');
      session.updateTyping(1, 'Two nets.');
      deleteSecond();
      session.pullChanges();
      await settle();
      session.flush();
      await settle();
      expect(texts()).toStrictEqual(['One net.', 'Three.']);
    });
  });

  it('in a segment that is merged elsewhere stays with its words', async () => {
    session.updateTyping(1, 'Two big nets.');
    store.edits.edit(id, stored().revision, { kind: 'merge', segment: 0 });
    session.pullChanges();
    await settle();
    session.flush();
    await settle();
    expect(texts()).toStrictEqual(['One net. Two big nets.', 'Three.']);
    expect(outcomes).toStrictEqual(['clean']);
  });

  it('in a new segment follows it when its id is taken elsewhere', async () => {
    session.edit({ kind: 'insert', after: 0, text: '', fillsGap: false });
    session.updateTyping(3, 'Here.');
    session.flush();
    for (const text of ['There.', 'And there.']) {
      store.edits.edit(id, stored().revision, { kind: 'insert', after: 2, text, fillsGap: false });
    }
    await settle();
    expect(texts()).toStrictEqual(['One net.', 'Here.', 'Two nets.', 'Three.', 'And there.', 'There.']);
    expect(outcomes).toStrictEqual(['clean']);
  });
});

describe('typing that goes on after a pause while something is fetched', () => {
  it('is stored once when changes made elsewhere are fetched', async () => {
    session.pullChanges();
    session.updateTyping(2, 'Three. One');
    vi.advanceTimersByTime(5000);
    session.updateTyping(2, 'Three. One two');
    await settle();
    session.flush();
    await settle();
    expect(texts()[2]).toBe('Three. One two');
    expect(outcomes).toStrictEqual([]);
  });

  it('is stored once when an undo is fetched, and the undo comes first', async () => {
    store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: 'A net.' });
    session.pullChanges();
    await settle();
    session.undo();
    session.updateTyping(2, 'Three. One');
    session.undo();
    session.updateTyping(2, 'Three. One two');
    await settle();
    session.flush();
    await settle();
    // The second undo undoes what was typed before it.
    expect(texts()).toStrictEqual(['One net.', 'Two nets.', 'Three. two']);
    expect(session.getState().saving.kind).toBe('saved');
  });

  it('keeps the part that was stored before', async () => {
    session.updateTyping(2, 'Three. One');
    vi.advanceTimersByTime(saveIntervalMs);
    await settle();
    session.updateTyping(2, 'Three. One two');
    session.pullChanges();
    session.flush();
    expect(session.textOf(2, '')).toBe('Three. One two');
    session.updateTyping(2, 'Three. One two three');
    session.flush();
    await settle();
    expect(texts()[2]).toBe('Three. One two three');
  });
});

describe('an edit while something is fetched', () => {
  it('keeps what was typed before it, and what was changed elsewhere', async () => {
    session.pullChanges();
    store.edits.edit(id, 0, { kind: 'set-text', segment: 1, text: 'Ten. Two nets.' });
    session.updateTyping(1, 'Two nets. A boat.');
    session.edit({ kind: 'set-text', segment: 1, text: 'Two traps. A boat.' });
    session.edit({ kind: 'split', segment: 1, offset: 'Two nets.'.length, atSeconds: null });
    await settle();
    expect(texts()).toStrictEqual(['One net.', 'Ten. Two traps.', 'A boat.', 'Three.']);
    expect(outcomes).toStrictEqual(['clean']);
  });

  it('is made in its segment when the id of that is taken elsewhere', async () => {
    session.edit({ kind: 'insert', after: 0, text: 'Here.', fillsGap: false });
    const here = session.getState().draft.segments.find(({ text }) => text === 'Here.');
    store.edits.edit(id, 0, { kind: 'insert', after: 2, text: 'There.', fillsGap: false });
    session.pullChanges();
    session.edit({ kind: 'delete', segments: [here?.id ?? -1] });
    await settle();
    expect(texts()).toStrictEqual([...sentences, 'There.']);
  });

  it('twice has its effect once, and no report that it could not be made', async () => {
    session.pullChanges();
    session.edit({ kind: 'delete', segments: [1] });
    session.edit({ kind: 'delete', segments: [1] });
    await settle();
    expect(texts()).toStrictEqual(['One net.', 'Three.']);
    expect(outcomes).toStrictEqual([]);
  });

  it('does not undo an undo before what is typed next', async () => {
    session.pullChanges();
    session.updateTyping(1, 'Two nets. A');
    session.undo();
    session.updateTyping(1, 'Two nets. A B');
    await settle();
    expect(session.textOf(1, '')).toBe('Two nets. B');
    vi.advanceTimersByTime(saveIntervalMs);
    session.flush();
    await settle();
    expect(texts()[1]).toBe('Two nets. B');
  });

  it('and typing are not shown as saved while they wait', async () => {
    session.edit({ kind: 'set-text', segment: 0, text: 'A net.' });
    session.pullChanges();
    session.updateTyping(1, 'Two nets. A');
    session.flush();
    await wire.deliverFirst();
    expect(texts()[0]).toBe('A net.');
    expect(session.getState().saving.kind).toBe('saving');
    await settle();
    expect(texts()[1]).toBe('Two nets. A');
    expect(session.getState().saving.kind).toBe('saved');
  });
});
