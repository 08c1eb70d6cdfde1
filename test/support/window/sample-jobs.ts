import type { JobRecord, JobsView, JobRelation } from '../../../electron/contract/service-job-commands.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';

const day = 24 * 3_600_000;

/** A finished job with all facts. */
export const sampleJob = (
  jobId: string,
  relation: JobRelation,
  change: Partial<JobRecord> = {},
): JobRecord => ({
  jobId,
  name: `${jobId}.mp3`,
  relation,
  status: 'completed',
  progress: 100,
  durationSeconds: 2_480,
  creditsCharged: 42,
  createdAt: Date.now() - 3 * day,
  audioUntil: Date.now() + 57.5 * day,
  followed: false,
  ...change,
});

/** One job of each relation, and two that vanished. */
export function sampleJobs(service: ServiceAddress): JobsView {
  const atWork = { progress: 64, status: 'processing', audioUntil: null } as const;
  const records: readonly JobRecord[] = [
    sampleJob(
      'job-1',
      { kind: 'finished' },
      { name: 'Interview Okafor, second day.m4a', durationSeconds: 5_425 },
    ),
    sampleJob('job-2', { kind: 'active' }, { ...atWork, name: 'Council meeting, 18 November.mp4' }),
    sampleJob('job-3', { kind: 'active' }, { ...atWork, name: 'Podcast 141 – raw.wav', followed: true }),
    sampleJob(
      'job-4',
      { kind: 'in-library', transcriptId: 1, trashed: false },
      { name: 'Interview Mbeki, part 2.mp3' },
    ),
    sampleJob(
      'job-5',
      { kind: 'in-library', transcriptId: 2, trashed: true },
      {
        name: 'A test with a very long name that goes on and on until it does not fit into any column of any window.wav',
      },
    ),
    sampleJob('job-6', { kind: 'queued', itemId: 1 }, { ...atWork, name: 'Interview Mbeki, town hall.mp3' }),
    sampleJob('job-7', { kind: 'failed' }, { status: 'failed', creditsCharged: 0, audioUntil: null }),
    sampleJob(
      'job-8',
      { kind: 'finished' },
      { name: null, createdAt: null, audioUntil: null, durationSeconds: null },
    ),
    sampleJob(
      'job-9',
      { kind: 'unknown' },
      { status: null, name: 'مقابلة 🎙.mp3', audioUntil: null, creditsCharged: null },
    ),
  ];
  const vanished = [
    {
      jobId: 'job-20',
      name: 'Vox pops, market.wav',
      relation: { kind: 'in-library', transcriptId: 3, trashed: false },
    },
  ] as const;
  return { service, fetchedAt: Date.now(), records, isComplete: true, vanished, recoveredFromBackup: false };
}
