import type { ItemId } from '../../../contract/identifiers.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { partCountOf, partOf } from '../../api/part-plan.ts';
import { unexpectedFault, type ServiceResult, type RequestKind } from '../../api/service-results.ts';
import type { Item, ItemState, Source, ItemPhase, CreateRequest } from '../../item/item.ts';
import type { ItemEvent } from '../machine/machine.ts';
import type { Effect } from '../machine/transitions.ts';
import type { RequestOutcome, RequestPurpose } from '../services/service-gate.ts';
import type { ServiceRequests } from '../services/services.ts';
import { creditsOf } from '../services/spending-limits.ts';
import { checkSource, openSource, partBody, type SourceFiles } from './source-file.ts';
import { storageProblem } from '../../storage-problem.ts';
import { newCreateRequest } from './create-request.ts';
import type { LiveTranscripts } from './live-transcripts.ts';
import type { TransferMeter } from './transfer-meter.ts';

/** What a request needs besides its item. */
export interface RequestContext {
  readonly client: ServiceRequests;
  readonly files: SourceFiles;
  readonly meter: TransferMeter;
  readonly live: LiveTranscripts;
  readonly signal: AbortSignal;
  /** Whether no earlier attempt with the create request can have created a job: there was none, or it was refused. */
  readonly cannotHaveJobYet: boolean;
  /** Called with the account's remaining credits whenever a response contains them (API part 2.1). */
  readonly onBalance: (credits: number) => void;
}

/** Returns the event that starts an item with a new create request, or the problem if its file has changed. */
export async function startItem(item: Item, files: SourceFiles): Promise<ItemEvent> {
  try {
    if (item.source.kind === 'file') await checkSource(item.source, files);
    return { kind: 'start', request: newCreateRequest(item) };
  } catch (error) {
    return { kind: 'file-problem', problem: storageProblem(error) };
  }
}

/**
 * Makes the one request that an item's state calls for and returns the resulting event; `null` for states that call
 * for none (waiting, paused, blocked and finished items).
 *
 * @throws the signal's reason when it is aborted; whether the request took effect is then unknown.
 */
export async function requestNext(item: Item, context: RequestContext): Promise<ItemEvent | null> {
  try {
    return await makeRequest(item, context);
  } catch (error) {
    if (error instanceof ProblemError) return { kind: 'file-problem', problem: error.problem };
    throw error;
  }
}

/** Returns the request that {@link requestNext} makes in a state; `null` when it makes none. */
export function requestKindOf(state: ItemState): RequestKind | null {
  switch (state.kind) {
    case 'creating':
      return 'create';
    case 'uploading':
      return state.recheck === 'none' ? 'part' : 'status';
    case 'completing':
      return state.recheck === 'none' ? 'complete' : 'status';
    case 'transcribing':
    case 'saving':
      return 'status';
    case 'cancelling':
      return state.jobId === null ? 'create' : 'delete';
    default:
      return null;
  }
}

async function makeRequest(item: Item, context: RequestContext): Promise<ItemEvent | null> {
  const { state, source } = item;
  switch (state.kind) {
    case 'creating':
      if (source.kind === 'file') await checkSource(source, context.files);
      if (state.refused) return { kind: 'retry-create' };
      return create(state.request, source, context);
    case 'uploading':
      return state.recheck === 'none' ? sendPart(item, state, context) : pollStatus(state.jobId, context);
    case 'completing':
      return state.recheck === 'none' ? complete(source, state, context) : pollStatus(state.jobId, context);
    case 'transcribing':
      return pollProgress(item.id, state.jobId, context);
    case 'saving':
      return pollStatus(state.jobId, context);
    case 'cancelling':
      return state.jobId === null ? findJob(state.request, source, context) : deleteJob(state.jobId, context);
    default:
      return null;
  }
}

async function create(request: CreateRequest, source: Source, context: RequestContext): Promise<ItemEvent> {
  const result = await context.client.create(request, context.signal);
  return eventFor('create', result, context, (created, pollAfterMs) => {
    const { session } = created;
    if (source.kind === 'file' && session !== null) {
      const expectedPartCount = partCountOf(source.sizeBytes, session.partSize);
      if (expectedPartCount !== session.partCount) {
        const message = `${session.partCount} parts of ${session.partSize} bytes do not make ${source.sizeBytes} bytes`;
        return { kind: 'request-failed', request: 'create', fault: unexpectedFault(message, pollAfterMs) };
      }
    }
    return { kind: 'created', created, source: source.kind, pollAfterMs };
  });
}

