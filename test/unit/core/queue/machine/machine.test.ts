import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../../../electron/core/api/service-results.ts';
import {
  initialProgress,
  type ItemState,
  type ItemProgress,
} from '../../../../../electron/core/item/item.ts';
import { transition, type ItemEvent } from '../../../../../electron/core/queue/machine/machine.ts';
import { stateSchema } from '../../../../../electron/core/store/items/item-json-schemas.ts';
import { event, moment, progress } from './machine-arbitraries.ts';

const noon = { now: 1_000_000, random: 0.5 };
const request = { key: 'key-1', body: '{}' };
const session = { partSize: 8, partCount: 2, partPath: '/upload', completePath: '/complete' };
const job = (status: string, more: Partial<Job> = {}): Job => ({
  status,
  progress: 0,
  durationSeconds: null,
  creditsCharged: null,
  transcript: null,
  error: null,
  ...more,
});
const after = (start: ItemProgress, ...events: readonly ItemEvent[]): ItemProgress =>
  events.reduce((now, one) => transition(now, one, noon).progress, start);
const at = (state: ItemState): ItemProgress => ({ ...initialProgress, state });
const refused = (
  request: Extract<ItemEvent, { kind: 'request-failed' }>['request'],
  httpStatus: number,
  code: Extract<Extract<ItemEvent, { kind: 'request-failed' }>['fault'], { kind: 'refused' }>['code'],
): ItemEvent => ({
  kind: 'request-failed',
  request,
  fault: { kind: 'refused', httpStatus, code, message: '', retryAfterMs: null },
});

describe('a file', () => {
  it('passes through every phase to its transcript', () => {
    const transcript = { text: 'Hello.', segments: [], language: 'en' };
    const saving = transition(
      after(
        initialProgress,
        { kind: 'start', request },
        { kind: 'created', created: { jobId: 'j1', session }, source: 'file', pollAfterMs: null },
        { kind: 'part-accepted', number: 1 },
        { kind: 'part-accepted', number: 2 },
        { kind: 'completion-accepted', job: job('queued'), pollAfterMs: 5_000 },
        { kind: 'job-status', job: job('processing', { progress: 40 }), pollAfterMs: null },
      ),
      { kind: 'job-status', job: job('completed', { transcript }), pollAfterMs: null },
      noon,
    );
    expect(saving.effects).toMatchObject([{ kind: 'save', transcript }]);
    const done = after(saving.progress, { kind: 'saved', wordCount: 1 });
    expect(done.state).toEqual({ kind: 'done', jobId: 'j1', wordCount: 1 });
  });

  it('keeps its create request after the first attempt', () => {
    const created = after(
      at({ kind: 'creating', request, refused: false }),
      { kind: 'pause' },
      { kind: 'resume' },
      refused('create', 500, 'request_failed'),
    );
    expect(created.state).toEqual({ kind: 'creating', request, refused: false });
  });

  it('a pause moves no poll forward, and a poll outside the queue counts', () => {
    const polled = after(
      at({ kind: 'transcribing', jobId: 'j1', request, status: 'queued', progress: 0, recheck: 'none' }),
      { kind: 'job-status', job: job('processing'), pollAfterMs: 20_000 },
      { kind: 'pause' },
    );
    for (const kind of ['resume', 'retry'] as const) {
      expect(after(polled, { kind }).nextAttemptAt).toBe(noon.now + 20_000);
      const asked = after(polled, { kind: 'polled-elsewhere', pollAfterMs: 30_000 }, { kind });
      expect(asked.nextAttemptAt).toBe(noon.now + 30_000);
    }
  });

  it('polls when the service says so, else every three seconds', () => {
    const polled = at({
      kind: 'transcribing',
      jobId: 'j1',
      request,
      status: 'queued',
      progress: 0,
      recheck: 'none',
    });
    const told = (pollAfterMs: number | null) =>
      after(polled, { kind: 'job-status', job: job('processing'), pollAfterMs }).nextAttemptAt - noon.now;
    expect(told(9_000)).toBe(9_000);
    expect(told(null)).toBe(3_000);
  });
});

