import type { JobOptions } from '../../contract/options.ts';
import type { Clock } from '../../core/ports.ts';
import { ServiceError } from '../service-error.ts';

/** What the service needs for its work but does not have in its hand. */
export interface HostEnvironment {
  /** Why there is no speech model for such a job, in words for a person; `null` when there is one. */
  missingModel(options: JobOptions): Promise<string | null>;
  /** Bytes that the disk of the data folder has room for. */
  freeBytes(): Promise<number>;
}

/** After so many breakdowns of the engine, with nothing done in between, no new work is taken for a while. */
const maxEngineStops = 3;
const engineRestMs = 60_000;

/** Beside a recording the disk has to have room for the database and for what others write. */
const spareBytes = 64 * 1024 ** 2;

/** Whether the service can take work at this moment, and if not, why: the answers with 503 (API part 7). */
export class Availability {
  readonly #surroundings: HostEnvironment;
  readonly #clock: Clock;
  #closing = false;
  #stops = 0;
  #stoppedAt = 0;

  constructor(surroundings: HostEnvironment, clock: Clock) {
    this.#surroundings = surroundings;
    this.#clock = clock;
  }

  /** The service is going to end: from now on nothing new is begun. */
  close(): void {
    this.#closing = true;
  }

  recordEngineStop(): void {
    this.#stops++;
    this.#stoppedAt = this.#clock.now();
  }

  recordEngineSuccess(): void {
    this.#stops = 0;
  }

  /** @throws ServiceError `queue_unavailable` when the service is about to end. */
  assertOpen(): void {
    if (!this.#closing) return;
    throw new ServiceError('queue_unavailable', 'The service is being shut down. Try again in a moment.');
  }

  /** @throws ServiceError `queue_unavailable` when so much more does not go onto the disk. */
  async assertFreeSpace(bytes: number): Promise<void> {
    if ((await this.#surroundings.freeBytes()) >= bytes + spareBytes) return;
    throw new ServiceError(
      'queue_unavailable',
      'The disk of the service has no room for this recording. Make room and try again.',
    );
  }

  /** @throws ServiceError `provider_unavailable` when speech cannot be turned into text as it is wanted. */
  async assertEngineReady(options: JobOptions): Promise<void> {
    const missing = await this.#surroundings.missingModel(options);
    if (missing !== null) throw new ServiceError('provider_unavailable', missing);
    const restsFor = this.#stoppedAt + engineRestMs - this.#clock.now();
    // A rest that would be longer is one whose clock was set back.
    if (this.#stops < maxEngineStops || restsFor <= 0 || restsFor > engineRestMs) return;
    throw new ServiceError('provider_unavailable', 'The speech engine keeps breaking down and has a rest.', {
      retryAfterSeconds: Math.ceil(restsFor / 1000),
    });
  }
}
