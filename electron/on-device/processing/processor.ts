import type { Accuracy } from '../../contract/choices.ts';
import { roundToMilliseconds } from '../../contract/milliseconds.ts';
import { signatureBytes } from '../../core/media/media-signature.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import { joinTexts } from '../../core/transcript/plain-text.ts';
import { withText, withTimes } from '../../core/transcript/segment.ts';
import { billedMinutes, shownBalance, type Balance } from '../billing.ts';
import { DecodeError, type Decoder, DecoderUnavailableError, measureDuration } from '../decode/decoder.ts';
import { EngineStoppedError, type SpeechEngine, type SpeechResult } from '../engine/speech-engine.ts';
import { frameSeconds } from '../engine/voice/frame.ts';
import type { Account } from '../jobs/account.ts';
import type { DownloadStore } from '../jobs/download-store.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { Job, JobError, JobTranscript } from '../jobs/job.ts';
import type { WorkLog } from '../jobs/work-log.ts';
import { assertSignature } from '../media/file-kind.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { PartWriter } from '../media/part-writer.ts';
import { ModelError } from '../models/model-catalog.ts';
import type { DownloadTarget } from '../remote/download-progress.ts';
import type { RemoteFetch } from '../remote/remote-fetch.ts';
import { isDiskFull, ServiceError } from '../service-error.ts';
import type { Availability } from './availability.ts';
import { Lane } from './lane.ts';
import { SpeedMeter } from './speech-speed.ts';

/** What the work is done with. */
export interface ProcessorParts {
  readonly store: JobStore;
  readonly account: Account;
  readonly downloads: DownloadStore;
  readonly workLog: WorkLog;
  readonly files: MediaFiles;
  readonly partWriter: PartWriter;
  readonly remoteFetch: RemoteFetch;
  readonly decoder: Decoder;
  readonly engine: SpeechEngine;
  readonly availability: Availability;
  /** Told of each model's speed, in seconds of sound a second. */
  readonly onSpeed: (accuracy: Accuracy, timesRealTime: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The longest recording that is taken. */
  readonly maxSeconds: number;
  /** Whether a completed job's media stays (API part 1.7). */
  readonly keepsMedia: (job: Job) => boolean;
}

/**
 * Takes jobs from their media to their text, behind three doors: links are fetched, a few at once; media is inspected
 * and charged, one job at a time; speech becomes text, one job at a time. So what cannot be transcribed is found out at
 * once, while other jobs wait for their turn.
 */
export class Processor {
  readonly #parts: ProcessorParts;
  readonly #lanes: readonly Lane[];
  readonly #cleaning = new Set<Promise<void>>();
  /** Percents of the jobs that are being transcribed. They begin anew with a restart, so they are kept here alone. */
  readonly #percents = new Map<string, number>();

  constructor(parts: ProcessorParts) {
    const { store, clock, logger } = parts;
    this.#parts = parts;
    const lane = (
      name: string,
      width: number,
      waiting: () => readonly Job[],
      work: (job: Job, signal: AbortSignal) => Promise<void>,
    ): Lane => {
      const run = (job: Job, signal: AbortSignal): Promise<void> =>
        this.#guard(job, signal, () => work(job, signal));
      return new Lane({ name, width, waiting, run }, clock, logger);
    };
    this.#lanes = [
      lane(
        'fetching',
        3,
        () => store.listInOrder(['accepted', 'uploading'], 'link'),
        (job, signal) => this.#fetch(job, signal),
      ),
      lane(
        'inspecting',
        1,
        () => this.#mayBegin(store.listInOrder(['inspecting', 'preprocessing'])),
        (job, signal) => this.#handling(job, () => this.#inspect(job, signal)),
      ),
      lane(
        'speech',
        1,
        () => this.#mayBegin(store.listInOrder(['queued', 'processing', 'merging'])),
        (job, signal) => this.#handling(job, () => this.#transcribe(job, signal)),
      ),
    ];
  }

  /** Looks for work: call it whenever there may be some. */
  wake(): void {
    for (const lane of this.#lanes) lane.wake();
  }

  /** How far a job is, 0 to 100: the share of its sound that has become text. */
  progressOf(job: Job): number {
    return job.status === 'completed' ? 100 : (this.#percents.get(job.id) ?? 0);
  }

  /** The job has ended from outside: all work on it stops, and then its media goes. */
  discard(jobId: string): void {
    const cleaning = this.#clean(jobId).finally(() => this.#cleaning.delete(cleaning));
    this.#cleaning.add(cleaning);
  }

  /** Ends all work. Jobs stay in the state that they have, and go on from there at the next start. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
    await Promise.all(this.#cleaning);
  }

  async #clean(jobId: string): Promise<void> {
    await Promise.all([
      this.#parts.partWriter.cancel(jobId),
      ...this.#lanes.map((lane) => lane.cancel(jobId)),
    ]);
    await this.#removeUnwanted(jobId);
  }

  /** Removes the media of a job unless it is kept after its end. */
  async #removeUnwanted(jobId: string): Promise<void> {
    try {
      const job = this.#parts.store.get(jobId);
      if (job !== null && this.#parts.keepsMedia(job)) return;
      await this.#parts.files.remove(jobId);
    } catch (error) {
      // Somebody has it open; the sweep of the retention will find it.
      this.#parts.logger.warn('The media of a job could not be removed.', { jobId, error });
    }
  }

  /** Turns what goes wrong with a job into its failure. What was cancelled is left to whoever cancelled it. */
  async #guard(job: Job, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      // Not the recording's fault: the lane tries it again after a rest.
      if (error instanceof DecoderUnavailableError) throw error;
      const reason = toJobError(error);
      this.#parts.logger.warn('A job failed.', { jobId: job.id, code: reason.code, error });
      this.#parts.store.fail(job.id, reason);
      // It may have been done already, and the trouble have come after that.
      await this.#removeUnwanted(job.id);
    } finally {
      this.#percents.delete(job.id);
    }
    this.wake();
  }

