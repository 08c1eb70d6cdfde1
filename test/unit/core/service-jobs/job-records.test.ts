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
  const known = { itemsWithJobs: [], saved: here, followed: [], gone: new Set<string>() };
  return recordsOf(list, known)[0]?.audioUntil;
};

describe('the time after which a job must be listed', () => {
  it('is the length of the history minus a day while the list is not full', () => {
    expect(listedSince({ records: fill(99), length: 99 }, [], now)).toBe(now - 29 * day);
  });

  it('is unknown for a full list without times or jobs of ours', () => {
    expect(listedSince({ records: fill(100), length: 100 }, [], now)).toBeNull();
  });

  it('is the time of the oldest known record of a full list', () => {
    const records = [...fill(98), record('a'), record('b', { createdAt: now - 2 * day })];
    const list = { records, length: 100 };
    expect(listedSince(list, [saved('a', now - day)], now)).toBe(now - 2 * day + 3_600_000);
    expect(listedSince(list, [saved('a', now - 3 * day)], now)).toBe(now - 3 * day);
    expect(listedSince(list, [saved('a', now - 300 * day)], now)).toBe(now - 29 * day);
  });

  it('is unknown for a list with records without job ids', () => {
    expect(listedSince({ records: fill(3), length: 4 }, [], now)).toBeNull();
  });
});

describe('the audio that the service keeps', () => {
  it('is kept for 60 days at most', () => {
    expect(audioUntil({ createdAt: now })).toBe(now + 60 * day);
    expect(audioUntil({}, [saved('a', now)])).toBe(now + 60 * day);
  });

  it('has no date when the time is unknown, or nothing is kept', () => {
    expect(audioUntil({})).toBeNull();
    expect(audioUntil({ status: 'processing', createdAt: now })).toBeNull();
  });
});

test('shows a job named after its link by the name of its recording, without secrets', () => {
  const known = { itemsWithJobs: [], saved: [], followed: [], gone: new Set<string>() };
  const records = [
    record('a', { fileName: 'https://a.example/talks/Day%201.mp3?signature=secret' }),
    record('b', { fileName: 'https://user:secret@a.example/b.mp3' }),
    record('c', { fileName: 'talk: part 1.mp3' }),
  ];
  const names = recordsOf({ records, length: 3 }, known).map(({ name }) => name);
  expect(names).toEqual(['Day 1.mp3', 'https://…@a.example/b.mp3', 'talk: part 1.mp3']);
});
