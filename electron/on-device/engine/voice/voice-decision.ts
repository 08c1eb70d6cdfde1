import { frameSeconds, type Frame } from './frame.ts';

/** A piece of sound, and how likely it is that somebody speaks in it. */
export interface HeardFrame {
  readonly samples: Float32Array;
  /** Position of the first sample in the recording. */
  readonly start: number;
  /** 0 to 1. */
  readonly probability: number;
}

/** Begins at one probability and goes on down to the other one, so that it does not flicker in between. */
interface Threshold {
  readonly begins: number;
  readonly ends: number;
}

/** A voice in any case, as Silero advises. */
const sureVoice: Threshold = { begins: 0.5, ends: 0.35 };
/** A voice if there is another one near: single words between two pauses get no more than this, however loud they are. */
const likelyVoice: Threshold = { begins: 0.25, ends: 0.15 };
/** A shorter sound is a click or a knock, no word. */
const shortestVoice = Math.round(0.1 / frameSeconds);
/** How far from another voice a likely one is believed. */
const nearby = Math.round(5 / frameSeconds);

/**
 * Decides where somebody speaks: wherever the detector is sure, and wherever it is likely within 5 s of what was found
 * to be a voice. So a word said softly or between two pauses belongs to the speech around it, while in music and noise,
 * which the detector is not sure of, nothing is found. What is far from a voice is held back until it is known whether
 * one follows: at most 5 s.
 */
export async function* decideVoices(frames: AsyncIterable<HeardFrame>): AsyncGenerator<Frame> {
  const sure = new Streak(sureVoice);
  const likely = new Streak(likelyVoice);
  let sinceVoice = Infinity;
  let held: Frame[] = [];
  for await (const { samples, start, probability } of frames) {
    const surely = sure.next(probability) >= shortestVoice;
    const length = likely.next(probability);
    sinceVoice = surely || (sinceVoice <= nearby && length >= shortestVoice) ? 0 : sinceVoice + 1;
    held.push({ samples, start, voiced: length > 0 });
    if (sinceVoice <= nearby) {
      yield* held;
      held = [];
    } else if (held.length > nearby) {
      yield* held.splice(0, 1).map(withoutVoice);
    }
  }
  yield* held.map(withoutVoice);
}

/** Counts frames in a row that a threshold is kept in. */
class Streak {
  readonly #threshold: Threshold;
  #length = 0;

  constructor(threshold: Threshold) {
    this.#threshold = threshold;
  }

  next(probability: number): number {
    const { begins, ends } = this.#threshold;
    this.#length = probability >= (this.#length > 0 ? ends : begins) ? this.#length + 1 : 0;
    return this.#length;
  }
}

function withoutVoice(frame: Frame): Frame {
  return { ...frame, voiced: false };
}
