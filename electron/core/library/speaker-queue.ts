import { isDeepStrictEqual } from 'node:util';
import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import { type Problem, ProblemError } from '../../contract/problem.ts';
import type { SpeakerQueueView, SpeakersReport } from '../../contract/speakers.ts';
import type { IdentifiedTurn } from '../../contract/transcript.ts';
import { CancelledError } from '../../workers/protocol.ts';
import type { Clock, Logger } from '../ports.ts';
import { isStorageError, storageProblem } from '../storage-problem.ts';
import type { SpeakerRequest, SpeakerRequestStore } from '../store/library/speaker-request-store.ts';
import type { Store } from '../store/store.ts';
import { type Diarize, identifySpeakersIn, type TurnRequest } from './speaker-identification.ts';
import type { TaskOptions } from './task/run-task.ts';

/** The delay before it starts again after a full disk or another fault of the computer, in milliseconds. */
const retryMs = 30_000;

/** After this many faults of the computer the speakers of a transcript count as not identified. They take about ten minutes. */
const maxFaults = 20;

/** The outcome for a transcript whose speakers were to be identified. */
export interface SpeakersOutcome {
  readonly transcriptId: TranscriptId;
  readonly itemId: ItemId | null;
  readonly name: string;
  /** A report, or why there is none; `null`: it was cancelled. */
  readonly result: SpeakersReport | Problem | null;
}

export interface SpeakerQueueOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns the diarizer. @throws ProblemError `speaker_models_missing` */
  readonly createDiarizer: () => Diarize;
  /** Called with a transcript that was changed. */
  readonly onChanged: (id: TranscriptId) => void;
  /** Called when {@link SpeakerQueue.view} has changed. */
  readonly onView: () => void;
  /** Called after transcripts stopped waiting for their speakers: the auto exports of their items can be written. */
  readonly onReleased: () => void;
  /** Called after each transcript that the queue has processed. */
  readonly onEnd: (outcome: SpeakersOutcome) => void;
}

/**
 * Identifies the speakers of saved transcripts, one after the other. After a restart, the program continues with the
 * remaining ones.
 */
