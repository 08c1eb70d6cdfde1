import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TranscriptDocument } from '../../electron/contract/transcript.ts';
import type { Store } from '../../electron/core/store/store.ts';
import { changeOf, draftOf } from '../../electron/core/transcript/edit/edit.ts';
import { isWhollyHighlighted, newSegment } from '../../electron/core/transcript/segment.ts';
import { notices } from '../../renderer/notices.ts';
import { Rebaser } from '../../renderer/features/transcript/session/rebase.ts';
import { TranscriptSession } from '../../renderer/features/transcript/session/transcript-session.ts';
import { growthOfCalls } from '../support/count-calls.ts';
import { testFolder } from '../support/test-folder.ts';
import { saveNets, Wire } from './session-kit.ts';
import { openStore } from '../unit/core/store/store-kit.ts';

let store: Store;
let id: number;
let wire: Wire;
let session: TranscriptSession;
let earlierUndone = 0;
const stored = (): TranscriptDocument => store.edits.open(id)!;
const texts = (): readonly string[] => stored().segments.map(({ text }) => text);

beforeEach(async () => {
  earlierUndone = 0;
  store = openStore(await testFolder());
  id = saveNets(store);
  // Three edits made before the transcript is opened.
  for (const revision of [0, 1, 2]) {
    store.edits.edit(id, revision, { kind: 'set-text', segment: 0, text: `Version ${revision}.` });
  }
  wire = new Wire(store);
  session = new TranscriptSession(wire.invoke, stored(), {
    onEarlierEditUndone: () => {
      earlierUndone += 1;
    },
    onNothingToDo: () => undefined,
    onRebased: () => {
      throw new Error('unexpected rebase');
    },
  });
});
afterEach(() => store.close());

it('makes no edit of a word in an input method before it is complete', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const text of ['n', 'に', 'にほん']) {
    session.updateTyping(1, text, { isComposing: true });
    vi.advanceTimersByTime(10_000);
  }
  expect(wire.names).toStrictEqual([]);
  expect(session.textOf(1, 'Two nets.')).toBe('にほん');
  session.updateTyping(1, '日本');
  vi.advanceTimersByTime(10_000);
  expect(wire.names).toStrictEqual(['transcript.edit']);
});

describe('an edit that the main process refuses as invalid', () => {
  /** Whatever a field of the window does not limit. */
  const tooLong = 'x'.repeat(1_000_000);
  const addTooLong = () => session.edit({ kind: 'add-note', atSeconds: 1, text: tooLong });

  it('is undone, and those before and after it are stored', async () => {
    const notice = vi.spyOn(notices, 'add').mockReturnValue('');
    onTestFinished(() => notice.mockRestore());
    session.edit({ kind: 'set-text', segment: 2, text: 'Before.' });
    expect(addTooLong()).not.toHaveLength(0);
    for (let step = 0; step < 20; step += 1)
      session.edit({ kind: 'set-text', segment: 0, text: `Correction ${step}.` });
    await wire.deliverAll();
    expect(texts()).toStrictEqual(['Correction 19.', 'Two nets.', 'Before.']);
    const { draft, saving } = session.getState();
    expect(draft).toMatchObject({ segments: stored().segments, notes: [] });
    expect(saving).toStrictEqual({ kind: 'saved' });
    expect(notice).toHaveBeenCalledOnce();
  });

  it('is not mistaken for a later one that inserts something', async () => {
    addTooLong();
    const refused = session.getState().draft.notes[0]!.id;
    session.edit({ kind: 'add-note', atSeconds: 3, text: 'Kept' });
    session.edit({ kind: 'change-note', note: refused, text: 'Continued' });
    await wire.deliverAll();
    expect(stored().notes.map(({ text }) => text)).toStrictEqual(['Kept']);
  });

  it('can be undone before it is refused', async () => {
    addTooLong();
    session.undo();
    session.edit({ kind: 'set-text', segment: 1, text: 'Later.' });
    await wire.deliverAll();
    expect(texts()[1]).toBe('Later.');
    expect(session.getState().saving).toStrictEqual({ kind: 'saved' });
  });

  it('is the only one that is dropped: one that fails otherwise is sent again', async () => {
    wire.isDown = true;
    session.edit({ kind: 'set-text', segment: 1, text: 'Kept.' });
    addTooLong();
    await wire.deliverAll();
    expect(session.getState().saving.kind).toBe('unsaved');
    wire.isDown = false;
    session.retry();
    await wire.deliverAll();
    expect(texts()[1]).toBe('Kept.');
    expect(stored().notes).toStrictEqual([]);
  });
});

