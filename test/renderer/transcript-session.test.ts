import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CommandName } from '../../electron/contract/commands.ts';
import type { TranscriptDocument } from '../../electron/contract/model/transcript.ts';
import type { Store } from '../../electron/core/store/store.ts';
import type { Ask } from '../../renderer/bridge.ts';
import { TranscriptSession } from '../../renderer/features/transcript/editing/session.ts';
import { partMs } from '../../renderer/features/transcript/editing/typing.ts';
import { temporaryFolder } from '../support/recordings.ts';
import { openStore } from '../unit/core/store/store-kit.ts';

interface Input {
  readonly id: number;
  readonly revision: number;
  readonly operation: never;
  readonly continues?: boolean;
  readonly finding: string;
  readonly accepted: boolean;
}

/** Messages to the real store, on their way until they are let through in their order. */
class Wire {
  readonly #store: Store;
  #onTheWay: (() => void)[] = [];
  readonly names: CommandName[] = [];
  /** Whether nothing can be stored. */
  isDown = false;

  constructor(store: Store) {
    this.#store = store;
  }

  readonly ask = ((name: CommandName, input: never): Promise<unknown> => {
    this.names.push(name);
    return new Promise((resolve, reject) => {
      this.#onTheWay.push(() => {
        try {
          resolve(this.#answer(name, input));
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }) as Ask;

  /** Whether something is on its way. */
  get isBusy(): boolean {
    return this.#onTheWay.length > 0;
  }

  /** Lets through what is on its way, and not what is asked for because of that. */
  async arrive(): Promise<void> {
    const those = this.#onTheWay;
    this.#onTheWay = [];
    for (const deliver of those) deliver();
    await new Promise((done) => setImmediate(done));
  }

  #answer(name: CommandName, input: Input): unknown {
    const { edits } = this.#store;
    if (this.isDown) throw new Error('the disk is full');
    if (name === 'transcript.accept') return edits.setAccepted(input.id, input.finding, input.accepted);
    if (name === 'transcript.edit')
      return edits.edit(input.id, input.revision, input.operation, input.continues);
    if (name === 'transcript.get') return edits.begin(input.id);
    if (name === 'transcript.redo') return edits.redo(input.id, input.revision);
    if (name === 'transcript.undo') return edits.undo(input.id, input.revision);
    throw new Error(`nobody answers ${name}`);
  }
}

const said = ['One net.', 'Two nets.', 'Three.'];

let store: Store;
let id: number;
let wire: Wire;
let session: TranscriptSession;
const stored = (): TranscriptDocument => store.edits.open(id)!;
const texts = (): readonly string[] => stored().segments.map(({ text }) => text);

beforeEach(async () => {
  store = openStore(await temporaryFolder());
  const segments = said.map((text, index) => ({ start: index * 2, end: index * 2 + 2, text }));
  ({ id } = store.transcripts.save({
    itemId: null,
    service: 'test',
    jobId: 'job',
    name: 'Nets',
    durationSeconds: 6,
    recording: null,
    createdAt: 1,
    transcript: { language: 'en', text: said.join(' '), segments },
  }));
  // Three edits from before it was opened.
  for (const revision of [0, 1, 2]) {
    store.edits.edit(id, revision, { kind: 'set-text', segment: 0, text: `Version ${revision}.` });
  }
  wire = new Wire(store);
  session = new TranscriptSession(wire.ask, stored(), {
    changedElsewhere: () => {
      throw new Error('it was changed elsewhere');
    },
  });
});
afterEach(() => store.close());

it('makes no edit of a word that is still being put together, and one of the whole', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const text of ['n', 'に', 'にほん']) {
    session.type(1, text, true);
    vi.advanceTimersByTime(10_000);
  }
  expect(wire.names).toStrictEqual([]);
  expect(session.textOf(1, 'Two nets.')).toBe('にほん');
  session.type(1, '日本');
  vi.advanceTimersByTime(10_000);
  expect(wire.names).toStrictEqual(['transcript.edit']);
});

describe('what is done while older edits are taken back', () => {
  it('is stored after them when the program ends, in the order of what was done', async () => {
    for (let step = 0; step < 5; step += 1) session.undo();
    session.type(1, 'Two nets, mended.');
    const settling = session.settle();
    expect(wire.names).toStrictEqual(['transcript.undo']);
    while (wire.isBusy) await wire.arrive();
    await settling;
    expect(wire.names).toStrictEqual([
      'transcript.undo',
      'transcript.undo',
      'transcript.undo',
      'transcript.edit',
    ]);
    expect(texts()).toStrictEqual(['One net.', 'Two nets, mended.', 'Three.']);
    expect(session.getState().saving).toStrictEqual({ kind: 'saved' });
  });

  it('is on its way at once when the page goes, behind the one step that was', async () => {
    for (let step = 0; step < 5; step += 1) session.undo();
    session.type(1, 'Two nets, mended.');
    session.flushAtOnce();
    expect(wire.names).toStrictEqual(['transcript.undo', 'transcript.edit']);
    await wire.arrive();
    expect(texts()).toStrictEqual(['Version 1.', 'Two nets, mended.', 'Three.']);
  });

  it('waits for nothing that failed: an older edit can be asked for again', async () => {
    wire.isDown = true;
    session.undo();
    await wire.arrive();
    expect(session.getState().saving).toStrictEqual({ kind: 'saved' });
    wire.isDown = false;
    session.undo();
    await wire.arrive();
    expect(texts()[0]).toBe('Version 1.');
  });

  it('what was accepted and could not be stored is stored on the next try', async () => {
    wire.isDown = true;
    session.accept('gap:0:1', true);
    await wire.arrive();
    expect(session.getState().saving.kind).toBe('unsaved');
    wire.isDown = false;
    session.retry();
    await wire.arrive();
    expect(session.getState().saving).toStrictEqual({ kind: 'saved' });
    expect(stored().accepted).toStrictEqual(['gap:0:1']);
  });

  it('is sent at once when nothing has to be waited for', () => {
    session.type(2, 'Three, and no more.');
    session.flushAtOnce();
    expect(wire.names).toStrictEqual(['transcript.edit']);
  });
});

it('the whole of a text without times is on its way at once as well', async () => {
  const store = openStore(await temporaryFolder());
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
  const session = new TranscriptSession(wire.ask, store.edits.open(id)!, {
    changedElsewhere: () => undefined,
  });
  session.undo();
  session.type(null, 'Twenty-one nets.');
  session.flushAtOnce();
  await wire.arrive();
  expect(store.edits.open(id)?.text).toBe('Twenty-one nets.');
  await store.close();
});

/** Lets what was asked for arrive, and what is asked for because of that. */
const settle = async (): Promise<void> => {
  while (wire.isBusy) await wire.arrive();
};

describe('typing without a pause', () => {
  const told: boolean[] = [];
  beforeEach(() => {
    const segments = said.map((text, index) => ({ start: index * 2, end: index * 2 + 2, text }));
    ({ id } = store.transcripts.save({
      itemId: null,
      service: 'test',
      jobId: 'typed',
      name: 'Nets',
      durationSeconds: 6,
      recording: null,
      createdAt: 1,
      transcript: { language: 'en', text: said.join(' '), segments },
    }));
    told.length = 0;
    session = new TranscriptSession(wire.ask, stored(), { changedElsewhere: (isKept) => told.push(isKept) });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => void vi.useRealTimers());

  it('is stored within a fraction of a second, and is one edit', async () => {
    let text = 'Two nets.';
    for (const letter of ' They were mended') {
      text += letter;
      session.type(1, text);
      vi.advanceTimersByTime(partMs);
      await settle();
      expect(texts()[1]).toBe(text);
      expect(session.getState().saving.kind).toBe('saving');
    }
    session.undo();
    await settle();
    expect(texts()).toStrictEqual(said);
    session.redo();
    await settle();
    expect(texts()[1]).toBe(text);
    expect(session.getState()).toMatchObject({ saving: { kind: 'saved' }, canRedo: false });
  });

  it('that comes to nothing leaves nothing to take back', async () => {
    session.type(1, 'Two netss.');
    vi.advanceTimersByTime(partMs);
    await settle();
    session.type(1, 'Two nets.');
    session.flush();
    await settle();
    expect(session.getState()).toMatchObject({ canUndo: false, saving: { kind: 'saved' } });
    expect(stored()).toMatchObject({ canUndo: false, revision: 2 });
  });

  it('waits while nothing can be stored, and loses nothing', async () => {
    wire.isDown = true;
    session.type(1, 'Two nets. A');
    vi.advanceTimersByTime(partMs);
    await settle();
    session.type(1, 'Two nets. A boat');
    vi.advanceTimersByTime(5000);
    await settle();
    expect(session.getState().saving.kind).toBe('unsaved');
    wire.isDown = false;
    session.retry();
    await settle();
    expect(texts()[1]).toBe('Two nets. A boat');
    expect(session.getState().saving.kind).toBe('saved');
  });

  it('is kept when the transcript is changed elsewhere, which can be taken back after it', async () => {
    session.type(1, 'Two nets. And');
    vi.advanceTimersByTime(partMs);
    await settle();
    session.type(1, 'Two nets. And a boat');
    store.edits.edit(id, stored().revision, {
      kind: 'replace',
      query: { text: 'net', matchCase: false, wholeWords: false },
      replacement: 'trap',
    });
    vi.advanceTimersByTime(partMs);
    await settle();
    expect(session.textOf(1, '')).toBe('Two traps. And a boat');
    session.flush();
    await settle();
    expect(texts()).toStrictEqual(['One trap.', 'Two traps. And a boat', 'Three.']);
    expect(told).toStrictEqual([true]);
    session.undo();
    await settle();
    session.undo();
    await settle();
    session.undo();
    await settle();
    expect(texts()).toStrictEqual(said);
    expect(session.getState().canUndo).toBe(false);
  });

  it('and what else was done meanwhile comes on top of what was changed elsewhere', async () => {
    store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: 'Twenty-one nets.' });
    session.edit({ kind: 'split', segment: 1, offset: 3, atSeconds: null });
    session.type(2, 'Three, and a boat.');
    session.flush();
    await settle();
    expect(texts()).toStrictEqual(['Twenty-one nets.', 'Two', 'nets.', 'Three, and a boat.']);
    expect(told).toStrictEqual([true]);
    expect(session.getState().saving.kind).toBe('saved');
  });

  it('takes nothing back that was done elsewhere', async () => {
    session.edit({ kind: 'set-text', segment: 1, text: 'Two.' });
    await settle();
    store.edits.edit(id, 1, { kind: 'set-text', segment: 0, text: 'One.' });
    session.undo();
    await settle();
    expect(texts()).toStrictEqual(['One.', 'Two.', 'Three.']);
    expect(told).toStrictEqual([false]);
    expect(session.getState().draft.segments.map(({ text }) => text)).toStrictEqual(texts());
  });
});
