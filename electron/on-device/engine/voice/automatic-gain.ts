import { sampleRate } from '../sound.ts';

/** After a loud sound quieter ones are heard better again with each half-life. In seconds. */
const halfLife = 0.5;
/** What the loudest sound of the last while is brought to. */
const targetPeak = 0.5;
/** What is quieter than a hundredth of the target is not speech that anybody has recorded on purpose. */
const mostGain = 100;

/**
 * How much louder to make sound for one who does not hear quiet voices: it follows the peaks of what was there, at once
 * upwards and slowly down again. Loud sound stays as it is.
 */
export class AutomaticGain {
  #peak = 0;

  /** The factor for the next samples, from 1 to 100. */
  next(samples: Float32Array): number {
    this.#peak *= 0.5 ** (samples.length / sampleRate / halfLife);
    for (const sample of samples) this.#peak = Math.max(this.#peak, Math.abs(sample));
    return Math.min(Math.max(targetPeak / this.#peak, 1), mostGain);
  }
}
