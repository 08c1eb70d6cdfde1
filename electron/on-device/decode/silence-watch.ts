import type { Clock } from '../../core/ports.ts';

/** How often to check, and after how many silent checks a decoder counts as stuck: after two minutes. */
const checkIntervalMs = 10_000;
const maxSilentChecks = 12;

/** Detects a decoder that is asked for something and sends nothing for two minutes. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #onStuck: () => void;
  readonly #isWaitedFor: () => boolean;
  /** Checks since the decoder last sent anything. */
  #silentChecks = 0;
  #cancelCheck: () => void = () => undefined;

  /** @param isWaitedFor Whether it is up to the decoder to send something, and not up to us. */
  constructor(clock: Clock, onStuck: () => void, isWaitedFor: () => boolean = () => true) {
    this.#clock = clock;
    this.#onStuck = onStuck;
    this.#isWaitedFor = isWaitedFor;
  }

  /** Starts watching, as something is asked of the decoder. */
  start(): void {
    this.stop();
    this.#silentChecks = 0;
    this.#scheduleCheck();
  }

  /** The decoder has sent something. */
  reset(): void {
    this.#silentChecks = 0;
  }

  stop(): void {
    this.#cancelCheck();
  }

  /** Checks repeatedly rather than with one long timer, because the computer may have slept meanwhile. */
  #scheduleCheck(): void {
    this.#cancelCheck = this.#clock.schedule(checkIntervalMs, () => {
      if (this.#isWaitedFor()) this.#silentChecks++;
      if (this.#silentChecks < maxSilentChecks) this.#scheduleCheck();
      else this.#onStuck();
    });
  }
}
