import { speechSampleRate, type RecordedAudio } from '../../contract/decoder-protocol.ts';
import { Resampler } from './resampler.ts';

/** A shorter gap between two pieces comes from rounded timestamps. */
const minGapSeconds = 0.1;
/** A longer gap comes from corrupt timestamps, not from silence. */
const maxGapSeconds = 3600;
/** Approximate samples per chunk: a second. */
const chunkLength = speechSampleRate;

/**
 * Converts audio to what the speech models expect: mono at 16 kHz from the very start of the recording. Gaps become
 * silence, so that times stay correct.
 *
 * @param durationSeconds The stated duration. A gap that ends after it comes from corrupt timestamps: a small file could
 *   contain years of them.
 */
export async function* toSpeechSamples(
  pieces: AsyncIterable<RecordedAudio>,
  durationSeconds: number,
): AsyncGenerator<Float32Array> {
  const chunks = new ChunkBuffer();
  let input: { readonly rate: number; readonly resampler: Resampler } | null = null;
  let position = 0;
  for await (const piece of pieces) {
    const { sampleRate, startSeconds } = piece;
    if (input !== null && input.rate !== sampleRate) {
      yield* chunks.add(input.resampler.end());
      input = null;
    }
    input ??= { rate: sampleRate, resampler: new Resampler(sampleRate, speechSampleRate) };
    const gap = startSeconds < durationSeconds + minGapSeconds ? startSeconds - position : 0;
    for (let missingSeconds = isSilence(gap) ? gap : 0; missingSeconds > 0; missingSeconds--) {
      yield* chunks.add(
        input.resampler.push(new Float32Array(Math.round(Math.min(missingSeconds, 1) * sampleRate))),
      );
    }
    if (isSilence(gap)) position = startSeconds;

    const mono = toMono(piece);
    // Audio before the start of the recording only primes decoders (pre-roll).
    const audible = mono.subarray(position === 0 ? Math.round(Math.max(0, -startSeconds) * sampleRate) : 0);
    position += audible.length / sampleRate;
    yield* chunks.add(input.resampler.push(audible));
  }
  if (input !== null) yield* chunks.add(input.resampler.end());
  yield* chunks.flush();
}

function isSilence(gap: number): boolean {
  return gap > minGapSeconds && gap < maxGapSeconds;
}

/** Weights of 5.1 channels in a mono mix: left, right, centre, LFE and the two surround channels (ITU-R BS.775). */
const surroundWeights = [Math.SQRT1_2, Math.SQRT1_2, 1, 0, 0.5, 0.5];

/** Mixes all channels to one. */
export function toMono({ channels, samples }: RecordedAudio): Float32Array {
  if (channels === 1) return samples;
  const weights =
    channels === surroundWeights.length
      ? surroundWeights
      : Array.from({ length: channels }, () => 1 / channels);
  const mono = new Float32Array(Math.floor(samples.length / channels));
  weights.forEach((weight, channel) => {
    for (let i = 0; i < mono.length; i++) {
      mono[i] = (mono[i] ?? 0) + weight * (samples[i * channels + channel] ?? 0);
    }
  });
  return mono;
}

/**
 * The highest level that is passed on, 18 dB above full scale: recorders with 32-bit floats keep voices that loud, and
 * anything louder is an error.
 */
const maxLevel = 8;

/**
 * Replaces values that are not audio, in place. A recording of floats can contain any of them, and a single value that is
 * infinite, huge or not a number would spoil the levels of everything near it.
 */
export async function* withinRange(chunks: AsyncIterable<Float32Array>): AsyncGenerator<Float32Array> {
  for await (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i++) {
      const sample = chunk[i] ?? 0;
      // Not a number: neither comparison holds.
      if (!(sample >= -maxLevel && sample <= maxLevel)) {
        chunk[i] = Number.isFinite(sample) ? Math.sign(sample) * maxLevel : 0;
      }
    }
    yield chunk;
  }
}

/** Joins pieces of any length into chunks of similar length. */
class ChunkBuffer {
  #pieces: Float32Array[] = [];
  #length = 0;

  *add(piece: Float32Array): Generator<Float32Array> {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length >= chunkLength) yield* this.flush();
  }

  *flush(): Generator<Float32Array> {
    if (this.#length === 0) return;
    const chunk = new Float32Array(this.#length);
    let position = 0;
    for (const piece of this.#pieces) {
      chunk.set(piece, position);
      position += piece.length;
    }
    this.#pieces = [];
    this.#length = 0;
    yield chunk;
  }
}
