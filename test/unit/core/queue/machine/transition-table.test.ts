import { describe, expect, it } from 'vitest';
import { apiErrorCodes, type Problem } from '../../../../../electron/contract/problem.ts';
import type { Fault, Job, RequestKind } from '../../../../../electron/core/api/service-results.ts';
import {
  initialProgress,
  type ItemProgress,
  type ItemState,
  type ItemPhase,
} from '../../../../../electron/core/item/item.ts';
import { faultLogFields, problemOf } from '../../../../../electron/core/api/fault-problem.ts';
import { type ItemEvent, transition } from '../../../../../electron/core/queue/machine/machine.ts';
import { codes } from '../../../../faults/meanings.ts';

/** The number of a part, an ID and so on are the same everywhere, so that the table shows only what differs. */
const request = { key: 'key', body: '{}' };
const session = { partSize: 8, partCount: 3, partPath: '/upload', completePath: '/complete' };
const job = { jobId: 'job', request } as const;
const problem: Problem = { code: 'internal' };
const uploading = { kind: 'uploading', ...job, session, partsSent: 0, recheck: 'none' } as const;
const completing = { kind: 'completing', ...job, session, recheck: 'none' } as const;
const transcribing = {
  kind: 'transcribing',
  ...job,
  status: 'queued',
  progress: 0,
  recheck: 'none',
} as const;
const creating = { kind: 'creating', request, refused: false } as const;
const cancelling = { kind: 'cancelling', ...job, next: { kind: 'cancelled', forget: false } } as const;

const phases = {
  waiting: { kind: 'waiting' },
  creating,
  'creating, refused': { ...creating, refused: true },
  'uploading part 1 of 3': uploading,
  'uploading part 3 of 3': { ...uploading, partsSent: 2 },
  'uploading a job that may be adopted': { ...uploading, recheck: 'resume' },
  'uploading a job that may be renewed': { ...uploading, recheck: 'replace' },
  completing,
  'completing a job that may be adopted': { ...completing, recheck: 'resume' },
  'completing a job that may be renewed': { ...completing, recheck: 'replace' },
  transcribing,
  'transcribing a job that may be adopted': { ...transcribing, recheck: 'resume' },
  'transcribing a job that may be renewed': { ...transcribing, recheck: 'replace' },
  saving: { kind: 'saving', ...job },
} as const satisfies Record<string, ItemPhase>;

const others = {
  'cancelling, the job unknown': { ...cancelling, jobId: null },
  cancelling,
  'cancelling, to be forgotten': { ...cancelling, next: { kind: 'cancelled', forget: true } },
  'cancelling, to start over': { ...cancelling, next: { kind: 'waiting' } },
  'cancelling, the job unknown, to start over': { ...cancelling, jobId: null, next: { kind: 'waiting' } },
  'cancelling, then blocked': { ...cancelling, next: { kind: 'blocked', problem } },
  'cancelling, then failed': { ...cancelling, next: { kind: 'failed', problem } },
  failed: { kind: 'failed', problem },
  cancelled: { kind: 'cancelled', forget: false },
  'cancelled, to be forgotten': { kind: 'cancelled', forget: true },
  done: { kind: 'done', jobId: 'job', wordCount: 2 },
} as const satisfies Record<string, ItemState>;

/** Item progress by its name in the table. */
const samples = new Map<string, ItemProgress>();
for (const [name, state] of Object.entries<ItemPhase>(phases)) {
  samples.set(name, { ...initialProgress, state });
  samples.set(`${name}, after many attempts`, {
    ...initialProgress,
    state,
    attempts: 7,
    jobReplacements: 2,
    resends: 1,
    nextAttemptAt: 1,
    lastProblem: problem,
  });
  samples.set(`paused: ${name}`, { ...initialProgress, state: { kind: 'paused', at: state } });
  samples.set(`blocked: ${name}`, { ...initialProgress, state: { kind: 'blocked', problem, at: state } });
}
for (const code of ['idempotency_conflict', 'upload_expired', 'upload_session_missing'] as const) {
  for (const at of [creating, uploading])
    samples.set(`blocked by ${code}: ${at.kind}`, {
      ...initialProgress,
      state: { kind: 'blocked', problem: { code }, at },
    });
}
for (const [name, state] of Object.entries<ItemState>(others))
  samples.set(name, { ...initialProgress, state });

