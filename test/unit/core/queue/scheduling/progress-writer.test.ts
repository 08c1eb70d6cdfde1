import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ProgressWriter } from '../../../../../electron/core/queue/scheduling/progress-writer.ts';
import { countWords } from '../../../../../electron/core/transcript/word-count.ts';
import { systemRandom } from '../../../../../electron/core/system.ts';
import { eagerClock } from '../../../../support/clocks/eager-clock.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { dayCompleted, followedItem, followLink } from '../../../../support/long-transcript.ts';
import { newLink, openStore } from '../../store/store-kit.ts';

it('a link has no auto export next to its recording', async () => {
  const store = openStore(join(await testFolder(), 'data'));
  onTestFinished(() => store.close());
  const [id = -1] = store.items.add([newLink('https://example.com/talk.mp3')]);
  const writer = new ProgressWriter({
    store,
    clock: new ManualClock(),
    random: systemRandom,
    defaultAutoExports: () => [
      { format: 'txt', folder: null },
      { format: 'srt', folder: '/texts' },
    ],
  });
  const transcript = { language: 'en', text: 'Hello.', segments: [] };
  const job = {
    status: 'completed',
    progress: 1,
    transcript,
    durationSeconds: 1,
    creditsCharged: 0,
    error: null,
  };
  writer.apply(id, { kind: 'start', request: { key: 'key', body: '{}' } });
  writer.apply(id, {
    kind: 'created',
    created: { jobId: 'job', session: null },
    source: 'link',
    pollAfterMs: null,
  });
  expect(writer.apply(id, { kind: 'job-status', job, pollAfterMs: null }).saved).toBe(true);
  expect(store.items.get(id)?.state.kind).toBe('done');
  expect(store.autoExports.of(id).map(({ folder }) => folder)).toEqual(['/texts']);
});

it('replaces the duration of a recording by the one that the service charges for, but not by zero', async () => {
  const store = openStore(join(await testFolder(), 'data'));
  onTestFinished(() => store.close());
  followLink(store);
  const writer = new ProgressWriter({
    store,
    clock: new ManualClock(),
    random: systemRandom,
    defaultAutoExports: () => [],
  });
  const { id } = followedItem(store);
  const durations = [0, 300, 0, 3_600].map((durationSeconds, progress) => {
    const job = { ...dayCompleted.job, status: 'processing', progress, transcript: null, durationSeconds };
    writer.apply(id, { kind: 'job-status', job, pollAfterMs: null });
    return followedItem(store).durationSeconds;
  });
  expect(durations).toEqual([null, 300, 300, 3_600]);
});

it('stages a long transcript before its item is done, and keeps it invisible until then', async () => {
  const store = openStore(join(await testFolder(), 'data'));
  onTestFinished(() => store.close());
  followLink(store);
  const writer = new ProgressWriter({
    store,
    clock: eagerClock,
    random: systemRandom,
    defaultAutoExports: () => [],
  });
  const item = followedItem(store);
  expect(writer.needsStaging(dayCompleted)).toBe(true);
  const isNotYet = { ...dayCompleted.job, status: 'processing' } as const;
  expect(writer.needsStaging({ ...dayCompleted, job: isNotYet })).toBe(false);

  // Aborted half way, the staged pieces are left to be removed.
  const stop = new AbortController();
  const stopped = writer.stage(item, dayCompleted, stop.signal);
  stop.abort();
  await stopped;
  expect(store.staged.leftovers().length).toBeLessThanOrEqual(1);
  for (const id of store.staged.leftovers()) Array.from(store.staged.remove(id));

  await writer.stage(item, dayCompleted, new AbortController().signal);
  expect(store.library.counts()).toEqual({ total: 0, trashed: 0 });
  expect(store.staged.leftovers()).toEqual([]);
  expect(followedItem(store).state.kind).toBe('transcribing');

  // A failed commit loses nothing: the next one finds everything that was staged.
  expect(() =>
    store.transaction(() => {
      writer.apply(item.id, dayCompleted);
      throw new Error('the disk is full');
    }),
  ).toThrow('the disk is full');
  expect(store.library.counts()).toEqual({ total: 0, trashed: 0 });

  expect(writer.apply(item.id, dayCompleted).saved).toBe(true);
  writer.discardStaged(item.id);
  const done = followedItem(store);
  const id = store.transcripts.ofItem(done)?.id ?? -1;
  const { transcript } = dayCompleted.job;
  expect(store.transcripts.get(id)).toMatchObject({ itemId: item.id, ...transcript });
  expect(done.state).toMatchObject({ wordCount: countWords(transcript?.text ?? '') });
  expect(store.library.counts()).toEqual({ total: 1, trashed: 0 });
  expect(store.staged.leftovers()).toEqual([]);
  expect(store.searchIndex.isBehind).toBe(true);
});

it.each([
  ['no segment', []],
  ['one segment', [{ start: 0, end: 1, text: 'a' }]],
])('stages a long text with %s', async (_what, segments) => {
  const store = openStore(join(await testFolder(), 'data'));
  onTestFinished(() => store.close());
  followLink(store);
  const writer = new ProgressWriter({
    store,
    clock: eagerClock,
    random: systemRandom,
    defaultAutoExports: () => [],
  });
  const item = followedItem(store);
  const text = '我们今天在港口散步'.repeat(30_000);
  const completed = {
    ...dayCompleted,
    job: { ...dayCompleted.job, transcript: { language: 'zh', text, segments } },
  };
  expect(writer.needsStaging(completed)).toBe(true);
  await writer.stage(item, completed, new AbortController().signal);
  expect(writer.apply(item.id, completed).saved).toBe(true);
  const [transcriptId = -1] = store.items.transcriptsOf([item.id]);
  expect(store.transcripts.get(transcriptId)).toMatchObject({ segments });
  writer.discardStaged(item.id);
});
