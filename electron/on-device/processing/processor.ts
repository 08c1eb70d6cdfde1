import { isFinalStatus, type KnownJobStatus } from '../../contract/job-status.ts';
import { creditsFor } from '../../contract/pricing.ts';
import type { JobSchedule } from '../../contract/service.ts';
import { errorMessage, isDiskFull, isTooLargeForDisk } from '../../contract/errors.ts';
import { computerFault, type Problem } from '../../contract/problem.ts';
import { roundToMilliseconds } from '../../contract/milliseconds.ts';
import type { Segment } from '../../contract/segment-schema.ts';
import { signatureBytes } from '../../core/media/media-signature.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import { joinTexts } from '../../core/transcript/plain-text.ts';
import { withText, moveEdges } from '../../core/transcript/segment.ts';
import { reportedBalance, type Balance } from '../billing.ts';
import {
  DecodeError,
  type Decoder,
  DecoderCrashedError,
  DecoderUnavailableError,
  measureDuration,
} from '../decode/decoder.ts';
import { EngineStoppedError, type SpeechEngine, type SpeechResult } from '../engine/speech-engine.ts';
import { frameSeconds } from '../engine/voice/frame.ts';
import type { CreditAccount } from '../jobs/account.ts';
import type { DownloadStore } from '../jobs/download-store.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { ServiceJob, ServiceJobError, ServiceJobTranscript } from '../jobs/job.ts';
import type { PartialTranscripts } from '../jobs/partial-transcripts.ts';
import type { WorkLog } from '../jobs/work-log.ts';
import { assertSignature } from '../media/file-kind.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { PartWriter } from '../media/part-writer.ts';
import { ModelError } from '../models/model-catalog.ts';
import type { DownloadTarget } from '../remote/download-progress.ts';
import type { RemoteFetch } from '../remote/remote-fetch.ts';
import { ServiceError } from '../service-error.ts';
import type { Availability } from './availability.ts';
import { Lane } from './lane.ts';
import { LaneFaults } from './lane-faults.ts';
import { type MeasuredSpeed, ModelSpeeds, RecordingSpeedMeter } from './speech-speed.ts';

export interface ProcessorDependencies {
  readonly store: JobStore;
  readonly account: CreditAccount;
  readonly downloads: DownloadStore;
  readonly partialTranscripts: PartialTranscripts;
  readonly workLog: WorkLog;
  readonly files: MediaFiles;
  readonly partWriter: PartWriter;
  readonly remoteFetch: RemoteFetch;
  readonly decoder: Decoder;
  readonly engine: SpeechEngine;
  readonly availability: Availability;
  readonly onSpeed: (speed: MeasuredSpeed) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Maximum duration of a recording. */
  readonly maxSeconds: number;
  /** Whether a job's media must be kept (API part 1.7). */
  readonly keepsMedia: (job: ServiceJob) => boolean;
}

/** After the decoder has been unavailable this many times in a row, the cause is reported. */
const maxDecoderRefusals = 3;

/** The statuses of the jobs of each lane. */
const fetchingStatuses = ['accepted', 'uploading'] as const;
const inspectingStatuses = ['inspecting', 'preprocessing'] as const;
const speechStatuses = ['queued', 'processing', 'merging'] as const;

/**
 * Processes jobs in three lanes: links are downloaded, a few at once; media is inspected and charged, one job at a time;
 * speech is transcribed, one job at a time. So a recording that cannot be transcribed fails early, while others wait.
 */
export class Processor {
  readonly #dependencies: ProcessorDependencies;
  readonly #speeds = new ModelSpeeds();
  readonly #inspecting: Lane;
  readonly #speech: Lane;
  readonly #lanes: readonly Lane[];
  /** The faults of each lane, and the jobs that it may start unless they pause it. */
  readonly #laneFaults: { readonly faults: LaneFaults; readonly jobs: () => readonly ServiceJob[] }[] = [];
  /** How many times in a row the decoder was unavailable. Jobs that wait for it are retried without limit. */
  #decoderRefusals = 0;
  /** The latest fault of the computer. */
  #lastFault: Problem | null = null;
  /** The removals in progress of the media of ended jobs. */
  readonly #removals = new Set<Promise<void>>();
  /** Percentages of the jobs that are being transcribed or are paused. Only in memory, since a restart resets them. */
  readonly #percents = new Map<string, number>();
  /** The jobs during which the decoder crashed and that have not succeeded since. */
  readonly #decoderSuspects = new Set<string>();