describe('edits made while an undo is being fetched', () => {
  it('are stored after it, in their order, before the program quits', async () => {
    for (let step = 0; step < 5; step += 1) session.undo();
    session.updateTyping(1, 'Two nets, washed.');
    const settling = session.waitUntilSent();
    expect(wire.names).toStrictEqual(['transcript.undo']);
    while (wire.isBusy) await wire.deliverPending();
    await settling;
    expect(wire.names).toStrictEqual([
      'transcript.undo',
      'transcript.undo',
      'transcript.undo',
      'transcript.edit',
    ]);
    expect(texts()).toStrictEqual(['One net.', 'Two nets, washed.', 'Three.']);
    expect(session.getState().saving).toStrictEqual({ kind: 'saved' });
  });

  it('are undone first; only undo beyond them is reported', async () => {
    session.updateTyping(2, 'Three, and no more.');
    session.undo();
    expect(earlierUndone).toBe(0);
    session.undo();
    while (wire.isBusy) await wire.deliverPending();
    expect(earlierUndone).toBe(1);
  });

  it('are sent at once after it when the page is unloaded', async () => {
    for (let step = 0; step < 5; step += 1) session.undo();
    session.updateTyping(1, 'Two nets, washed.');
    session.flushBeforeUnload();
    expect(wire.names).toStrictEqual(['transcript.undo', 'transcript.edit']);
    await wire.deliverPending();
    expect(texts()).toStrictEqual(['Version 1.', 'Two nets, washed.', 'Three.']);
  });

  it('do not wait for a failed undo, which can be repeated', async () => {
    wire.isDown = true;
    session.undo();
    await wire.deliverPending();
    expect(session.getState().saving).toStrictEqual({ kind: 'saved' });
    wire.isDown = false;
    session.undo();
    await wire.deliverPending();
    expect(texts()[0]).toBe('Version 1.');
  });

  it('include an accepted finding, which a retry stores when it could not be stored', async () => {
    wire.isDown = true;
    session.accept('gap:0:1');
    await wire.deliverPending();
    expect(session.getState().saving.kind).toBe('unsaved');
    wire.isDown = false;
    session.retry();
    await wire.deliverPending();
    expect(session.getState().saving).toStrictEqual({ kind: 'saved' });
    expect(stored().accepted).toStrictEqual(['gap:0:1']);
  });

  it('an accepted finding that could not be stored is reported, although an edit before it could be', async () => {
    wire.failing.add('transcript.accept');
    session.edit({ kind: 'delete', segments: [2] });
    session.accept('gap:0:1');
    await wire.deliverLast();
    await wire.deliverPending();
    expect(session.getState().saving.kind).toBe('unsaved');
    expect(texts()).toHaveLength(2);
    wire.failing.clear();
    session.retry();
    await wire.deliverAll();
    expect(session.getState().saving).toStrictEqual({ kind: 'saved' });
    expect(stored().accepted).toStrictEqual(['gap:0:1']);
  });

  it('are sent at once when nothing is being fetched', () => {
    session.updateTyping(2, 'Three, and no more.');
    session.flushBeforeUnload();
    expect(wire.names).toStrictEqual(['transcript.edit']);
  });
});