export class SpeakerQueue {
  readonly #options: SpeakerQueueOptions;
  readonly #closed = new AbortController();
  /**
   * Transcripts that callers of {@link SpeakerQueue.identify} wait for, with the number of callers, and whether to
   * remove the stored request when the last caller leaves, because one of the callers has added or fulfilled the
   * request.
   */
  readonly #awaited = new Map<TranscriptId, { readonly callers: number; readonly removesRequest: boolean }>();
  #running: Promise<void> | null = null;
  #postponedBy: Problem | null = null;
  #cancelRetry: (() => void) | null = null;
  /** How many faults of the computer have interrupted a transcript. */
  readonly #faults = new Map<TranscriptId, number>();
  /** The turns that were found for a transcript but could not be stored yet. Finding them may have taken hours. */
  #unstored: {
    readonly request: Pick<TurnRequest, 'recording' | 'speakerCount'> & Pick<SpeakerRequest, 'transcriptId'>;
    readonly turns: readonly IdentifiedTurn[];
  } | null = null;
  #current: {
    readonly request: SpeakerRequest;
    readonly controller: AbortController;
    secondsDone: number;
  } | null = null;

  constructor(options: SpeakerQueueOptions) {
    this.#options = options;
  }

  /** Why the rest waits for another attempt; `null` unless a full disk or another fault of the computer interrupts it. */
  get postponedBy(): Problem | null {
    return this.#postponedBy;
  }

  view(): SpeakerQueueView {
    const current = this.#current;
    const { speakerRequests } = this.#options.store;
    const running = current === null ? [] : [current.request.transcriptId];
    return {
      current:
        current === null
          ? null
          : {
              name: current.request.name,
              secondsDone: current.secondsDone,
              seconds: current.request.durationSeconds,
            },
      waiting: speakerRequests.countPending([...this.#awaited.keys(), ...running]),
      postponedBy: this.#postponedBy,
      failed: speakerRequests.failed(),
    };
  }

  /** Adds transcripts and starts. */
  add(ids: readonly TranscriptId[], speakerCount: number | null): void {
    const { store } = this.#options;
    store.transaction(() => ids.forEach((id) => store.speakerRequests.add(id, speakerCount)));
    this.start();
  }

  /** Starts with what is stored, unless it has started. */
  start(): void {
    if (this.#closed.signal.aborted) return;
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#options.onView();
    this.#running ??= this.#run()
      .catch((error: unknown) => this.#postpone(error))
      .finally(() => {
        this.#running = null;
        if (!this.#closed.signal.aborted) this.#options.onView();
      });
  }

  #postpone(error: unknown): void {
    const { clock, logger } = this.#options;
    logger.warn('speakers are identified later', { error: String(error) });
    if (this.#closed.signal.aborted) return;
    this.#postponedBy = storageProblem(error);
    this.#cancelRetry = clock.schedule(retryMs, () => this.start());
  }

  /** Resolves when nothing is left to do, or the rest is postponed; at once if it has not started. */
  async settled(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /** Cancels the current transcript and the waiting ones, except those that a caller waits for. */
  cancelAll(): void {
    this.#release((requests) => requests.removePending(this.#awaited.keys()));
    this.#current?.controller.abort();
    this.#options.onView();
  }

  retryFailed(): void {
    this.#options.store.speakerRequests.retryFailed();
    this.start();
  }

  forgetFailed(): void {
    this.#options.store.speakerRequests.forgetFailed();
    this.#options.onView();
  }

  /**
   * Identifies the speakers of a transcript for a caller who waits. If the process is killed meanwhile, the next process
   * resumes it.
   *
   * @param diarize replaces the default models; such a run is not resumed by the next process, and if it fails, an
   *   earlier request for the transcript stays
   * @throws ProblemError or CancelledError; see {@link identifySpeakersIn}
   */
  async identify(
    id: TranscriptId,
    speakerCount: number | null,
    { signal, onProgress }: TaskOptions,
    diarize: Diarize | null = null,
  ): Promise<SpeakersReport> {
    const { store } = this.#options;
    const diarizer = diarize ?? this.#options.createDiarizer();
    if (diarize === null) store.speakerRequests.add(id, speakerCount);
    this.#countCaller(id, 1, diarize === null);
    let isIdentified = false;
    try {
      const stop = AbortSignal.any([signal, this.#closed.signal]);
      const report = await this.#identify(id, speakerCount, diarizer, { signal: stop, onProgress });
      isIdentified = true;
      return report;
    } finally {
      const { callers, removesRequest } = this.#countCaller(id, -1, isIdentified);
      if (!this.#closed.signal.aborted && callers === 0 && removesRequest)
        this.#release((requests) => requests.remove(id));
    }
  }

  #countCaller(
    id: TranscriptId,
    change: 1 | -1,
    removesRequest: boolean,
  ): { readonly callers: number; readonly removesRequest: boolean } {
    const before = this.#awaited.get(id);
    const after = {
      callers: (before?.callers ?? 0) + change,
      removesRequest: removesRequest || before?.removesRequest === true,
    };
    if (after.callers > 0) this.#awaited.set(id, after);
    else this.#awaited.delete(id);
    return after;
  }

  /** Ends requests: every change after which a request is not pending any more goes through this. */
  #release(change: (requests: SpeakerRequestStore) => void): void {
    change(this.#options.store.speakerRequests);
    this.#options.onReleased();
  }

  /** Stops; what is left stays stored. */
  async close(): Promise<void> {
    this.abandon();
    await this.#running;
  }

  /** Stops at once and stores nothing more. */
  abandon(): void {
    this.#closed.abort();
    this.#cancelRetry?.();
    this.#current?.controller.abort();
  }

  async #run(): Promise<void> {
    // Lets everything that is added in the same tick appear in one view.
    await Promise.resolve();
    if (this.#postponedBy !== null) this.#options.store.assertWritableSpace();
    this.#postponedBy = null;
    for (;;) {
      if (this.#closed.signal.aborted) return;
      const [request] = this.#options.store.speakerRequests.pending(this.#awaited.keys(), 1);
      if (request === undefined) return;
      await this.#process(request);
    }
  }

  async #process(request: SpeakerRequest): Promise<void> {
    const { logger, createDiarizer, onView, onEnd } = this.#options;
    const { transcriptId, itemId, name, speakerCount } = request;
    const controller = new AbortController();
    const current = { request, controller, secondsDone: 0 };
    this.#current = current;
    onView();
    const reportEnd = (result: SpeakersOutcome['result']): void =>
      onEnd({ transcriptId, itemId, name, result });
    try {
      const diarize = this.#diarizeOnce(transcriptId, createDiarizer());
      const report = await this.#identify(transcriptId, speakerCount, diarize, {
        signal: controller.signal,
        onProgress: ({ done }) => {
          current.secondsDone = done;
          onView();
        },
      });
      this.#release((requests) => requests.remove(transcriptId));
      this.#unstored = null;
      this.#faults.delete(transcriptId);
      reportEnd(report);
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      // The request stays: the next start tries again.
      if (isStorageError(error) || this.#countFault(transcriptId, error)) throw error;
      this.#unstored = null;
      this.#faults.delete(transcriptId);
      // It was removed when it was cancelled.
      if (error instanceof CancelledError) return reportEnd(null);
      const problem = error instanceof ProblemError ? error.problem : storageProblem(error);
      logger.warn('speakers could not be identified', { code: problem.code });
      this.#release((requests) =>
        problem.code === 'transcript_gone'
          ? requests.remove(transcriptId)
          : requests.markFailed(transcriptId, problem),
      );
      reportEnd(problem);
    } finally {
      this.#current = null;
    }
  }

  /** Counts a fault of the computer; returns whether to try again: not after too many, nor after any other error. */
  #countFault(id: TranscriptId, error: unknown): boolean {
    if (!(error instanceof ProblemError) || error.problem.code !== 'computer_fault') return false;
    const count = (this.#faults.get(id) ?? 0) + 1;
    this.#faults.set(id, count);
    return count < maxFaults;
  }

  /** Keeps the turns until they are stored: after a storage error, only the storing is repeated. */
  #diarizeOnce(transcriptId: TranscriptId, diarize: Diarize): Diarize {
    return async (turnRequest) => {
      const { recording, speakerCount } = turnRequest;
      const request = { transcriptId, recording, speakerCount };
      if (this.#unstored === null || !isDeepStrictEqual(this.#unstored.request, request)) {
        this.#unstored = null;
        this.#unstored = { request, turns: await diarize(turnRequest) };
      }
      return this.#unstored.turns;
    };
  }

  async #identify(
    id: TranscriptId,
    speakerCount: number | null,
    diarize: Diarize,
    options: TaskOptions,
  ): Promise<SpeakersReport> {
    const { edits, transcripts } = this.#options.store;
    const report = await identifySpeakersIn(id, speakerCount, { edits, transcripts, diarize }, options);
    if (report.changed) this.#options.onChanged(id);
    return report;
  }
}
