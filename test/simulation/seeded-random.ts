import type { Random } from '../../electron/core/ports.ts';
import { seededRandom } from '../../electron/on-device/engine/seeded-random.ts';

/** Random numbers that depend only on the seed. */
export class SeededRandom implements Random {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed * 0x9e3779b9);
  }

  uuid(): string {
    const word = (): string =>
      Math.floor(this.next() * 2 ** 32)
        .toString(16)
        .padStart(8, '0');
    return `${word()}-${word()}-${word()}-${word()}`;
  }

  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.between(0, choices.length - 1)] ?? choices[0];
  }

  /** One to `max` bytes. */
  bytes(max: number): Uint8Array {
    return Uint8Array.from({ length: this.between(1, max) }, () => this.between(0, 255));
  }

  /** One of `choices`, or `undefined` when there are none. */
  pickAny<T>(choices: readonly T[]): T | undefined {
    return choices[this.between(0, choices.length - 1)];
  }
}