  /**
   * Of the jobs that wait, those that may begin now. One that has seen the service break down is worked on while nothing
   * else is: should it break down again, it is known whose recording it was.
   */
  #mayBegin(waiting: readonly Job[]): readonly Job[] {
    const underWay = this.#parts.workLog.inProgress();
    if (underWay.some(isSuspect)) return [];
    return underWay.length === 0 ? waiting : waiting.filter((job) => !isSuspect(job));
  }

  /** Works with a job's recording, and notes that it does: whatever breaks down meanwhile may be due to it. */
  async #handling({ id }: Job, work: () => Promise<void>): Promise<void> {
    const { workLog } = this.#parts;
    workLog.start(id);
    try {
      await work();
    } finally {
      workLog.finish(id);
    }
  }

  async #fetch(job: Job, signal: AbortSignal): Promise<void> {
    const { store, downloads, files, remoteFetch } = this.#parts;
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
    const head = await files.head(id, signatureBytes);
    if (head === null || head.sizeBytes === 0) {
      throw new ServiceError('unsupported_file', 'The address leads to an empty file.');
    }
    assertSignature(head.bytes, job.fileName);
    store.markMediaReady(id);
  }

  async #inspect(job: Job, signal: AbortSignal): Promise<void> {
    const { store, account, decoder, files, maxSeconds } = this.#parts;
    const recording = await decoder.open(files.pathOf(job.id), signal);
    try {
      store.advance(job.id, 'inspecting', 'preprocessing');
      const durationSeconds = await measureDuration(recording, maxSeconds, signal);
      signal.throwIfAborted();
      const charging = store.chargeAndQueue(job.id, durationSeconds, recording.hasVideo ? 'video' : 'audio');
      if (charging === 'insufficient') throw tooFewCredits(durationSeconds, account.balance());
    } finally {
      await recording.close();
    }
  }

  async #transcribe(queued: Job, signal: AbortSignal): Promise<void> {
    const { store, decoder, engine, files, availability } = this.#parts;
    const { id, options } = queued;
    store.advance(id, 'queued', 'processing');
    const recording = await decoder.open(files.pathOf(id), signal);
    const speed = new SpeedMeter(this.#parts.clock);
    let result: SpeechResult;
    try {
      result = await engine.transcribe({
        samples: recording.samples(),
        options,
        signal,
        onProgress: (secondsDone) => {
          speed.record(secondsDone);
          this.#note(queued, secondsDone);
        },
      });
      availability.recordEngineSuccess();
    } catch (error) {
      if (error instanceof EngineStoppedError) availability.recordEngineStop();
      throw error;
    } finally {
      await recording.close();
    }
    signal.throwIfAborted();
    const timesRealTime = speed.timesRealTime();
    // A translation may have been the work of another model than the accuracy's own.
    if (timesRealTime !== null && !options.translateToEnglish) {
      this.#parts.onSpeed(options.accuracy, timesRealTime);
    }
    store.advance(id, 'processing', 'merging');
    store.complete(id, toTranscript(result, queued.durationSeconds));
    await this.#removeUnwanted(id);
  }

  /** Whole percents; the last one is kept for the result. */
  #note({ id, durationSeconds }: Job, secondsDone: number): void {
    const percent = Math.floor((100 * secondsDone) / (durationSeconds ?? Infinity));
    this.#percents.set(id, Math.min(99, percent));
  }
}

const isSuspect = ({ crashes }: Job): boolean => crashes > 0;

function tooFewCredits(durationSeconds: number, balance: Balance): ServiceError {
  const needed = billedMinutes(durationSeconds);
  return new ServiceError(
    'insufficient_credits',
    `The recording needs ${needed} credits; the account has ${shownBalance(balance)}.`,
  );
}

function toTranscript({ language, segments }: SpeechResult, durationSeconds: number | null): JobTranscript {
  // The engine hears whole frames: a voice in the last one may seem to go on after the recording.
  const endOf = (seconds: number): number =>
    durationSeconds !== null && seconds < durationSeconds + frameSeconds
      ? Math.min(seconds, durationSeconds)
      : seconds;
  return {
    language,
    text: joinTexts(segments.map(({ text }) => text.trim())),
    segments: segments.map((segment) =>
      withTimes(
        withText(segment, segment.text.trim()),
        roundToMilliseconds(segment.start),
        roundToMilliseconds(endOf(segment.end)),
      ),
    ),
  };
}

/** Why a job failed, in words for a person and with a code of API part 7. */
function toJobError(error: unknown): JobError {
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  if (error instanceof DecodeError) return { code: 'unsupported_file', message: error.message };
  if (error instanceof ModelError || error instanceof EngineStoppedError)
    return { code: 'provider_unavailable', message: error.message };
  if (isDiskFull(error)) {
    return { code: 'request_failed', message: 'The disk of the service is full. Make room and try again.' };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'request_failed', message: `The recording could not be transcribed: ${reason}` };
}
