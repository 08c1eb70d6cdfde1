import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TranscriptDocument } from '../../electron/contract/transcript.ts';
import type { Store } from '../../electron/core/store/store.ts';
import { unsureRanges } from '../../electron/core/transcript/review/unsure-words.ts';
import { TranscriptSession } from '../../renderer/features/transcript/session/transcript-session.ts';
import { saveIntervalMs } from '../../renderer/features/transcript/session/typing-buffer.ts';
import { segmentWithUnsureWords } from '../support/segment-with-unsure-words.ts';
import { testFolder } from '../support/test-folder.ts';
import { openStore } from '../unit/core/store/store-kit.ts';
import { Wire } from './session-kit.ts';

let store: Store;
let id: number;
let wire: Wire;
let session: TranscriptSession;
const stored = (): TranscriptDocument => store.edits.open(id)!;
const texts = (): readonly string[] => stored().segments.map(({ text }) => text);
const settle = (): Promise<void> => wire.deliverAll();

beforeEach(async () => {
  store = openStore(await testFolder());
  wire = new Wire(store);
  id = store.transcripts.save({
    itemId: null,
    service: 'on-device',
    jobId: 'job',
    name: 'Harbour',
    durationSeconds: 3,
    recording: null,
    createdAt: 0,
    transcript: {
      language: 'en',
      text: '',
      segments: [segmentWithUnsureWords(0, 'They left the old harbour.', ['old', 'harbour.'])],
    },
  }).id;
  session = new TranscriptSession(wire.invoke, stored(), {
    onRebased: () => undefined,
    onEarlierEditUndone: () => undefined,
    onNothingToDo: () => undefined,
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

/** The words that the model was unsure of: as stored, and as shown. */
const unsureWords = (): readonly (readonly string[])[] =>
  [stored().segments, session.getState().draft.segments].map((segments) =>
    segments.flatMap((segment) => unsureRanges(segment).map(({ from, to }) => segment.text.slice(from, to))),
  );
const replaced = { from: 'They left the '.length, to: 'They left the old harbour'.length };

describe('words that are typed over a selection', () => {
  it.each([
    ['at once', ['old harbor']],
    ['letter by letter, stored in between', ['o', 'ol', 'old', 'old ', 'old h', 'old ha', 'old harbor']],
  ])('are certain, even those that stay the same: %s', async (_name, typed) => {
    expect(unsureWords()).toStrictEqual([['old harbour.'], ['old harbour.']]);
    for (const text of typed) {
      session.updateTyping(0, `They left the ${text}.`, { replaced: text === typed[0] ? replaced : null });
      vi.advanceTimersByTime(saveIntervalMs);
      await settle();
    }
    session.flush();
    await settle();
    expect(texts()).toStrictEqual(['They left the old harbor.']);
    expect(unsureWords()).toStrictEqual([[], []]);
    session.undo();
    await settle();
    expect(unsureWords()).toStrictEqual([['old harbour.'], ['old harbour.']]);
  });

  it('stay certain if the transcript was changed elsewhere', async () => {
    session.updateTyping(0, 'They left the old harbor.', { replaced });
    session.flush();
    store.edits.edit(id, 0, { kind: 'set-text', segment: 0, text: 'Then they left the old harbour.' });
    await settle();
    expect(texts()).toStrictEqual(['Then they left the old harbor.']);
    expect(unsureWords()).toStrictEqual([[], []]);
  });
});

it('leaves the word beside a correction uncertain', async () => {
  session.updateTyping(0, 'They left the old harbor.');
  session.flush();
  await settle();
  expect(unsureWords()).toStrictEqual([['old'], ['old']]);
});
