import type { Accuracy } from '../../contract/choices.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Clock } from '../../core/ports.ts';
import { startOnDeviceChild, type OnDeviceChild, type OnDeviceChildOptions } from './on-device-child.ts';

const firstRestMs = 1_000;
const longestRestMs = 60_000;
/** A run that lasted so long was a sound one: what ended it is no sign that the next will end as well. */
const soundLifeMs = 60_000;
/** After so many ends in a row the user is told; it is still started again. */
const endsBeforeTelling = 3;

export interface OnDeviceProcessOptions extends OnDeviceChildOptions {
  readonly clock: Clock;
  readonly onListening: (baseUrl: string, key: string) => void;
  /** The service is not there for now; with a problem when it keeps ending. */
  readonly onLeft: (problem: Problem | null) => void;
}

/** Keeps the on-device service running: a crash there costs neither the window nor the queue. */
export class OnDeviceProcess {
  readonly #options: OnDeviceProcessOptions;
  #child: OnDeviceChild | null = null;
  #ends = 0;
  #listeningSince: number | null = null;
  #cancelRestart: (() => void) | null = null;
  #stopping = false;

  constructor(options: OnDeviceProcessOptions) {
    this.#options = options;
  }

  start(): void {
    const child = startOnDeviceChild(this.#options);
    this.#child = child;
    void this.#tellListening(child);
    void child.ended.then((reason) => this.#ended(reason));
  }

  /** Seconds of sound that a model transcribes in a second. Rejects with the reason when that cannot be found out. */
  async measure(accuracy: Accuracy, sound: string): Promise<number> {
    const child = this.#child;
    if (child === null) throw new Error('the on-device service is not running');
    await child.listening;
    return child.measure(accuracy, sound);
  }

  /** Ends the service and waits for it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#cancelRestart?.();
    await this.#child?.stop();
  }

  async #tellListening(child: OnDeviceChild): Promise<void> {
    const { logger, onListening } = this.#options;
    try {
      const { baseUrl, key } = await child.listening;
      this.#listeningSince = this.#options.clock.now();
      onListening(baseUrl, key);
    } catch (error) {
      logger.warn('the on-device service did not start', { error: String(error) });
    }
  }

  #ended(reason: string): void {
    const { clock, logger, onLeft } = this.#options;
    this.#child = null;
    if (this.#stopping) return;
    const lived = this.#listeningSince !== null && clock.now() - this.#listeningSince >= soundLifeMs;
    this.#listeningSince = null;
    this.#ends = lived ? 1 : this.#ends + 1;
    logger.error('the on-device service ended', { reason, ends: this.#ends });
    onLeft(this.#ends < endsBeforeTelling ? null : { code: 'engine_stopped', detail: reason });
    const restMs = Math.min(longestRestMs, firstRestMs * 2 ** (this.#ends - 1));
    this.#cancelRestart = clock.schedule(restMs, () => this.start());
  }
}