describe('a fault', () => {
  const uploading = at({ kind: 'uploading', jobId: 'j1', request, session, partsSent: 1, recheck: 'none' });

  it('of a whole service costs the item no attempt', () => {
    for (const one of [
      refused('part', 401, 'invalid_api_key'),
      refused('part', 429, 'rate_limited'),
      { kind: 'request-failed', request: 'part', fault: { kind: 'offline', message: '' } } as const,
    ]) {
      const { progress: next, effects } = transition(uploading, one, noon);
      expect(next).toEqual(uploading);
      expect(effects).toMatchObject([{ kind: 'service-fault' }]);
    }
  });

  it('that is temporary keeps the acknowledged parts', () => {
    const next = after(uploading, refused('part', 500, 'upload_failed'));
    expect(next).toMatchObject({ state: uploading.state, attempts: 1 });
    expect(next.nextAttemptAt).toBeGreaterThan(noon.now);
  });

  it('of an expired session leads to a new one, twice without asking the user', () => {
    let now = uploading;
    for (let jobReplacements = 1; jobReplacements <= 2; jobReplacements += 1) {
      now = after(now, refused('part', 410, 'upload_expired'));
      now = after(now, { kind: 'job-status', job: job('uploading'), pollAfterMs: null });
      expect(now).toMatchObject({
        state: { kind: 'cancelling', next: { kind: 'waiting' } },
        jobReplacements,
      });
      now = after(
        now,
        { kind: 'deleted' },
        { kind: 'start', request: { ...request, key: `key-${jobReplacements + 1}` } },
      );
      now = after(now, {
        kind: 'created',
        created: { jobId: 'j2', session },
        source: 'file',
        pollAfterMs: null,
      });
    }
    now = after(now, refused('part', 410, 'upload_expired'));
    now = after(now, { kind: 'job-status', job: job('uploading'), pollAfterMs: null }, { kind: 'deleted' });
    expect(now.state).toMatchObject({ kind: 'blocked', problem: { code: 'upload_expired' } });
  });

  it('of an unanswered completion leads to a poll before it is sent again', () => {
    const completing = at({ kind: 'completing', jobId: 'j1', request, session, recheck: 'none' });
    const doubting = after(completing, {
      kind: 'request-failed',
      request: 'complete',
      fault: { kind: 'interrupted', message: '', retryAfterMs: null },
    });
    expect(doubting.state).toMatchObject({ kind: 'completing', recheck: 'resume' });
    expect(after(doubting, { kind: 'job-status', job: job('queued'), pollAfterMs: null }).state.kind).toBe(
      'transcribing',
    );
  });

  it('of an unknown job is believed the third time', () => {
    const one = refused('status', 404, 'not_found');
    const polled = at({
      kind: 'transcribing',
      jobId: 'j1',
      request,
      status: 'queued',
      progress: 0,
      recheck: 'none',
    });
    expect(after(polled, one, one).state.kind).toBe('transcribing');
    expect(after(polled, one, one, one).state).toMatchObject({
      kind: 'blocked',
      problem: { code: 'job_gone' },
    });
  });

  it('of a changed file deletes the job before the user is asked', () => {
    const changed = after(uploading, { kind: 'file-problem', problem: { code: 'file_changed' } });
    expect(changed.state).toMatchObject({ kind: 'cancelling', jobId: 'j1' });
    const blocked = after(changed, { kind: 'deleted' });
    expect(blocked.state).toMatchObject({ kind: 'blocked', problem: { code: 'file_changed' } });
    expect(after(blocked, { kind: 'retry' }).state).toEqual({ kind: 'waiting' });
  });

  it('never deletes a job whose work may be done', () => {
    const polled = at({
      kind: 'transcribing',
      jobId: 'j1',
      request,
      status: 'queued',
      progress: 0,
      recheck: 'none',
    });
    expect(after(polled, refused('status', 418, null)).state).toMatchObject({
      kind: 'blocked',
      at: polled.state,
    });
  });
});