/**
 * Finds the job of a create request whose item is being cancelled. Only the service knows whether a create request
 * without a response took effect; sending it again with the same key shows it. Nothing will be uploaded, so the upload
 * session does not matter.
 */
async function findJob(request: CreateRequest, source: Source, context: RequestContext): Promise<ItemEvent> {
  const result = await context.client.create(request, context.signal, false);
  return eventFor('create', result, context, (created, pollAfterMs) => ({
    kind: 'created',
    created,
    source: source.kind,
    pollAfterMs,
  }));
}

async function sendPart(
  { id, source }: Item,
  { session, partsSent }: Extract<ItemPhase, { kind: 'uploading' }>,
  context: RequestContext,
): Promise<ItemEvent | null> {
  if (source.kind !== 'file') return null;
  const handle = await openSource(source, context.files);
  context.meter.startPart(id);
  try {
    const part = partOf(source.sizeBytes, session.partSize, partsSent + 1);
    const body = partBody(handle, source.path, part, (bytes) => context.meter.recordSent(id, bytes));
    const result = await context.client.sendPart(session, part.number, body, context.signal);
    return eventFor('part', result, context, () => ({ kind: 'part-accepted', number: part.number }));
  } finally {
    context.meter.endPart(id);
    await handle.close();
  }
}

async function complete(
  source: Source,
  { jobId, session }: Extract<ItemPhase, { kind: 'completing' }>,
  context: RequestContext,
): Promise<ItemEvent> {
  if (source.kind === 'file') await checkSource(source, context.files);
  const result = await context.client.complete(jobId, session, context.signal);
  return eventFor('complete', result, context, (job, pollAfterMs) => ({
    kind: 'completion-accepted',
    job,
    pollAfterMs,
  }));
}

async function pollStatus(jobId: string, context: RequestContext): Promise<ItemEvent> {
  const result = await context.client.status(jobId, context.signal);
  return eventFor('status', result, context, (job, pollAfterMs) => ({
    kind: 'job-status',
    job,
    pollAfterMs,
  }));
}

/** Polls a job and records its transcript so far. */
async function pollProgress(id: ItemId, jobId: string, context: RequestContext): Promise<ItemEvent> {
  const { client, live, signal } = context;
  const result = await client.status(jobId, signal, live.firstSegmentToRequest(id, jobId));
  if (result.ok && result.value.partial !== undefined) live.add(id, jobId, result.value.partial);
  return eventFor('status', result, context, (job, pollAfterMs) => ({
    kind: 'job-status',
    job,
    pollAfterMs,
  }));
}

async function deleteJob(jobId: string, context: RequestContext): Promise<ItemEvent> {
  const result = await context.client.delete(jobId, context.signal);
  return eventFor('delete', result, context, () => ({ kind: 'deleted' }));
}

/** Returns the event for the result of a request; `toEvent` converts a successful one. */
function eventFor<T>(
  request: RequestKind,
  result: ServiceResult<T>,
  { onBalance, cannotHaveJobYet }: RequestContext,
  toEvent: (value: T, pollAfterMs: number | null) => ItemEvent,
): ItemEvent {
  if (!result.ok) return { kind: 'request-failed', request, fault: result.fault, cannotHaveJobYet };
  if (result.balanceCredits !== null) onBalance(result.balanceCredits);
  return toEvent(result.value, result.retryAfterMs);
}

/** Returns what the result of a request means for the service as a whole. @param item the item before the result. */
export function outcomeOf(
  item: Item,
  event: ItemEvent,
  effects: readonly Effect[],
  purpose: RequestPurpose,
): RequestOutcome {
  const isUnanswered =
    event.kind === 'retry-create' || (event.kind === 'request-failed' && event.fault.kind !== 'refused');
  return {
    item: { id: item.id, credits: creditsOf(item) },
    effects,
    isAnswered: item.state.kind !== 'waiting' && !isUnanswered,
    purpose: event.kind === 'created' ? purpose : 'continue',
    freesSlot: event.kind === 'deleted' || effects.some((effect) => effect.kind === 'save'),
  };
}