const jobWith = (change: Partial<Job>): Job => ({
  status: 'queued',
  progress: 40,
  durationSeconds: 60,
  creditsCharged: null,
  transcript: null,
  error: null,
  ...change,
});
const transcript = { text: 'Hello.', segments: [], language: 'en' } as const;
const jobs: Readonly<Record<string, Job>> = {
  accepted: jobWith({ status: 'accepted' }),
  'waiting for parts': jobWith({ status: 'uploading' }),
  queued: jobWith({}),
  'with a new status': jobWith({ status: 'polishing' }),
  'completed with a transcript': jobWith({ status: 'completed', transcript }),
  'completed without one': jobWith({ status: 'completed' }),
  failed: jobWith({ status: 'failed', error: { code: null, message: 'broken' } }),
  ...Object.fromEntries(
    (
      [
        'insufficient_credits',
        'invalid_api_key',
        'active_job_limit',
        'rate_limited',
        'unsupported_file',
      ] as const
    ).map((code) => [`failed with ${code}`, jobWith({ status: 'failed', error: { code, message: 'no' } })]),
  ),
  'failed without a reason': jobWith({ status: 'failed' }),
  deleted: jobWith({ status: 'deleted' }),
};

const faults = new Map<string, Fault>([
  ['offline', { kind: 'offline', message: 'no network' }],
  ['sign-in page', { kind: 'offline', message: 'a page', isSignInPage: true }],
  ['cross_origin', { kind: 'cross_origin', message: 'elsewhere' }],
  ['interrupted', { kind: 'interrupted', message: 'cut', retryAfterMs: null }],
  ['unexpected', { kind: 'unexpected', message: 'odd', retryAfterMs: null }],
]);
for (const code of apiErrorCodes) {
  const [httpStatus] = codes[code];
  faults.set(code, { kind: 'refused', httpStatus, code, message: 'no', retryAfterMs: null });
}
for (const httpStatus of [400, 401, 402, 403, 404, 408, 409, 410, 413, 415, 418, 425, 429, 499, 500, 503]) {
  const refused = { kind: 'refused', httpStatus, code: null, message: 'no' } as const;
  faults.set(String(httpStatus), { ...refused, retryAfterMs: null });
  if ([409, 429, 503].includes(httpStatus)) {
    faults.set(`${httpStatus} after 9 s`, { ...refused, retryAfterMs: 9_000 });
  }
}

