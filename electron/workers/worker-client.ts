import { Worker } from 'node:worker_threads';
import { errorMessage } from '../contract/errors.ts';
import { ProblemError } from '../contract/problem.ts';
import { restoreLongArrays } from './long-arrays.ts';
import {
  CancelledError,
  type FromWorker,
  type HandlerAnswer,
  type HandlerInput,
  type HandlerResult,
  type WorkerHandlers,
  type HandlerUpdate,
  type SentError,
  type ToWorker,
} from './protocol.ts';

export interface WorkerOptions {
  /** The name of the thread in debuggers and error messages. */
  readonly name: string;
  /** See `workerUrl`. */
  readonly url: URL;
  readonly workerData?: unknown;
  /**
   * The maximum of V8's heap, in MB: beyond it the thread crashes. Without one, a thread that needs too much memory would
   * end the whole process.
   */
  readonly maxHeapMb: number;
  /** The maximum of the heap for new objects, in MB, if V8's default is too large. */
  readonly maxYoungHeapMb?: number;
  readonly onStart?: () => void;
  readonly onCrash?: (error: unknown) => void;
}

export interface RequestOptions<Update, Answer> {
  /** Rejects the request with a `CancelledError` when it is aborted. */
  readonly signal?: AbortSignal;
  /** Whether the worker decides how the request settles after an abort: it may still have a result. */
  readonly waitsForCancelled?: boolean;
  /** Memory of the input that is handed over to the thread instead of copied; this thread can no longer use it. */
  readonly transfer?: readonly ArrayBuffer[];
  /** Receives the worker's reports and questions; returns the answer to a question. If it throws, the request fails. */
  readonly onUpdate?: (update: Update) => Answer | Promise<Answer>;
}

/** The thread crashed, could not be started, or was restarted or closed before it answered. */
export class WorkerStoppedError extends Error {
  override readonly name = 'WorkerStoppedError';
}

interface PendingRequest {
  /** What has been received of the long arrays of the result. */
  readonly lists: unknown[][];
  readonly onUpdate: (update: unknown) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly cancel: () => void;
}

/** A running thread and its pending requests. */
interface RunningThread {
  readonly worker: Worker;
  readonly pending: Map<number, PendingRequest>;
}

/** Terminated threads that still run: one that reads from a hung drive ends only with the process. */
const terminating = new Set<Worker>();

/** Whether a terminated thread still keeps the process from ending. */
export const hasTerminatingThreads = (): boolean => terminating.size > 0;

/**
 * The caller's side of a worker thread that runs `serveWorker(handlers)`. The thread starts with the first request.
 * When it crashes, all pending requests reject, and the next one starts a new thread. Pending requests keep the process
 * alive; an idle thread does not.
 */
export class WorkerClient<H extends WorkerHandlers> {
  readonly #options: WorkerOptions;
  #thread: RunningThread | null = null;
  #lastRequest = 0;
  #isClosed = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /**
   * @throws WorkerStoppedError, CancelledError, the handler's ProblemError, or a copy of another error of the handler.
   */
  async request<K extends keyof H & string>(
    handler: K,
    input: HandlerInput<H[K]>,
    options: RequestOptions<HandlerUpdate<H[K]>, HandlerAnswer<H[K]>> = {},
  ): Promise<HandlerResult<H[K]>> {
    const { signal, waitsForCancelled = false, transfer = [], onUpdate = () => undefined } = options;
    if (signal?.aborted === true && !waitsForCancelled) throw new CancelledError();
    const { worker, pending } = this.#ensureStarted();
    const request = (this.#lastRequest += 1);
    const cancelled = new SharedArrayBuffer(4);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const cancel = (): void => {
      Atomics.store(new Int32Array(cancelled), 0, 1);
      send(worker, { kind: 'cancel', request });
    };
    const onAbort = (): void => {
      if (pending.has(request)) cancel();
      if (!waitsForCancelled) reject(new CancelledError());
    };
    pending.set(request, {
      lists: [],
      onUpdate: onUpdate as PendingRequest['onUpdate'],
      resolve,
      reject,
      cancel,
    });
    worker.ref();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      // The thread must not begin what is cancelled already: a short task would be complete before its cancellation arrives.
      if (signal?.aborted === true) Atomics.store(new Int32Array(cancelled), 0, 1);
      send(worker, { kind: 'request', request, handler, input, cancelled }, transfer);
      if (signal?.aborted === true) onAbort();
      // The handlers of the thread are those of the type.
      return (await promise) as HandlerResult<H[K]>;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      pending.delete(request);
      if (pending.size === 0) worker.unref();
    }
  }

