import type { ItemId } from '../../../contract/identifiers.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { partCountOf, partOf } from '../../api/part-plan.ts';
import { unexpectedFault, type Answer, type RequestKind } from '../../api/answers.ts';
import type { Item, ItemState, Source, ItemStep, CreateRequest } from '../../item/item.ts';
import type { ItemEvent } from '../machine/machine.ts';
import type { ServiceRequests } from '../services/services.ts';
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
  /** Whether no earlier attempt with the same create request can have succeeded without a response. */
  readonly noEarlierAttempt: boolean;
  /** Called with the account's remaining credits whenever an answer contains them (API part 2.1). */
  readonly onBalance: (credits: number) => void;
}

/** Starts an item with a new create request, provided that its file is unchanged. */
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
 * for none (waiting, paused, blocked and ended items).
 *
 * @throws the signal's reason when it is aborted; whether the request took effect is then unknown.
 */
export async function requestNext(item: Item, tools: RequestContext): Promise<ItemEvent | null> {
  try {
    return await makeRequest(item, tools);
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

async function makeRequest(item: Item, tools: RequestContext): Promise<ItemEvent | null> {
  const { state, source } = item;
  switch (state.kind) {
    case 'creating':
      if (source.kind === 'file') await checkSource(source, tools.files);
      if (state.refused) return { kind: 'create-retried' };
      return create(state.request, source, tools);
    case 'uploading':
      return state.recheck === 'none' ? sendPart(item, state, tools) : pollStatus(state.jobId, tools);
    case 'completing':
      return state.recheck === 'none' ? complete(source, state, tools) : pollStatus(state.jobId, tools);
    case 'transcribing':
      return pollProgress(item.id, state.jobId, tools);
    case 'saving':
      return pollStatus(state.jobId, tools);
    case 'cancelling':
      // Only the service knows whether an unanswered create request took effect: the same key finds out.
      return state.jobId === null ? create(state.request, source, tools) : deleteJob(state.jobId, tools);
    default:
      return null;
  }
}

async function create(request: CreateRequest, source: Source, tools: RequestContext): Promise<ItemEvent> {
  const answer = await tools.client.create(request, tools.signal);
  return eventFor('create', answer, tools, (created, pollAfterMs) => {
    const { session } = created;
    if (source.kind === 'file' && session !== null) {
      const planned = partCountOf(source.sizeBytes, session.partSize);
      if (planned !== session.partCount) {
        const message = `${session.partCount} parts of ${session.partSize} bytes do not make ${source.sizeBytes} bytes`;
        return { kind: 'request-failed', request: 'create', fault: unexpectedFault(message) };
      }
    }
    return { kind: 'created', created, source: source.kind, pollAfterMs };
  });
}

async function sendPart(
  { id, source }: Item,
  { session, partsSent }: Extract<ItemStep, { kind: 'uploading' }>,
  tools: RequestContext,
): Promise<ItemEvent | null> {
  if (source.kind !== 'file') return null;
  const handle = await openSource(source, tools.files);
  tools.meter.startPart(id);
  try {
    const part = partOf(source.sizeBytes, session.partSize, partsSent + 1);
    const body = partBody(handle, source.path, part, (bytes) => tools.meter.sent(id, bytes));
    const answer = await tools.client.sendPart(session, part.number, body, tools.signal);
    return eventFor('part', answer, tools, () => ({ kind: 'part-accepted', number: part.number }));
  } finally {
    tools.meter.endPart(id);
    await handle.close();
  }
}

async function complete(
  source: Source,
  { jobId, session }: Extract<ItemStep, { kind: 'completing' }>,
  tools: RequestContext,
): Promise<ItemEvent> {
  if (source.kind === 'file') await checkSource(source, tools.files);
  const answer = await tools.client.complete(jobId, session, tools.signal);
  return eventFor('complete', answer, tools, (job, pollAfterMs) => ({
    kind: 'completion-accepted',
    job,
    pollAfterMs,
  }));
}

async function pollStatus(jobId: string, tools: RequestContext): Promise<ItemEvent> {
  const answer = await tools.client.status(jobId, tools.signal);
  return eventFor('status', answer, tools, (job, pollAfterMs) => ({ kind: 'job-status', job, pollAfterMs }));
}

/** Polls a job and follows its transcript. */
async function pollProgress(id: ItemId, jobId: string, tools: RequestContext): Promise<ItemEvent> {
  const { client, live, signal } = tools;
  const answer = await client.status(jobId, signal, live.nextFrom(id, jobId));
  if (answer.ok && answer.value.partial !== undefined) live.add(id, jobId, answer.value.partial);
  return eventFor('status', answer, tools, (job, pollAfterMs) => ({ kind: 'job-status', job, pollAfterMs }));
}

async function deleteJob(jobId: string, tools: RequestContext): Promise<ItemEvent> {
  const answer = await tools.client.delete(jobId, tools.signal);
  return eventFor('delete', answer, tools, () => ({ kind: 'deleted' }));
}

function eventFor<T>(
  request: RequestKind,
  answer: Answer<T>,
  { onBalance, noEarlierAttempt }: RequestContext,
  event: (value: T, pollAfterMs: number | null) => ItemEvent,
): ItemEvent {
  if (!answer.ok) return { kind: 'request-failed', request, fault: answer.fault, noEarlierAttempt };
  if (answer.balanceCredits !== null) onBalance(answer.balanceCredits);
  return event(answer.value, answer.retryAfterMs);
}
