import fc from 'fast-check';
import { apiErrorCodes, localProblemCodes, type Problem } from '../../../../../electron/contract/problem.ts';
import type { Fault, Job, RequestKind } from '../../../../../electron/core/api/service-results.ts';
import type {
  AfterCancelling,
  ItemState,
  ItemProgress,
  ItemPhase,
  UploadSession,
} from '../../../../../electron/core/item/item.ts';
import type { ItemEvent } from '../../../../../electron/core/queue/machine/machine.ts';

/** Arbitrary progress and events of an item. */

const createRequest = fc.record({ key: fc.uuid(), body: fc.constant('{}') });
const jobId = fc.constantFrom('job-1', 'job-2');
const session: fc.Arbitrary<UploadSession> = fc.record({
  partSize: fc.constant(8),
  partCount: fc.integer({ min: 1, max: 4 }),
  partPath: fc.constant('/upload'),
  completePath: fc.constant('/complete'),
});
const recheck = fc.constantFrom('none' as const, 'resume' as const, 'replace' as const);
const status = fc.constantFrom(
  'accepted',
  'uploading',
  'inspecting',
  'preprocessing',
  'queued',
  'processing',
  'merging',
  'completed',
  'failed',
  'deleted',
  'polishing',
);
const problem: fc.Arbitrary<Problem> = fc.record({
  code: fc.constantFrom(...apiErrorCodes, ...localProblemCodes),
});

const phase: fc.Arbitrary<ItemPhase> = fc.oneof(
  fc.constant({ kind: 'waiting' as const }),
  fc.record({ kind: fc.constant('creating' as const), request: createRequest, refused: fc.boolean() }),
  fc
    .record({
      kind: fc.constant('uploading' as const),
      jobId,
      request: createRequest,
      session,
      recheck,
      sent: fc.nat(3),
    })
    .map(({ sent, ...rest }) => ({ ...rest, partsSent: Math.min(sent, rest.session.partCount - 1) })),
  fc.record({ kind: fc.constant('completing' as const), jobId, request: createRequest, session, recheck }),
  fc.record({
    kind: fc.constant('transcribing' as const),
    jobId,
    request: createRequest,
    status,
    progress: fc.nat(100),
    recheck,
  }),
  fc.record({ kind: fc.constant('saving' as const), jobId, request: createRequest }),
);

const afterCancelling: fc.Arbitrary<AfterCancelling> = fc.oneof(
  fc.record({ kind: fc.constant('cancelled' as const), forget: fc.boolean() }),
  fc.constant({ kind: 'waiting' as const }),
  fc.record({ kind: fc.constant('blocked' as const), problem }),
  fc.record({ kind: fc.constant('failed' as const), problem }),
);

const state: fc.Arbitrary<ItemState> = fc.oneof(
  phase,
  fc.record({ kind: fc.constant('paused' as const), at: phase }),
  fc.record({ kind: fc.constant('blocked' as const), problem, at: phase }),
  fc.record({ kind: fc.constant('failed' as const), problem }),
  fc.record({
    kind: fc.constant('cancelling' as const),
    request: createRequest,
    jobId: fc.option(jobId),
    next: afterCancelling,
  }),
  fc.record({ kind: fc.constant('cancelled' as const), forget: fc.boolean() }),
  fc.record({
    kind: fc.constant('done' as const),
    jobId: fc.option(fc.string()),
    wordCount: fc.nat(),
  }),
);

export const progress: fc.Arbitrary<ItemProgress> = fc.record({
  state,
  attempts: fc.nat(12),
  nextAttemptAt: fc.nat(1_000_000),
  lastProblem: fc.option(problem),
  jobReplacements: fc.nat(3),
  resends: fc.nat(2),
});

const job: fc.Arbitrary<Job> = fc.record({
  status,
  progress: fc.nat(100),
  durationSeconds: fc.option(fc.nat(10_000)),
  creditsCharged: fc.option(fc.nat(100)),
  transcript: fc.option(fc.constant({ text: 'Hello.', segments: [], language: 'en' })),
  error: fc.option(fc.record({ code: fc.option(fc.constantFrom(...apiErrorCodes)), message: fc.string() })),
});

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constant('refused' as const),
    httpStatus: fc.constantFrom(
      400,
      401,
      402,
      403,
      404,
      409,
      410,
      413,
      415,
      418,
      422,
      429,
      500,
      502,
      503,
      599,
    ),
    code: fc.option(fc.constantFrom(...apiErrorCodes)),
    message: fc.string(),
    retryAfterMs: fc.option(fc.integer({ min: 1_000, max: 3_600_000 })),
  }),
  fc.record({
    kind: fc.constantFrom('interrupted', 'unexpected'),
    message: fc.string(),
    retryAfterMs: fc.option(fc.integer({ min: 1_000, max: 3_600_000 })),
  }),
  fc.record({ kind: fc.constantFrom('offline', 'cross_origin'), message: fc.string() }),
);

const requestKind = fc.constantFrom<RequestKind>('create', 'part', 'complete', 'status', 'delete');
const pollAfterMs = fc.option(fc.integer({ min: 1_000, max: 3_600_000 }));

export const event: fc.Arbitrary<ItemEvent> = fc.oneof(
  fc.record({ kind: fc.constant('start' as const), request: createRequest }),
  fc.record({
    kind: fc.constant('created' as const),
    created: fc.record({ jobId, session: fc.option(session) }),
    source: fc.constantFrom('file' as const, 'link' as const),
    pollAfterMs,
  }),
  fc.record({ kind: fc.constant('part-accepted' as const), number: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant('completion-accepted' as const), job: fc.option(job), pollAfterMs }),
  fc.record({ kind: fc.constant('job-status' as const), job, pollAfterMs }),
  fc.record({
    kind: fc.constant('saved' as const),
    wordCount: fc.nat(),
  }),
  fc.record({ kind: fc.constant('save-failed' as const), problem }),
  fc.constant({ kind: 'deleted' as const }),
  fc.record({
    kind: fc.constant('request-failed' as const),
    request: requestKind,
    fault,
    cannotHaveJobYet: fc.boolean(),
  }),
  fc.constant({ kind: 'retry-create' as const }),
  fc.record({ kind: fc.constant('undo-cancel' as const), next: afterCancelling }),
  fc.constant({ kind: 'limit-reached' as const }),
  fc.record({
    kind: fc.constant('file-problem' as const),
    problem: fc.record({ code: fc.constantFrom('file_missing', 'file_changed', 'file_unreadable') }),
  }),
  fc.record({ kind: fc.constant('polled-elsewhere' as const), pollAfterMs: fc.option(fc.nat(60_000)) }),
  fc.record({ kind: fc.constantFrom('pause', 'resume', 'retry', 'file-found') }),
  fc.record({ kind: fc.constant('cancel' as const), forget: fc.boolean() }),
);

export const moment = fc.record({
  now: fc.integer({ min: 1_000_000, max: 2_000_000 }),
  random: fc.double({ min: 0, max: 0.999, noNaN: true }),
});