  #schedule: JobSchedule = { paused: 'all', order: [] };

  /** Starts no work before the first {@link setJobSchedule}. */
  constructor(dependencies: ProcessorDependencies) {
    const { store, availability, clock, logger } = dependencies;
    this.#dependencies = dependencies;
    const lane = (
      name: string,
      concurrency: number,
      faults: LaneFaults,
      jobs: () => readonly ServiceJob[],
      work: (job: ServiceJob, signal: AbortSignal) => Promise<void>,
    ): Lane => {
      this.#laneFaults.push({ faults, jobs });
      const run = (job: ServiceJob, signal: AbortSignal): Promise<void> =>
        this.#guard(job, signal, faults, () => work(job, signal));
      const waiting = (): readonly ServiceJob[] => {
        const pauseLeftMs = faults.pauseLeftMs();
        if (pauseLeftMs > 0) created.wakeAfter(pauseLeftMs);
        return faults.startable(jobs());
      };
      // The end of a job, however it ended, may let other lanes start theirs.
      const onEnd = (): void => {
        this.wake();
        this.#reportFault();
      };
      const created = new Lane({ name, concurrency, waiting, run, onEnd }, clock, logger);
      return created;
    };
    const fetching = lane(
      'fetching',
      3,
      new LaneFaults(clock),
      () => this.#scheduled(store.listInOrder(fetchingStatuses, 'link')),
      (job, signal) => this.#download(job, signal),
    );
    this.#inspecting = lane(
      'inspecting',
      1,
      new LaneFaults(clock),
      () => this.#startable(inspectingStatuses),
      (job, signal) => this.#withWorkLogged(job, () => this.#inspect(job, signal)),
    );
    this.#speech = lane(
      'speech',
      1,
      availability.engineFaults,
      () => this.#startable(speechStatuses),
      (job, signal) => this.#withWorkLogged(job, () => this.#transcribe(job, signal)),
    );
    this.#lanes = [fetching, this.#inspecting, this.#speech];
  }

  /** Starts waiting jobs; call this whenever there may be some. */
  wake(): void {
    for (const lane of this.#lanes) lane.wake();
  }

  /**
   * Stops the work on paused jobs, which keep their partial transcripts, and starts the others in order. A running job
   * continues even if others now come before it.
   */
  setJobSchedule(schedule: JobSchedule): void {
    this.#schedule = schedule;
    for (const lane of this.#lanes) lane.cancelWhere((id) => this.#isPaused(id));
    this.wake();
    this.#reportFault();
  }

  /**
   * Works on no recording while `work` runs a model, so that none is suspected when the model crashes the service. A
   * transcription in progress is finished first; inspections continue until then.
   */
  runWithoutRecordings<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#speech.runWhileIdle(() => this.#inspecting.runWhileIdle(work));
  }

  #isPaused(jobId: string): boolean {
    const { paused } = this.#schedule;
    return paused === 'all' || paused.includes(jobId);
  }

  /** Returns the progress of a job, from 0 to 100 percent of its audio. */
  progressOf(job: ServiceJob): number {
    return job.status === 'completed' ? 100 : (this.#percents.get(job.id) ?? 0);
  }

  /** Stops all work on a job that was ended by a request, and then removes its media. */
  discard(jobId: string): void {
    const removal = this.#cancelAndRemove(jobId).finally(() => {
      this.#removals.delete(removal);
      this.#reportFault();
    });
    this.#removals.add(removal);
  }

  /** Reports the fault for which all jobs wait: a lane is paused or has no decoder, and none works. */
  #reportFault(): void {
    const { availability, logger } = this.#dependencies;
    if (this.#lanes.some(({ isBusy }) => isBusy)) return;
    try {
      const hasNoDecoder = this.#decoderRefusals >= maxDecoderRefusals;
      const isWaiting = this.#laneFaults.some(
        ({ faults, jobs }) => (hasNoDecoder || faults.pauseLeftMs() > 0) && jobs().length > 0,
      );
      availability.reportFault(isWaiting ? this.#lastFault : null);
    } catch (error) {
      logger.error('The jobs that wait for the end of a fault cannot be read.', { error });
    }
  }

  /** Stops all work. Jobs keep their state and resume at the next start. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
    await Promise.all(this.#removals);
  }

  async #cancelAndRemove(jobId: string): Promise<void> {
    await Promise.all([
      this.#dependencies.partWriter.cancel(jobId),
      ...this.#lanes.map((lane) => lane.cancel(jobId)),
    ]);
    this.#percents.delete(jobId);
    await this.#removeMediaUnlessKept(jobId);
  }

  /** Removes the media of a job unless it is kept after its end. */
  async #removeMediaUnlessKept(jobId: string): Promise<void> {
    try {
      const job = this.#dependencies.store.get(jobId);
      if (job !== null && this.#dependencies.keepsMedia(job)) return;
      await this.#dependencies.files.remove(jobId);
    } catch (error) {
      // The file is in use; the next retention sweep removes it.
      this.#dependencies.logger.warn('The media of a job could not be removed.', { jobId, error });
    }
  }

  /**
   * Fails the job when its work throws because of the recording; rejects on an error that may be temporary, so that the
   * lane retries the job, which keeps its partial transcript. A cancelled job is left to the caller that cancelled it.
   */
  async #guard(
    job: ServiceJob,
    signal: AbortSignal,
    faults: LaneFaults,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
      faults.recordSuccess();
      this.#decoderRefusals = 0;
      this.#dependencies.availability.reportFault(null);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof DecoderCrashedError) this.#decoderSuspects.add(job.id);
      // Not the recording's fault: the lane retries later.
      if (error instanceof DecoderUnavailableError) {
        this.#decoderRefusals += 1;
        this.#lastFault = computerFault(error.cause ?? error);
        throw error;
      }
      const isDownload = job.status === 'accepted' || job.status === 'uploading';
      if (mayFitLater(error) && !isDownload) {
        this.#dependencies.availability.reportDiskFull(0);
        throw error;
      }
      // A retry of a download that filled the disk would fill it again. Its file is removed first, because the failure
      // can only be stored once there is space.
      if (isDownload && mayFitLater(error))
        await this.#dependencies.files.remove(job.id).catch(() => undefined);
      else if (!isAboutRecording(error)) {
        this.#lastFault = toFault(error);
        if (!faults.record(job.id)) throw error;
      }
      const reason = toJobError(error);
      this.#dependencies.logger.warn('A job failed.', { jobId: job.id, code: reason.code, error });
      this.#dependencies.store.fail(job.id, reason);
      // The job may have been completed before the error occurred.
      await this.#removeMediaUnlessKept(job.id);
    }
    faults.forget(job.id);
    this.#decoderSuspects.delete(job.id);
    this.#percents.delete(job.id);
  }

  /** Returns the jobs that are not paused, next first. */
  #scheduled(jobs: readonly ServiceJob[]): readonly ServiceJob[] {
    return inScheduledOrder(
      jobs.filter(({ id }) => !this.#isPaused(id)),
      this.#schedule.order,
    );
  }

  /**
   * Returns the jobs with some statuses that may start now, next first. A job during which the service, the whole
   * program or the decoder ended unexpectedly runs alone, so that the cause of another such end is known. Once it is
   * first, nothing else starts, so that no other job overtakes it. A recording during which the decoder crashed comes
   * before all others: the decoder refuses it while any other one is open.
   */
  #startable(statuses: readonly KnownJobStatus[]): readonly ServiceJob[] {
    const { store, workLog } = this.#dependencies;
    const inProgress = workLog.inProgress();
    if (inProgress.some(({ isSuspect }) => isSuspect)) return [];
    const all = this.#scheduled(store.listInOrder([...inspectingStatuses, ...speechStatuses]));
    const waiting = all.filter(({ status }) => statuses.includes(status));
    const isAlone = inProgress.length === 0;
    const decoderSuspect = this.#waitingDecoderSuspect(inProgress);
    if (decoderSuspect !== undefined) return isAlone ? waiting.filter(({ id }) => id === decoderSuspect) : [];
    // A transcription may take hours, during which the inspections continue.
    if (inProgress.some(({ status }) => status === 'processing' || status === 'merging'))
      return waiting.filter(({ isSuspect }) => !isSuspect);
    const [first] = all;
    if (first?.isSuspect === true) return isAlone ? waiting.filter(({ id }) => id === first.id) : [];
    const suspect = waiting.findIndex(({ isSuspect }) => isSuspect);
    return isAlone || suspect === -1 ? waiting : waiting.slice(0, suspect);
  }

  #waitingDecoderSuspect(inProgress: readonly ServiceJob[]): string | undefined {
    return [...this.#decoderSuspects].find((suspect) => {
      const job = this.#dependencies.store.get(suspect);
      const isActive = job !== null && !isFinalStatus(job.status);
      return isActive && !this.#isPaused(suspect) && !inProgress.some(({ id }) => id === suspect);
    });
  }

  /** Runs work on a job's recording and logs that it runs, since it may cause a crash. */
  async #withWorkLogged({ id }: ServiceJob, work: () => Promise<void>): Promise<void> {
    const { workLog } = this.#dependencies;
    workLog.start(id);
    try {
      await work();
    } finally {
      workLog.finish(id);
    }
  }

  async #download(job: ServiceJob, signal: AbortSignal): Promise<void> {
    const { store, downloads, files, remoteFetch } = this.#dependencies;
    const { id, source } = job;
    if (source.kind !== 'link') return;
    store.advance(id, 'accepted', 'uploading');
    const file = await files.openForWriting(id);
    try {
      const target: DownloadTarget = {
        file,
        stored: downloads.get(id),
        record: (stored) => downloads.record(id, stored),
        forget: () => downloads.clear(id),
      };
      const time = {
        ms: downloads.timeSpent(id),
        record: (ms: number) => downloads.recordTimeSpent(id, ms),
      };
      await remoteFetch.download(new URL(source.url), target, time, signal);
    } finally {
      await file.close();
    }
    const head = await files.readHead(id, signatureBytes);
    if (head === null || head.sizeBytes === 0) {
      throw new ServiceError('unsupported_file', 'The address leads to an empty file.');
    }
    assertSignature(head.bytes, job.fileName);
    store.markMediaReady(id);
  }

  async #inspect(job: ServiceJob, signal: AbortSignal): Promise<void> {
    const { store, account, decoder, files, maxSeconds } = this.#dependencies;
    const recording = await decoder.open(files.pathOf(job.id), signal);
    try {
      store.advance(job.id, 'inspecting', 'preprocessing');
      const durationSeconds = await measureDuration(recording, maxSeconds, signal);
      signal.throwIfAborted();
      const chargeResult = store.chargeAndQueue(
        job.id,
        durationSeconds,
        recording.hasVideo ? 'video' : 'audio',
      );
      if (chargeResult === 'insufficient') throw tooFewCreditsError(durationSeconds, account.balance());
    } finally {
      await recording.close();
    }
  }

  async #transcribe(job: ServiceJob, signal: AbortSignal): Promise<void> {
    const { store, partialTranscripts, decoder, engine, files } = this.#dependencies;
    const { id, options } = job;
    store.advance(id, 'queued', 'processing');
    const resumed = partialTranscripts.resume(id);
    const earlierSegments = resumed?.segments ?? [];
    const recording = await decoder.open(files.pathOf(id), signal);
    const speed = new RecordingSpeedMeter(this.#dependencies.clock);
    let result: SpeechResult;
    try {
      result = await engine.transcribe({
        samples: recording.samples(),
        options,
        checkpoint: resumed?.checkpoint ?? null,
        signal,
        onWindow: ({ keptSegments, added, language, checkpoint }) => {
          partialTranscripts.record(id, {
            keptSegments: earlierSegments.length + keptSegments,
            added: added.map((segment) => toJobSegment(segment, job.durationSeconds)),
            language,
            checkpoint,
          });
          // It is no longer suspected, so others may be inspected.
          if (checkpoint !== null && job.isSuspect) this.wake();
        },
        onProgress: (secondsDone) => {
          this.#dependencies.availability.reportFault(null);
          speed.record(secondsDone);
          this.#recordProgress(job, secondsDone);
        },
      });
    } finally {
      await recording.close();
    }
    signal.throwIfAborted();
    const { speedKey } = result;
    // A translation has another speed.
    if (speedKey !== null && !options.translateToEnglish) {
      const timesRealTime = this.#speeds.add(speedKey, speed.measurement());
      if (timesRealTime !== null) this.#dependencies.onSpeed({ speedKey, timesRealTime });
    }
    store.advance(id, 'processing', 'merging');
    const segments = result.segments.map((segment) => toJobSegment(segment, job.durationSeconds));
    const transcript = toTranscript(result.language, [...earlierSegments, ...segments]);
    store.complete(id, transcript, recording.damage());
    await this.#removeMediaUnlessKept(id);
  }

  /** Records whole percentages; 100 is reserved for the result. */
  #recordProgress({ id, durationSeconds }: ServiceJob, secondsDone: number): void {
    this.#percents.set(id, Math.min(99, Math.floor((100 * secondsDone) / (durationSeconds ?? Infinity))));
  }
}

