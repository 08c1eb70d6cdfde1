import { constants, setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';
import { ProblemError } from '../contract/problem.ts';
import { splitIntoMessages, extractLongArrays } from './long-arrays.ts';
import {
  CancelledError,
  type FromWorker,
  type WorkerHandlers,
  type WorkerRequestContext,
  type SentError,
  type ToWorker,
} from './protocol.ts';

/** A request in progress. */
interface OpenRequest {
  readonly context: WorkerRequestContext<unknown, unknown>;
  readonly answer: (question: number, answer: unknown) => void;
  /** Waits until the elements that were sent last have been received. Returns whether the result is still wanted. */
  readonly waitForReceipt: () => Promise<boolean>;
  readonly onReceived: (isPending: boolean) => void;
  readonly cancel: () => void;
  result: Promise<void>;
}

/**
 * Serves the requests of a `WorkerClient`; call it once, in the main module of the thread. Asynchronous handlers run
 * concurrently.
 *
 * @param onFinish Releases resources that a terminated thread would leave behind.
 */
export function serveWorker(handlers: WorkerHandlers, onFinish?: () => Promise<void>): void {
  const openRequests = new Map<number, OpenRequest>();

  const serve = async (
    { request, handler, input }: ToWorker & { kind: 'request' },
    { context, waitForReceipt }: OpenRequest,
  ): Promise<void> => {
    try {
      const handle = handlers[handler] as ((input: unknown, context: unknown) => unknown) | undefined;
      if (handle === undefined) throw new Error(`the worker has no handler ${handler}`);
      const { rest, lists } = extractLongArrays(await handle(input, context));
      for (const [list, { elements }] of lists.entries()) {
        for (const message of splitIntoMessages(elements)) {
          send({ kind: 'elements', request, list, elements: message });
          if (!(await waitForReceipt())) throw new CancelledError();
        }
      }
      send({ kind: 'done', request, rest, paths: lists.map(({ path }) => path) }, context.transfer);
    } catch (error) {
      if (error instanceof CancelledError) send({ kind: 'cancelled', request });
      else send({ kind: 'failed', request, error: toSentError(error) });
    } finally {
      openRequests.delete(request);
    }
  };

  parentPort?.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'request': {
        const state = openRequest(message);
        openRequests.set(message.request, state);
        state.result = serve(message, state);
        // Once the handler listens for it.
        if (Atomics.load(new Int32Array(message.cancelled), 0) !== 0) state.cancel();
        break;
      }
      case 'answer':
        openRequests.get(message.request)?.answer(message.question, message.answer);
        break;
      case 'received':
        openRequests.get(message.request)?.onReceived(message.isPending);
        break;
      case 'cancel':
        openRequests.get(message.request)?.cancel();
        break;
      case 'finish':
        void Promise.all([...openRequests.values()].map(({ result }) => result))
          .then(onFinish)
          .finally(() => parentPort?.close());
        break;
    }
  });
}

function openRequest({ request, cancelled }: ToWorker & { kind: 'request' }): OpenRequest {
  const flag = new Int32Array(cancelled);
  const abort = new AbortController();
  const pendingAnswers = new Map<number, PromiseWithResolvers<unknown>>();
  let lastQuestion = 0;
  let receipt = Promise.withResolvers<boolean>();
  return {
    context: {
      signal: abort.signal,
      throwIfCancelled: () => {
        if (Atomics.load(flag, 0) !== 0) throw new CancelledError();
      },
      report: (update) => send({ kind: 'report', request, update }),
      ask: (update) => {
        const question = (lastQuestion += 1);
        const { promise, resolve, reject } = Promise.withResolvers<unknown>();
        // A handler that stops before it awaits its answers leaves them rejected, which would end the thread.
        promise.catch(() => undefined);
        if (abort.signal.aborted) reject(new CancelledError());
        else {
          pendingAnswers.set(question, { promise, resolve, reject });
          send({ kind: 'ask', request, question, update });
        }
        return promise;
      },
      transfer: [],
    },
    answer: (question, answer) => {
      pendingAnswers.get(question)?.resolve(answer);
      pendingAnswers.delete(question);
    },
    waitForReceipt: async () => {
      const isPending = await receipt.promise;
      receipt = Promise.withResolvers<boolean>();
      return isPending;
    },
    onReceived: (isPending) => receipt.resolve(isPending),
    cancel: () => {
      abort.abort(new CancelledError());
      for (const { reject } of pendingAnswers.values()) reject(new CancelledError());
    },
    result: Promise.resolve(),
  };
}

const send = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transfer);

function toSentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  return {
    name: error.name,
    message: error.message,
    ...('code' in error && { code: String(error.code) }),
    ...(error instanceof ProblemError && { problem: error.problem }),
  };
}

const progressIntervalMs = 100;

/** Passes on the first and the last progress, and those in between at most every 100 ms. */
export function throttleProgress<P extends { readonly done: number; readonly total: number }>(
  report: (progress: P) => void,
): (progress: P) => void {
  let reportedAt = -Infinity;
  return (progress) => {
    const now = performance.now();
    if (progress.done < progress.total && now - reportedAt < progressIntervalMs) return;
    reportedAt = now;
    report(progress);
  };
}

/**
 * Gives the window and the main process priority over this thread. Only Linux has thread priorities; elsewhere the
 * priority of the whole process would change.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not permitted here: the thread keeps the normal priority.
  }
}
