import { framesIn, minVoiceFrames, type Frame } from './frame.ts';

/** A frame of audio with its probability of speech. */
export interface ScoredFrame {
  readonly samples: Float32Array;
  /** Position of the first sample in the recording. */
  readonly start: number;
  /** 0 to 1. */
  readonly probability: number;
  readonly detectorState?: Float32Array;
}

/** A threshold with hysteresis, so that the decision does not flicker. */
interface Threshold {
  readonly enter: number;
  readonly leave: number;
}

/** Certainly voice, as Silero recommends. */
const sureVoice: Threshold = { enter: 0.5, leave: 0.35 };
/** Voice if more voice is near: single words between two pauses do not score higher, however loud they are. */
const likelyVoice: Threshold = { enter: 0.25, leave: 0.15 };
/** Maximum distance of likely voice from other voice. */
const nearbyFrames = framesIn(5);

/**
 * Decides where somebody speaks: wherever the detector is certain, and wherever voice is likely within 5 s of other voice.
 * So a word that is said softly or between two pauses belongs to the speech around it, while nothing is found in music
 * and noise, where the detector is never certain. Frames far from voice are held back for at most 5 s, until it is known
 * whether voice follows.
 */
export async function* decideVoices(frames: AsyncIterable<ScoredFrame>): AsyncGenerator<Frame> {
  const sureStreak = new Streak(sureVoice);
  const likelyStreak = new Streak(likelyVoice);
  let framesSinceVoice = Infinity;
  let pending: Frame[] = [];
  for await (const { probability, ...frame } of frames) {
    const isSure = sureStreak.next(probability) >= minVoiceFrames;
    const likelyLength = likelyStreak.next(probability);
    framesSinceVoice =
      isSure || (framesSinceVoice <= nearbyFrames && likelyLength >= minVoiceFrames)
        ? 0
        : framesSinceVoice + 1;
    pending.push({ ...frame, voiced: likelyLength > 0 });
    if (framesSinceVoice <= nearbyFrames) {
      yield* pending;
      pending = [];
    } else if (pending.length > nearbyFrames) {
      yield* pending.splice(0, 1).map(withoutVoice);
    }
  }
  yield* pending.map(withoutVoice);
}

/** Counts the consecutive frames within a threshold. */
class Streak {
  readonly #threshold: Threshold;
  #length = 0;

  constructor(threshold: Threshold) {
    this.#threshold = threshold;
  }

  next(probability: number): number {
    const { enter, leave } = this.#threshold;
    this.#length = probability >= (this.#length > 0 ? leave : enter) ? this.#length + 1 : 0;
    return this.#length;
  }
}

function withoutVoice(frame: Frame): Frame {
  return { ...frame, voiced: false };
}