it('undoes and redoes accepted findings and edits in their order', async () => {
  session.updateTyping(1, 'Two nets, washed.');
  session.accept('gap:0:1');
  session.edit({ kind: 'delete', segments: [2] });
  session.accept('fast:1:Two nets, washed.');
  await wire.deliverAll();
  const currentState = () => {
    const { accepted, draft } = session.getState();
    return [accepted.length, draft.segments.length, draft.segments[1]?.text];
  };
  const states = [
    [2, 2, 'Two nets, washed.'],
    [1, 2, 'Two nets, washed.'],
    [1, 3, 'Two nets, washed.'],
    [0, 3, 'Two nets, washed.'],
    [0, 3, 'Two nets.'],
  ];
  expect(currentState()).toStrictEqual(states[0]);
  for (const state of states.slice(1)) {
    session.undo();
    expect(currentState()).toStrictEqual(state);
  }
  for (const state of states.toReversed().slice(1)) {
    session.redo();
    expect(currentState()).toStrictEqual(state);
  }
  await wire.deliverAll();
  expect(stored().accepted).toHaveLength(2);
});

it('is sent the change of a step only if it does not know it', async () => {
  session.edit({ kind: 'delete', segments: [2] });
  session.undo();
  session.redo();
  session.undo();
  await wire.deliverAll();
  expect(wire.receivedSteps).toBe(0);
  session.undo();
  await wire.deliverAll();
  expect(wire.receivedSteps).toBe(1);
  expect(texts()[0]).toBe('Version 1.');
});

it('undoes an accepted finding where no edit can be undone, and nothing after that', async () => {
  for (let step = 0; step < 3; step += 1) session.undo();
  await wire.deliverAll();
  session.accept('gap:0:1');
  expect(session.getState()).toMatchObject({ canUndo: true, canRedo: true });
  session.undo();
  await wire.deliverAll();
  expect(session.getState()).toMatchObject({ canUndo: false, canRedo: true });
  expect(stored().accepted).toStrictEqual([]);
});

it('makes a replacement again in what was changed elsewhere', async () => {
  session = new TranscriptSession(wire.invoke, stored(), {
    onRebased: () => undefined,
    onEarlierEditUndone: () => undefined,
    onNothingToDo: () => undefined,
  });
  const texts0 = texts();
  store.edits.edit(id, stored().revision, { kind: 'set-text', segment: 1, text: 'Two nets, torn.' });
  store.edits.edit(id, stored().revision, { kind: 'delete', segments: [0] });
  session.edit({
    kind: 'set-texts',
    texts: texts0.map((before, segment) => ({ segment, before, text: before.replace(/nets?/u, 'boat') })),
  });
  await wire.deliverAll();
  expect(texts()).toStrictEqual(['Two boat, torn.', 'Three.']);
});

it('highlights its new segment although another one was inserted elsewhere', async () => {
  session = new TranscriptSession(wire.invoke, stored(), {
    onRebased: () => undefined,
    onEarlierEditUndone: () => undefined,
    onNothingToDo: () => undefined,
  });
  const insertion = { kind: 'insert', after: 2, fillsGap: false } as const;
  store.edits.edit(id, stored().revision, { ...insertion, text: 'Elsewhere.' });
  session.edit({ ...insertion, text: 'Mine.' });
  const mine = session.getState().draft.segments.find(({ text }) => text === 'Mine.');
  session.edit({ kind: 'set-highlight', segments: [mine?.id ?? -1], isHighlighted: true });
  await wire.deliverAll();
  const highlighted = stored().segments.filter(isWhollyHighlighted);
  expect(highlighted.map(({ text }) => text)).toStrictEqual(['Mine.']);
});

