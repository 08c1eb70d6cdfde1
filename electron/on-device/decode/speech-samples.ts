import { speechSampleRate, type RecordedAudio } from '../../contract/decoder-protocol.ts';
import { Resampler } from './resampler.ts';

/** A shorter gap between two pieces of sound is how its container rounds their times. */
const minGapSeconds = 0.1;
/** A longer gap is a broken time, not a silence. */
const maxGapSeconds = 3600;
/** How many samples to give at once, about: a second. */
const chunkLength = speechSampleRate;

/**
 * Sound as the speech models hear it: mono at 16 kHz, from the very start of the recording. What the container leaves
 * out is silence, so that the times of what is said stay true.
 */
export async function* toSpeechSamples(pieces: AsyncIterable<RecordedAudio>): AsyncGenerator<Float32Array> {
  const chunks = new ChunkBuffer();
  let resampler: { readonly rate: number; readonly to: Resampler } | null = null;
  let position = 0;
  for await (const piece of pieces) {
    const { sampleRate, startSeconds } = piece;
    if (resampler !== null && resampler.rate !== sampleRate) {
      yield* chunks.add(resampler.to.end());
      resampler = null;
    }
    resampler ??= { rate: sampleRate, to: new Resampler(sampleRate, speechSampleRate) };
    const gap = startSeconds - position;
    for (let missing = isSilence(gap) ? gap : 0; missing > 0; missing--) {
      yield* chunks.add(resampler.to.push(new Float32Array(Math.round(Math.min(missing, 1) * sampleRate))));
    }
    if (isSilence(gap)) position = startSeconds;

    const mono = toMono(piece);
    // Sound before the start of the recording is there to get decoders going and is not meant to be heard.
    const heard = mono.subarray(position === 0 ? Math.round(Math.max(0, -startSeconds) * sampleRate) : 0);
    position += heard.length / sampleRate;
    yield* chunks.add(resampler.to.push(heard));
  }
  if (resampler !== null) yield* chunks.add(resampler.to.end());
  yield* chunks.rest();
}

function isSilence(gap: number): boolean {
  return gap > minGapSeconds && gap < maxGapSeconds;
}

/** Loudness of the channels of 5.1 sound in one: left, right, centre, bass, and the two behind (ITU-R BS.775). */
const surround = [Math.SQRT1_2, Math.SQRT1_2, 1, 0, 0.5, 0.5];

/** All channels as one. */
export function toMono({ channels, samples }: RecordedAudio): Float32Array {
  if (channels === 1) return samples;
  const weights =
    channels === surround.length ? surround : Array.from({ length: channels }, () => 1 / channels);
  const mono = new Float32Array(Math.floor(samples.length / channels));
  weights.forEach((weight, channel) => {
    for (let i = 0; i < mono.length; i++) {
      mono[i] = (mono[i] ?? 0) + weight * (samples[i * channels + channel] ?? 0);
    }
  });
  return mono;
}

/** Puts pieces of any length together to chunks of about one length. */
class ChunkBuffer {
  #pieces: Float32Array[] = [];
  #length = 0;

  *add(piece: Float32Array): Generator<Float32Array> {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length >= chunkLength) yield* this.rest();
  }

  *rest(): Generator<Float32Array> {
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