  /** Terminates the thread; pending requests reject, and the next one starts a new thread. */
  async restart(): Promise<void> {
    await this.#terminate('was restarted');
  }

  /** Terminates the thread permanently; pending requests reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#terminate('is closed');
  }

  /** Cancels all requests, and resolves when the worker has settled them, cleaned up and ended. */
  async finish(): Promise<void> {
    this.#isClosed = true;
    const thread = this.#thread;
    if (thread === null) return;
    const exited = new Promise<void>((resolve) => thread.worker.once('exit', () => resolve()));
    for (const { cancel } of thread.pending.values()) cancel();
    send(thread.worker, { kind: 'finish' });
    thread.worker.ref();
    await exited;
  }

  #ensureStarted(): RunningThread {
    if (this.#isClosed) throw this.#stoppedError('is closed');
    try {
      return (this.#thread ??= this.#start());
    } catch (error) {
      throw toStoppedError(error);
    }
  }

  #start(): RunningThread {
    const { name, url, workerData, maxHeapMb, maxYoungHeapMb, onStart, onCrash } = this.#options;
    const resourceLimits = {
      maxOldGenerationSizeMb: maxHeapMb,
      ...(maxYoungHeapMb !== undefined && { maxYoungGenerationSizeMb: maxYoungHeapMb }),
    };
    const thread: RunningThread = {
      worker: new Worker(url, { name, workerData, resourceLimits }),
      pending: new Map(),
    };
    thread.worker.on('message', (message: FromWorker) => receive(thread, message));
    thread.worker.on('error', (error: unknown) => {
      onCrash?.(error);
      this.#rejectPending(thread, toStoppedError(error));
    });
    // A message that this thread cannot read, such as one that is nested too deeply, would leave its request pending forever.
    thread.worker.on('messageerror', (error: unknown) => {
      onCrash?.(error);
      this.#rejectPending(thread, toStoppedError(error));
      void thread.worker.terminate();
    });
    thread.worker.once('exit', () => this.#rejectPending(thread, this.#stoppedError('has ended')));
    onStart?.();
    return thread;
  }

  async #terminate(reason: string): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return;
    this.#rejectPending(thread, this.#stoppedError(reason));
    terminating.add(thread.worker);
    await thread.worker.terminate();
    terminating.delete(thread.worker);
  }

  #rejectPending(thread: RunningThread, error: WorkerStoppedError): void {
    if (this.#thread === thread) this.#thread = null;
    const rejected = [...thread.pending.values()];
    thread.pending.clear();
    for (const { reject } of rejected) reject(error);
  }

  #stoppedError(reason: string): WorkerStoppedError {
    return new WorkerStoppedError(`the ${this.#options.name} thread ${reason}`);
  }
}

function receive({ worker, pending }: RunningThread, message: FromWorker): void {
  const { request } = message;
  const state = pending.get(request);
  if (message.kind === 'elements')
    send(worker, { kind: 'received', request, isPending: state !== undefined });
  if (state === undefined) return;
  switch (message.kind) {
    case 'report':
      void passOn(message.update, state);
      break;
    case 'ask':
      void passOn(message.update, state, (answer) =>
        send(worker, { kind: 'answer', request, question: message.question, answer }),
      );
      break;
    case 'elements':
      (state.lists[message.list] ??= []).push(...message.elements);
      break;
    case 'done':
      state.resolve(
        restoreLongArrays({
          rest: message.rest,
          lists: message.paths.map((path, list) => ({ path, elements: state.lists[list] ?? [] })),
        }),
      );
      break;
    case 'failed':
      state.reject(toError(message.error));
      break;
    case 'cancelled':
      state.reject(new CancelledError());
      break;
  }
}

/** Passes an update to the caller, and its answer to `onAnswer`. If either throws, the request is cancelled and fails. */
async function passOn(
  update: unknown,
  { onUpdate, reject, cancel }: PendingRequest,
  onAnswer: (answer: unknown) => void = () => undefined,
): Promise<void> {
  try {
    onAnswer(await onUpdate(update));
  } catch (error) {
    cancel();
    reject(error);
  }
}

function toError({ name, message, code, problem }: SentError): Error {
  if (problem !== undefined) return new ProblemError(problem);
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) });
}

const toStoppedError = (error: unknown): WorkerStoppedError =>
  new WorkerStoppedError(errorMessage(error), { cause: error });

const send = (worker: Worker, message: ToWorker, transfer: readonly ArrayBuffer[] = []): void =>
  worker.postMessage(message, transfer);