describe('a transcript that is deleted elsewhere while the user types', () => {
  it('is still saved while it is in the trash, and its state says so until it is restored', async () => {
    session.updateTyping(1, 'Two nets, washed');
    store.library.trash([id], 1);
    session.pullChanges();
    session.updateTyping(1, 'Two nets, washed.');
    await wire.deliverAll();
    expect(session.getState().trashed).toBe(true);
    session.flush();
    await wire.deliverAll();
    expect(texts()[1]).toBe('Two nets, washed.');
    store.library.restore([id]);
    session.pullChanges();
    await wire.deliverAll();
    expect(session.getState()).toMatchObject({ trashed: false, saving: { kind: 'saved' } });
  });

  it('stays on screen with what is typed when it was deleted permanently, and stays unsaved', async () => {
    store.library.trash([id], 1);
    expect(store.staged.markForRemoval(id)).toBe(true);
    Array.from(store.staged.remove(id));
    session.pullChanges();
    await wire.deliverAll();
    const gone = { kind: 'unsaved', problem: { code: 'transcript_gone' } };
    expect(session.getState().saving).toStrictEqual(gone);
    session.updateTyping(1, 'Two nets, washed.');
    expect(session.getState().saving).toStrictEqual(gone);
    session.flush();
    await wire.deliverAll();
    expect(session.getState()).toMatchObject({ saving: gone });
    expect(session.getState().draft.segments[1]?.text).toBe('Two nets, washed.');
  });
});

it('a text without times is also sent at once when the page is unloaded', async () => {
  const store = openStore(await testFolder());
  const { id } = store.transcripts.save({
    itemId: null,
    service: 'test',
    jobId: 'job',
    name: 'Nets',
    durationSeconds: null,
    recording: null,
    createdAt: 1,
    transcript: { language: 'en', text: 'One net.', segments: [] },
  });
  store.edits.edit(id, 0, { kind: 'edit-text', at: 0, removed: 3, inserted: 'Twenty-one' });
  const wire = new Wire(store);
  const session = new TranscriptSession(wire.invoke, store.edits.open(id)!, {
    onRebased: () => undefined,
    onEarlierEditUndone: () => undefined,
    onNothingToDo: () => undefined,
  });
  session.undo();
  session.updateTyping(null, 'Twenty-one nets.');
  session.flushBeforeUnload();
  await wire.deliverPending();
  expect(store.edits.open(id)?.text).toBe('Twenty-one nets.');
  await store.close();
});

it('redoes a change that is not an edit after a correction', () => {
  let recording: string | null = 'clip.mp4';
  const set = (name: string | null) => () => {
    recording = name;
    return true;
  };
  session.addNonEditChange({ undo: set(null), redo: set('clip.mp4') });
  session.undo();
  expect(recording).toBeNull();
  session.edit({ kind: 'set-text', segment: 1, text: 'Corrected.' });
  expect(session.getState().canRedo).toBe(true);
  session.redo();
  expect(recording).toBe('clip.mp4');
  session.undo();
  expect(recording).toBeNull();
  session.undo();
  expect(session.textOf(1, session.getState().draft.segments[1]?.text ?? '')).toBe('Two nets.');
});

it('finds the segments of a rebased replacement once, however many they are', async () => {
  const growth = await growthOfCalls(200, (count) => {
    const draft = draftOf(Array.from({ length: count }, (_, at) => newSegment(at, at + 1, 'net')));
    const texts = draft.segments.map(({ id: segment, text }) => ({
      segment,
      before: text,
      text: `${text}s`,
    }));
    const edit = { textBefore: null, segmentBefore: null, insertedIds: [] };
    const rebaser = new Rebaser(
      () => draft,
      (current, operation) =>
        changeOf(current, operation, {
          recordingSeconds: null,
          original: () => ({ segments: draft.segments, text: null }),
        }),
    );
    return () => {
      const applied = rebaser.applyEdit({ operation: { kind: 'set-texts', texts }, ...edit });
      expect(applied?.change).toMatchObject([{ pairs: { length: count } }]);
    };
  });
  expect(growth).toBeLessThan(7);
});
