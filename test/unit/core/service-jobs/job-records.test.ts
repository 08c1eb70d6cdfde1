import { describe, expect, it, test } from 'vitest';
import type { WireRecord } from '../../../../electron/core/api/wire.ts';
import { listedSince, recordsOf } from '../../../../electron/core/service-jobs/job-records.ts';
import type { SavedJob } from '../../../../electron/core/store/service-job-store.ts';

const day = 24 * 3_600_000;
const now = 1_000 * day;

const record = (jobId: string, told: Partial<WireRecord> = {}): WireRecord => ({
  jobId,
  status: 'completed',
  fileName: `${jobId}.mp3`,
  progress: null,
  durationSeconds: null,
  creditsCharged: null,
  createdAt: null,
  ...told,
});
const saved = (jobId: string, savedAt: number): SavedJob => ({
  transcriptId: 1,
  jobId,
  name: jobId,
  trashed: false,
  savedAt,
  requestedAt: null,
});
const fill = (length: number): readonly WireRecord[] =>
  Array.from({ length }, (_, index) => record(`other-${index}`));

const audioUntil = (told: Partial<WireRecord>, here: readonly SavedJob[] = []): number | null | undefined => {
  const list = { records: [record('a', told)], length: 1 };
  const known = { holding: [], saved: here, followed: [], gone: new Set<string>() };
  return recordsOf(list, known)[0]?.audioUntil;
};

describe('since when a job must stand on the list', () => {
  it('is as far back as the history reaches, with a day to spare, while the list is not full', () => {
    expect(listedSince({ records: fill(99), length: 99 }, [], now)).toBe(now - 29 * day);
  });

  it('is not told by a full list without times or anything of ours', () => {
    expect(listedSince({ records: fill(100), length: 100 }, [], now)).toBeNull();
  });

  it('is the time of the oldest record that is known on a full list', () => {
    const records = [...fill(98), record('a'), record('b', { createdAt: now - 2 * day })];
    const list = { records, length: 100 };
    expect(listedSince(list, [saved('a', now - day)], now)).toBe(now - 2 * day + 3_600_000);
    expect(listedSince(list, [saved('a', now - 3 * day)], now)).toBe(now - 3 * day);
    expect(listedSince(list, [saved('a', now - 300 * day)], now)).toBe(now - 29 * day);
  });

  it('is not told by a list with records that name no job', () => {
    expect(listedSince({ records: fill(3), length: 4 }, [], now)).toBeNull();
  });
});

describe('the audio that the service keeps', () => {
  it('is kept for 60 days at most', () => {
    expect(audioUntil({ createdAt: now })).toBe(now + 60 * day);
    expect(audioUntil({}, [saved('a', now)])).toBe(now + 60 * day);
  });

  it('is not spoken of where nothing is known, or nothing is kept', () => {
    expect(audioUntil({})).toBeNull();
    expect(audioUntil({ status: 'processing', createdAt: now })).toBeNull();
  });
});

test('a job that is called by its link is shown by the name of its recording, without what is secret', () => {
  const known = { holding: [], saved: [], followed: [], gone: new Set<string>() };
  const records = [
    record('a', { fileName: 'https://a.example/talks/Day%201.mp3?signature=secret' }),
    record('b', { fileName: 'https://user:secret@a.example/b.mp3' }),
    record('c', { fileName: 'talk: part 1.mp3' }),
  ];
  const names = recordsOf({ records, length: 3 }, known).map(({ name }) => name);
  expect(names).toEqual(['Day 1.mp3', 'https://…@a.example/b.mp3', 'talk: part 1.mp3']);
});
