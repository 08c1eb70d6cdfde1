import { expect, test } from 'vitest';
import { milestoneOf } from '../../../../../electron/core/queue/scheduling/progress-writer.ts';
import type { ItemState } from '../../../../../electron/core/item/item.ts';

const request = { key: 'key', body: '{}' };
const session = { partSize: 10, partCount: 1, partPath: '/p', completePath: '/c' };
const job = { jobId: 'job', request };

const waiting: ItemState = { kind: 'waiting' };
const creating: ItemState = { kind: 'creating', request, refused: false };
const uploading: ItemState = { kind: 'uploading', ...job, session, partsSent: 0, recheck: 'none' };
const completing: ItemState = { kind: 'completing', ...job, session, recheck: 'none' };
const transcribing: ItemState = {
  kind: 'transcribing',
  ...job,
  status: 'queued',
  progress: 0,
  recheck: 'none',
};
const failed: ItemState = { kind: 'failed', problem: { code: 'job_failed' } };

test.each([
  ['started with its first request', waiting, creating, 'started'],
  ['not started again when it resumes its first request', { kind: 'paused', at: creating }, creating, null],
  ['sent with its last part', uploading, completing, 'sent'],
  ['sent when the service has all parts', uploading, transcribing, 'sent'],
  ['not sent twice', completing, transcribing, null],
  ['not sent when it is a link', creating, transcribing, null],
  [
    'ended when it is done',
    { kind: 'saving', ...job },
    { kind: 'done', jobId: job.jobId, wordCount: 2 },
    'ended',
  ],
  ['ended when it failed', transcribing, failed, 'ended'],
  ['restarted by a retry', failed, waiting, 'restarted'],
  ['unchanged when it resumes waiting', { kind: 'paused', at: waiting }, waiting, null],
  ['unchanged while parts are sent', uploading, { ...uploading, partsSent: 1 }, null],
] as const)('an item is %s', (_what, before, after, milestone) => {
  expect(milestoneOf(before, after)).toBe(milestone);
});