/**
 * Puts the jobs that `order` names into that order, in the positions that they occupy together. The others stay where
 * they are, so that none waits forever.
 */
function inScheduledOrder(jobs: readonly ServiceJob[], order: readonly string[]): readonly ServiceJob[] {
  const ranks = new Map(order.map((id, rank) => [id, rank]));
  const rankOf = ({ id }: ServiceJob): number => ranks.get(id) ?? Infinity;
  const ranked = jobs.filter(({ id }) => ranks.has(id)).sort((a, b) => rankOf(a) - rankOf(b));
  let next = 0;
  return jobs.map((job) => (ranks.has(job.id) ? (ranked[next++] ?? job) : job));
}

function tooFewCreditsError(durationSeconds: number, balance: Balance): ServiceError {
  return new ServiceError(
    'insufficient_credits',
    `The recording needs ${creditsFor(durationSeconds)} credits; the account has ${reportedBalance(balance)}.`,
  );
}

function toJobSegment(segment: Segment, durationSeconds: number | null): Segment {
  // The engine works in whole frames: voice in the last one may seem to end after the recording.
  const end =
    durationSeconds !== null && segment.end < durationSeconds + frameSeconds
      ? Math.min(segment.end, durationSeconds)
      : segment.end;
  return moveEdges(
    withText(segment, segment.text.trim()),
    roundToMilliseconds(segment.start),
    roundToMilliseconds(end),
  );
}

