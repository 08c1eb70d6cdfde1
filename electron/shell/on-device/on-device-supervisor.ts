import type { Accuracy, ModelId } from '../../contract/choices.ts';
import type { Problem } from '../../contract/problem.ts';
import { emptySchedule, type JobSchedule } from '../../contract/service.ts';
import type { ModelCheck } from '../../contract/speech-models.ts';
import type { Clock } from '../../core/ports.ts';
import type { Interruption } from '../../on-device/jobs/work-log.ts';
import type { MeasuredSpeed } from '../../on-device/processing/speech-speed.ts';
import { startOnDeviceChild, type OnDeviceChild, type OnDeviceChildOptions } from './on-device-child.ts';

const minRestartDelayMs = 1_000;
const maxRestartDelayMs = 60_000;
/** The queue checks for free space again after the same delay. */
const fullDiskRestartDelayMs = 5_000;
/** A run that lasted this long was stable: its end does not predict the end of the next one. */
const stableRunMs = 60_000;
/** Consecutive exits before the user is informed; restarts continue. */
const exitsBeforeReport = 3;

export interface OnDeviceSupervisorOptions extends Omit<
  OnDeviceChildOptions,
  'service' | 'onDiskFull' | 'jobSchedule'
> {
  readonly service: Omit<OnDeviceChildOptions['service'], 'interruption'>;
  readonly clock: Clock;
  readonly onListening: (baseUrl: string, key: string) => void;
  /** Called when the service is unavailable; with a problem if it keeps exiting or the disk is full. */
  readonly onUnavailable: (problem: Problem | null) => void;
}

/** Keeps the on-device service running: a crash there affects neither the window nor the queue. */
export class OnDeviceSupervisor {
  readonly #options: OnDeviceSupervisorOptions;
  #child: OnDeviceChild | null = null;
  #exits = 0;
  #listeningSince: number | null = null;
  #cancelRestart: (() => void) | null = null;
  #isStopping = false;
  #jobSchedule = emptySchedule;
  /**
   * What interrupted the work that the next start will find; for the first start, the end of the previous run of the
   * program.
   */
  #interruption: Interruption = 'program-end';

  constructor(options: OnDeviceSupervisorOptions) {
    this.#options = options;
  }

  start(): void {
    const child = startOnDeviceChild({
      ...this.#options,
      service: { ...this.#options.service, interruption: this.#interruption },
      jobSchedule: this.#jobSchedule,
      onDiskFull: (isFull) => {
        if (isFull) this.#options.onUnavailable({ code: 'disk_full' });
        else void this.#reportListening(child);
      },
    });
    this.#child = child;
    void this.#reportListening(child);
    void child.ended.then((reason) => this.#onExit(reason));
  }

  /** Measures the speed of the model for an accuracy. Rejects with the reason if that fails. */
  async measure(accuracy: Accuracy, audioFile: string): Promise<MeasuredSpeed> {
    const child = this.#child;
    if (child === null) throw new Error('the on-device service is not running');
    await child.listening;
    return child.measure(accuracy, audioFile);
  }

  /** Lets a model transcribe a recording whose text is known. */
  async check(model: ModelId, audioFile: string): Promise<ModelCheck> {
    const child = this.#child;
    if (child === null) throw new Error('the on-device service is not running');
    await child.listening;
    return child.check(model, audioFile);
  }

  /** Sets which jobs the service works on and in which order, even when it is started again. */
  setJobSchedule(schedule: JobSchedule): void {
    this.#jobSchedule = schedule;
    this.#child?.setJobSchedule(schedule);
  }

  /** Stops the service and waits for its exit. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#cancelRestart?.();
    await this.#child?.stop();
  }

  async #reportListening(child: OnDeviceChild): Promise<void> {
    const { logger, onListening } = this.#options;
    try {
      const { baseUrl, key } = await child.listening;
      this.#listeningSince = this.#options.clock.now();
      onListening(baseUrl, key);
    } catch (error) {
      logger.warn('the on-device service did not start', { error: String(error) });
    }
  }

  #onExit(reason: Problem): void {
    const { clock, logger, onUnavailable } = this.#options;
    this.#child = null;
    if (this.#isStopping) return;
    const wasStable = this.#listeningSince !== null && clock.now() - this.#listeningSince >= stableRunMs;
    // A run that never listened worked on nothing: the next one finds what this one found.
    if (this.#listeningSince !== null) this.#interruption = 'crash';
    this.#listeningSince = null;
    const isDiskFull = reason.code === 'disk_full';
    // A full disk says nothing about the next run.
    if (isDiskFull) this.#exits = 0;
    else this.#exits = wasStable ? 1 : this.#exits + 1;
    logger.error('the on-device service ended', { reason: reason.detail, exits: this.#exits });
    onUnavailable(isDiskFull || this.#exits >= exitsBeforeReport ? reason : null);
    const restartDelayMs = isDiskFull
      ? fullDiskRestartDelayMs
      : Math.min(maxRestartDelayMs, minRestartDelayMs * 2 ** (this.#exits - 1));
    this.#cancelRestart = clock.schedule(restartDelayMs, () => this.start());
  }
}