describe('any event in any state', () => {
  it('leaves an item in a state that can be stored', () => {
    fc.assert(
      fc.property(progress, event, moment, (before, one, now) => {
        const { progress: next } = transition(before, one, now);
        expect(stateSchema.parse(JSON.parse(JSON.stringify(next.state)))).toEqual(next.state);
      }),
      { numRuns: 5_000 },
    );
  });

  it('never forgets a job that the service may charge for', () => {
    fc.assert(
      fc.property(progress, event, moment, (before, one, now) => {
        const held = jobOf(before.state);
        const { progress: next } = transition(before, one, now);
        if (held === null || jobOf(next.state) === held) return;
        // A job ends only when the service says so, or repeatedly does not know it.
        const toldSo =
          one.kind === 'job-status' ||
          one.kind === 'deleted' ||
          one.kind === 'saved' ||
          one.kind === 'request-failed';
        const conflicting =
          before.state.kind === 'blocked' && before.state.problem.code === 'idempotency_conflict';
        expect(toldSo || conflicting).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('resets the limits of what happens without the user only when the user retries it', () => {
    const at = { kind: 'waiting' } as const;
    const blocked: ItemProgress = {
      ...initialProgress,
      state: { kind: 'blocked', problem: { code: 'file_missing' }, at },
      jobReplacements: 2,
      resends: 1,
    };
    expect(after(blocked, { kind: 'file-found' })).toMatchObject({
      state: at,
      jobReplacements: 2,
      resends: 1,
    });
    expect(after(blocked, { kind: 'retry' })).toMatchObject({ state: at, jobReplacements: 0, resends: 0 });
  });

  it('never replaces the create request of an item', () => {
    fc.assert(
      fc.property(progress, moment, (before, now) => {
        fc.pre(before.state.kind !== 'waiting');
        expect(transition(before, { kind: 'start', request }, now).progress).toEqual(before);
      }),
    );
  });

  it('leaves an item that can still reach an end', () => {
    fc.assert(
      fc.property(progress, (before) => {
        let now = after(before, { kind: 'retry' }, { kind: 'resume' });
        for (let step = 0; step < 20 && !isOver(now.state); step += 1)
          now = after(now, goodAnswerTo(now.state));
        expect(isOver(now.state)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

const isOver = ({ kind }: ItemState): boolean => kind === 'done' || kind === 'cancelled' || kind === 'failed';

/** The job that the service works on or holds a result of that was not fetched. */
function jobOf(state: ItemState): string | null {
  if (state.kind === 'done') return null;
  if ('jobId' in state) return state.jobId;
  return 'at' in state ? jobOf(state.at) : null;
}

/** The answer of a faultless service to the request of a state, or the command of a user to a blocked item. */
function goodAnswerTo(state: ItemState): ItemEvent {
  switch (state.kind) {
    case 'waiting':
      return { kind: 'start', request };
    case 'creating':
      return { kind: 'created', created: { jobId: 'j1', session }, source: 'file', pollAfterMs: null };
    case 'uploading':
      return state.recheck === 'none'
        ? { kind: 'part-accepted', number: state.partsSent + 1 }
        : { kind: 'job-status', job: job('uploading'), pollAfterMs: null };
    case 'completing':
      return state.recheck === 'none'
        ? { kind: 'completion-accepted', job: null, pollAfterMs: null }
        : { kind: 'job-status', job: job('queued'), pollAfterMs: null };
    case 'transcribing':
      return {
        kind: 'job-status',
        job: job('completed', { transcript: { text: '', segments: [], language: null } }),
        pollAfterMs: null,
      };
    case 'saving':
      return { kind: 'saved', wordCount: 0 };
    case 'cancelling':
      return state.jobId === null
        ? { kind: 'created', created: { jobId: 'j1', session }, source: 'file', pollAfterMs: null }
        : { kind: 'deleted' };
    default:
      return { kind: 'retry' };
  }
}