const toTranscript = (language: string | null, segments: readonly Segment[]): ServiceJobTranscript => ({
  language,
  text: joinTexts(segments.map(({ text }) => text)),
  segments,
});

/** Whether the disk is full, which may change. A file too large for its file system stays too large. */
const mayFitLater = (error: unknown): boolean => isDiskFull(error) && !isTooLargeForDisk(error);

/** Whether an error is about the recording itself, so that another attempt would end in the same way. */
const isAboutRecording = (error: unknown): boolean =>
  error instanceof ServiceError || error instanceof DecodeError || isTooLargeForDisk(error);

/** Converts a fault of the computer to the problem that is reported while jobs wait for its end. */
const toFault = (error: unknown): Problem =>
  error instanceof ModelError
    ? { code: 'provider_unavailable', detail: error.message }
    : computerFault(error);

/** Converts an error to the reason of a failed job, with a code of API part 7. */
function toJobError(error: unknown): ServiceJobError {
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  if (error instanceof DecodeError) return { code: 'unsupported_file', message: error.message };
  if (error instanceof ModelError || error instanceof EngineStoppedError)
    return { code: 'provider_unavailable', message: error.message };
  const reason = errorMessage(error);
  return { code: 'request_failed', message: `The recording could not be transcribed: ${reason}` };
}
