import type { SpeechOptions } from '../../contract/options.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Clock } from '../../core/ports.ts';
import { ServiceError } from '../service-error.ts';
import { LaneFaults } from './lane-faults.ts';

/** What the service needs from its computer. */
export interface HostEnvironment {
  /** Returns why there is no speech model for such a job, as a message for the user; `null` when there is one. */
  missingModel(options: SpeechOptions): Promise<string | null>;
  /** Returns the free bytes on the disk of the data folder. */
  freeBytes(): Promise<number>;
  /** Whether work is in progress, which will free the space of its recording. */
  isBusy(): boolean;
  /** Called when only the user can make space, and when there is space again. */
  onDiskFull(isFull: boolean): void;
  /** Called at each fault of the computer that stops all work, and with `null` when work continues. */
  onFault(problem: Problem | null): void;
}

/** Bytes that must stay free for the database and other programs. */
const spareBytes = 64 * 1024 ** 2;

/** How often a full disk is checked, in milliseconds. */
const diskCheckMs = 5_000;

/** Decides whether the service can accept work now; if not, responds with 503 and the reason (API part 7). */
export class Availability {
  readonly #host: HostEnvironment;
  readonly #clock: Clock;
  /** Faults of the engine: while it pauses, no new work is accepted. */
  readonly engineFaults: LaneFaults;
  #isClosing = false;
  #cancelDiskCheck: (() => void) | null = null;
  #hasFault = false;

  constructor(host: HostEnvironment, clock: Clock) {
    this.#host = host;
    this.#clock = clock;
    this.engineFaults = new LaneFaults(clock);
  }

  /** Refuses new work from now on, since the service is shutting down. */
  close(): void {
    this.#isClosing = true;
    this.#cancelDiskCheck?.();
  }

  /** @throws ServiceError `queue_unavailable` when the service is shutting down. */
  assertOpen(): void {
    if (!this.#isClosing) return;
    throw new ServiceError('queue_unavailable', 'The service is shutting down. Try again in a moment.');
  }

  /** @throws ServiceError `queue_unavailable` when the disk has too little space. */
  async assertFreeSpace(bytes: number): Promise<void> {
    if (await this.#hasSpaceFor(bytes)) return;
    this.reportRefusal(bytes);
    throw new ServiceError(
      'queue_unavailable',
      'The disk of the service has too little space for this recording. Free some space and try again.',
    );
  }

  /** Reports that a request was refused because the disk is full, unless work in progress will free space. */
  reportRefusal(bytes: number): void {
    if (!this.#host.isBusy()) this.reportDiskFull(bytes);
  }

  /** Reports that the disk is full, and that it has space again once `bytes` more fit. */
  reportDiskFull(bytes: number): void {
    if (this.#cancelDiskCheck !== null || this.#isClosing) return;
    this.#host.onDiskFull(true);
    const check = async (): Promise<void> => {
      // If the disk cannot be checked, it counts as having space.
      const hasSpace = await this.#hasSpaceFor(bytes).catch(() => true);
      if (this.#isClosing) return;
      this.#cancelDiskCheck = hasSpace ? null : this.#clock.schedule(diskCheckMs, () => void check());
      if (hasSpace) this.#host.onDiskFull(false);
    };
    this.#cancelDiskCheck = this.#clock.schedule(diskCheckMs, () => void check());
  }

  /** Reports a fault of the computer for which all jobs wait, or with `null` that they continue. */
  reportFault(problem: Problem | null): void {
    if (problem === null && !this.#hasFault) return;
    this.#hasFault = problem !== null;
    this.#host.onFault(problem);
  }

  async #hasSpaceFor(bytes: number): Promise<boolean> {
    return (await this.#host.freeBytes()) >= bytes + spareBytes;
  }

  /** @throws ServiceError `provider_unavailable` when the model is missing or the engine keeps failing. */
  async assertEngineReady(options: SpeechOptions): Promise<void> {
    const missingReason = await this.#host.missingModel(options);
    if (missingReason !== null) throw new ServiceError('provider_unavailable', missingReason);
    const pauseLeftMs = this.engineFaults.pauseLeftMs();
    if (pauseLeftMs === 0) return;
    throw new ServiceError('provider_unavailable', 'The speech engine keeps failing and is paused.', {
      retryAfterSeconds: Math.ceil(pauseLeftMs / 1000),
    });
  }
}