/** Events by their name in the table. */
const events = new Map<string, ItemEvent>([
  ['start', { kind: 'start', request: { key: 'next', body: '{}' } }],
  ['retry create', { kind: 'retry-create' }],
  ['created for a file', created({ jobId: 'new', session }, 'file')],
  ['created for a file without an upload', created({ jobId: 'new', session: null }, 'file')],
  ['created for a link', created({ jobId: 'new', session: null }, 'link')],
  [
    'created for a link, poll after 9 s',
    { ...created({ jobId: 'new', session: null }, 'link'), pollAfterMs: 9_000 },
  ],
  ['part 1 accepted', { kind: 'part-accepted', number: 1 }],
  ['part 3 accepted', { kind: 'part-accepted', number: 3 }],
  ['completed', { kind: 'completion-accepted', job: null, pollAfterMs: null }],
  ['completed, poll after 9 s', { kind: 'completion-accepted', job: null, pollAfterMs: 9_000 }],
  ...Object.entries(jobs).flatMap(([name, one]): readonly [string, ItemEvent][] => [
    [`completed, job ${name}`, { kind: 'completion-accepted', job: one, pollAfterMs: null }],
    [`job ${name}`, { kind: 'job-status', job: one, pollAfterMs: null }],
    [`job ${name}, poll after 9 s`, { kind: 'job-status', job: one, pollAfterMs: 9_000 }],
  ]),
  ['saved', { kind: 'saved', wordCount: 4 }],
  ['save failed', { kind: 'save-failed', problem: { code: 'disk_full' } }],
  ['deleted', { kind: 'deleted' }],
  ['file missing', { kind: 'file-problem', problem: { code: 'file_missing' } }],
  ['file changed', { kind: 'file-problem', problem: { code: 'file_changed' } }],
  ['polled elsewhere', { kind: 'polled-elsewhere', pollAfterMs: null }],
  ['polled elsewhere, poll after 9 s', { kind: 'polled-elsewhere', pollAfterMs: 9_000 }],
  ['pause', { kind: 'pause' }],
  ['resume', { kind: 'resume' }],
  ['retry', { kind: 'retry' }],
  ['file found', { kind: 'file-found' }],
  ['transcribe again', { kind: 'transcribe-again', service: null }],
  ['cancel', { kind: 'cancel', forget: false }],
  ['cancel and forget', { kind: 'cancel', forget: true }],
  ['undo cancel, to start over', { kind: 'undo-cancel', next: { kind: 'waiting' } }],
  ['undo cancel, then blocked', { kind: 'undo-cancel', next: { kind: 'blocked', problem } }],
  ['limit reached', { kind: 'limit-reached' }],
]);
for (const request of ['create', 'part', 'complete', 'status', 'delete'] satisfies RequestKind[]) {
  for (const [name, fault] of faults) {
    events.set(`${request}: ${name}`, { kind: 'request-failed', request, fault });
    if (request === 'create') {
      const only = { kind: 'request-failed', request, fault, cannotHaveJobYet: true } as const;
      events.set(`only ${request}: ${name}`, only);
    }
  }
}

function created(
  made: Extract<ItemEvent, { kind: 'created' }>['created'],
  source: 'file' | 'link',
): Extract<ItemEvent, { kind: 'created' }> {
  return { kind: 'created', created: made, source, pollAfterMs: null };
}

/** What an event changes; empty for nothing. What the event brings is abbreviated. */
function changes(progress: ItemProgress, event: ItemEvent): string {
  const next = transition(progress, event, { now: 1_000_000, random: 0.5 });
  const changed = Object.entries(next.progress).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(progress[key as keyof ItemProgress]),
  );
  const effects = next.effects.length > 0 ? [['effects', next.effects] as const] : [];
  const text = [...changed, ...effects].map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join('; ');
  const known = [
    ['session', session],
    ['key', request],
    ...(event.kind === 'request-failed'
      ? [["the fault's problem", problemOf(event.request, event.fault)] as const]
      : []),
  ] as const;
  return known
    .reduce((rest, [name, value]) => rest.replaceAll(JSON.stringify(value), name), text)
    .replaceAll(/["\\]/g, '');
}

/** All samples with the events that change them, those with the same result in one line. */
function table(): string {
  const lines: string[] = [];
  for (const [name, progress] of samples) {
    const byResult = Map.groupBy(
      [...events].map(([event, one]) => [event, changes(progress, one)] as const),
      ([, result]) => result,
    );
    byResult.delete('');
    lines.push(`## ${name}`);
    for (const [result, same] of byResult)
      lines.push(`${same.map(([event]) => event).join(', ')}\n    ${result}`);
    lines.push('');
  }
  return lines.join('\n');
}

describe('the queue machine', () => {
  // The table is to be read: a change of it is a change of what happens to recordings.
  it('reacts to everything as written in transition-table.txt', async () => {
    await expect(table()).toMatchFileSnapshot('transition-table.txt');
  });

  it('reports faults as written in fault-table.txt', async () => {
    const lines = [...faults].map(([name, fault]) => {
      const { detail } = problemOf('status', fault);
      const codes = (['create', 'status', 'other-job', 'account'] as const).map(
        (request) => `${request} ${problemOf(request, fault).code}`,
      );
      return `${name}: ${codes.join(', ')}; ${detail}; log ${JSON.stringify(faultLogFields(fault))}`;
    });
    await expect(lines.join('\n')).toMatchFileSnapshot('fault-table.txt');
  });
});
