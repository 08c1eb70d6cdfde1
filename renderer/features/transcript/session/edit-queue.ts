import type { TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type { Problem } from '../../../../electron/contract/problem.ts';
import type {
  EditOperation,
  EditState,
  UndoResult,
  TranscriptDocument,
} from '../../../../electron/contract/transcript.ts';
import type { Invoke } from '../../../invoke.ts';
import { asProblem, notifyProblem } from '../../../notices.ts';
import type { RecordedEdit } from './rebase.ts';
import type { UndoCommand } from './undo-stack.ts';

/** A request that the main process has not acknowledged. */
export type QueuedRequest =
  | { readonly kind: 'edit'; readonly edit: RecordedEdit; readonly send: Send }
  /** An undo or redo. */
  | { readonly kind: 'command'; readonly send: Send }
  /** Accepts a finding of the review; creates no revision. */
  | { readonly kind: 'accept'; readonly send: Send };

/** Sends a request. The promise resolves to the state after it; to `null` when that has not changed. */
type Send = () => Promise<EditState | null>;

export interface EditQueueObserver {
  /** Every request has been acknowledged, the last one with this state. */
  onAcknowledged(state: EditState | null): void;
  /**
   * The oldest request was refused because the transcript was changed elsewhere, or was dropped because it is invalid: all
   * later ones have to be made again on the stored state.
   */
  onConflict(): void;
  /** A fetch is over, and its handler was called. Another one may have started. */
  onFetched(): void;
  /** The oldest request failed. It and all later ones are sent again after `retryMs`, and with the next request. */
  onFailed(problem: Problem): void;
}

/** Callbacks after a fetch has released the queue. */
export interface FetchHandlers<T> {
  onResult(result: T): void;
  onError(error: unknown): void;
}

/** Milliseconds after which requests that failed are sent again. */
const retryMs = 5000;

/** Sends the edits of one transcript in their order, each with the revision that it was made on. */
export class EditQueue {
  readonly #invoke: Invoke;
  readonly #id: TranscriptId;
  readonly #observer: EditQueueObserver;
  /** The revision that the next edit is made on. */
  #revision: number;
  #unacknowledged: QueuedRequest[] = [];
  /** The failures of requests since all were last sent; those behind the oldest request wait for it. */
  #failures = new Map<QueuedRequest, unknown>();
  /** Edits that were dropped as invalid since the last reset. */
  #refused: RecordedEdit[] = [];
  #isBlocked = false;
  #pendingFetch: Promise<void> | null = null;
  #isFetchingCommand = false;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(invoke: Invoke, { id, revision }: TranscriptDocument, observer: EditQueueObserver) {
    this.#invoke = invoke;
    this.#id = id;
    this.#revision = revision;
    this.#observer = observer;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Whether every request has been acknowledged. */
  get isEmpty(): boolean {
    return this.#unacknowledged.length === 0;
  }

  /** Sends an edit; `continues`: to be merged into the previous one. */
  sendEdit(edit: RecordedEdit, continues: boolean): void {
    const { operation } = edit;
    const input = {
      ...this.#nextRevision(),
      operation,
      ...(continues && { continues }),
    };
    this.enqueue({ kind: 'edit', edit, send: () => this.#invoke('transcript.edit', input) });
  }

  /** Sends an undo or redo whose effect is known. */
  sendCommand(kind: UndoCommand): void {
    const input = { ...this.#nextRevision(), knowsChange: true };
    this.enqueue({ kind: 'command', send: () => this.#invoke(`transcript.${kind}`, input) });
  }

  /** Sends that a finding of the review was accepted, or no longer is. */
  sendAccepted(findingKey: string, accepted: boolean): void {
    this.enqueue({
      kind: 'accept',
      send: async () => {
        await this.#invoke('transcript.accept', { id: this.#id, finding: findingKey, accepted });
        return null;
      },
    });
  }

  /**
   * Sends edits during a fetch, without waiting for it. If it fetches an undo or redo, that creates one revision first,
   * so the edits start one higher. The responses are ignored, because the page is unloading.
   */
  sendDuringFetch(operations: readonly EditOperation[]): void {
    if (this.#isFetchingCommand) this.#revision += 1;
    let isPipelined = this.#isFetchingCommand;
    for (const operation of operations) {
      const input = { ...this.#nextRevision(), ...(isPipelined && { isPipelined }), operation };
      this.#invoke('transcript.edit', input).catch(() => undefined);
      isPipelined = true;
    }
  }

  #nextRevision(): { readonly id: TranscriptId; readonly revision: number; readonly isPipelined?: true } {
    const revision = this.#revision;
    this.#revision += 1;
    const isPipelined = this.#unacknowledged.some(({ kind }) => kind !== 'accept');
    return { id: this.#id, revision, ...(isPipelined && { isPipelined: true }) };
  }

  enqueue(request: QueuedRequest): void {
    this.#unacknowledged.push(request);
    // After a failure all are sent again, to keep their order.
    if (this.#isBlocked) this.retry();
    else void this.#dispatch(request);
  }

  retry(): void {
    this.#isBlocked = false;
    this.#failures = new Map();
    for (const request of this.#unacknowledged.slice()) void this.#dispatch(request);
  }

  /**
   * Continues from another revision. Returns the unacknowledged requests, whose responses are ignored from now on, and the
   * edits that were dropped as invalid.
   */
  reset(revision: number): {
    readonly requests: readonly QueuedRequest[];
    readonly refused: readonly RecordedEdit[];
  } {
    const [requests, refused] = [this.#unacknowledged, this.#refused];
    this.#unacknowledged = [];
    this.#refused = [];
    this.#isBlocked = false;
    this.#failures = new Map();
    this.#revision = revision;
    return { requests, refused };
  }

  async #dispatch(request: QueuedRequest): Promise<void> {
    const failures = this.#failures;
    try {
      const state = await request.send();
      const index = this.#unacknowledged.indexOf(request);
      if (index < 0) return;
      this.#unacknowledged.splice(index, 1);
      // Any response but the last is older than what is on screen.
      if (this.isEmpty) this.#observer.onAcknowledged(state);
    } catch (error) {
      failures.set(request, error);
    }
    // A request behind a failed one mostly fails because of it.
    const [oldest] = this.#unacknowledged;
    if (this.#isBlocked || oldest === undefined || !this.#failures.has(oldest)) return;
    this.#isBlocked = true;
    const problem = asProblem(this.#failures.get(oldest));
    if (problem.code === 'transcript_changed') this.#observer.onConflict();
    else if (problem.code === 'input_refused') this.#drop(oldest, problem);
    else {
      this.#observer.onFailed(problem);
      if (problem.code !== 'transcript_gone') {
        this.retryLater(() => {
          if (this.#isBlocked) this.retry();
        });
      }
    }
  }

  /** Drops the oldest request and says so: no retry makes it valid, and the others must not wait for it. */
  #drop(request: QueuedRequest, problem: Problem): void {
    this.#unacknowledged.shift();
    if (request.kind === 'edit') this.#refused.push(request.edit);
    notifyProblem(problem);
    this.#observer.onConflict();
  }

  /** Whether the stored state of a revision differs from what is here: it is newer, or edits are not stored in it. */
  differsFrom(revision: number): boolean {
    return revision !== this.#revision || !this.isEmpty || this.#refused.length > 0;
  }

  /** Tries again after `retryMs` without the user, who may have left the transcript; replaces an earlier request. */
  retryLater(retry: () => void): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(retry, retryMs);
  }

  /** Whether something is being fetched that all later edits have to wait for. */
  get isFetching(): boolean {
    return this.#pendingFetch !== null;
  }

  /** Fetches something that all later edits have to wait for, after any earlier fetch. */
  fetch<T>(request: () => Promise<T>, { onResult, onError }: FetchHandlers<T>): void {
    const earlier = this.#pendingFetch;
    const pending = (async () => {
      if (earlier !== null) await earlier;
      const release = (): void => {
        if (this.#pendingFetch === pending) this.#pendingFetch = null;
      };
      try {
        const result = await request();
        release();
        onResult(result);
      } catch (error) {
        release();
        onError(error);
      }
      this.#observer.onFetched();
    })();
    this.#pendingFetch = pending;
  }

  /** Fetches an undo or redo whose effect only the main process knows. */
  fetchCommand(kind: UndoCommand, handlers: FetchHandlers<UndoResult>): void {
    this.fetch(async () => {
      this.#isFetchingCommand = true;
      try {
        const result = await this.#invoke(`transcript.${kind}`, { id: this.#id, revision: this.#revision });
        this.#revision = result.revision;
        return result;
      } finally {
        this.#isFetchingCommand = false;
      }
    }, handlers);
  }

  /** Resolves once nothing is being fetched: a callback may start another fetch. */
  async waitForFetches(): Promise<void> {
    while (this.#pendingFetch !== null) await this.#pendingFetch;
  }
}
