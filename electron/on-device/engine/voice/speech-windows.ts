import { speechSampleRate } from '../../../contract/decoder-protocol.ts';
import { windowSeconds } from '../whisper/mel-spectrogram.ts';
import { frameSamples, frameSeconds, framesIn, minVoiceFrames, type Frame } from './frame.ts';

/** Audio without voice that is kept before and after speech, since voices begin and end softly. */
const marginFrames = framesIn(0.3);
/** A longer pause is shortened to a margin after and a margin before speech. */
const maxPauseFrames = framesIn(1);
/** A shorter pause may be within a word. */
const minPauseFrames = framesIn(0.25);
/** What is said after such a silence, in seconds, is a new subject and gets its own window. */
export const separatingSilence = 5;
/** Less speech than this before a long silence gets no window of its own: any window takes the model as long as a full one. */
const minWindowFrames = framesIn(5);
/** A pause is searched for within this many frames of a timestamp of the model, which is accurate to about a second. */
const timestampTolerance = framesIn(0.7);
/** The minimum pause near a timestamp of the model; shorter than elsewhere, because the timestamp supports it. */
const minPauseAtTimestampFrames = framesIn(0.13);
/** Windows are cut in their last part, since the model takes the same time for each window. */
const earliestCutFraction = 0.6;

/** Some speech without its long pauses, with its times in the recording. */
export class SpeechWindow {
  readonly frames: readonly Frame[];

  constructor(frames: readonly Frame[]) {
    this.frames = frames;
  }

  get seconds(): number {
    return this.frames.length * frameSeconds;
  }

  /** Its start in seconds of the recording. */
  get start(): number {
    return (this.frames[0]?.start ?? 0) / speechSampleRate;
  }

  /** The position of the first sample after it in the recording. */
  get endSample(): number {
    return (this.frames.at(-1)?.start ?? 0) + frameSamples;
  }

  /** Returns the part from a time of the recording on, in seconds, after a margin; `null` when the window ends before it. */
  from(recordedSeconds: number): SpeechWindow | null {
    const first = this.frames.findIndex(
      ({ start }) => start + frameSamples > recordedSeconds * speechSampleRate,
    );
    return first === -1 ? null : new SpeechWindow(this.frames.slice(Math.max(first - marginFrames, 0)));
  }

  /** Converts seconds of the recording to seconds of the window, clamped to its start and end. */
  timeOf(recordedSeconds: number): number {
    const sample = recordedSeconds * speechSampleRate;
    const index = this.frames.findIndex(({ start }) => start + frameSamples > sample);
    if (index === -1) return this.seconds;
    const within = Math.max(sample - (this.frames[index]?.start ?? 0), 0);
    return index * frameSeconds + within / speechSampleRate;
  }

  /** Whether it contains the same audio as another window of the recording. */
  hasSameAudio({ frames }: SpeechWindow): boolean {
    return (
      frames.length === this.frames.length && frames.every(({ start }, i) => start === this.frames[i]?.start)
    );
  }

  toSamples(): Float32Array {
    const samples = new Float32Array(this.frames.length * frameSamples);
    this.frames.forEach((frame, i) => samples.set(frame.samples, i * frameSamples));
    return samples;
  }

  /** Returns the seconds of voice between two times of the window. */
  voiceSeconds(from = 0, to = this.seconds): number {
    const frames = this.frames.slice(Math.floor(from / frameSeconds), Math.ceil(to / frameSeconds));
    return frames.filter((frame) => frame.voiced).length * frameSeconds;
  }

  /** The spans of voice between pauses, in seconds of the window. */
  get voiceSpans(): readonly { readonly start: number; readonly end: number }[] {
    const spans: { start: number; end: number }[] = [];
    this.frames.forEach(({ voiced }, i) => {
      if (!voiced) return;
      const start = i * frameSeconds;
      const last = spans.at(-1);
      if (last !== undefined && start - last.end < minPauseFrames * frameSeconds)
        last.end = start + frameSeconds;
      else spans.push({ start, end: start + frameSeconds });
    });
    return spans;
  }

  /** Returns the middle of the pause nearest to a time of the window; the time itself when no pause is near. */
  nearestPause(seconds: number): number {
    const target = framesIn(seconds);
    const first = Math.max(target - timestampTolerance, 0);
    const last = Math.min(target + timestampTolerance, this.frames.length - 1);
    let best: number | undefined;
    let length = 0;
    for (let i = first; i <= last + 1; i++) {
      if (i <= last && this.frames[i]?.voiced === false) {
        length++;
        continue;
      }
      const middle = i - length / 2;
      const isNearer = best === undefined || Math.abs(middle - target) < Math.abs(best - target);
      if (length >= minPauseAtTimestampFrames && isNearer) best = middle;
      length = 0;
    }
    return best === undefined ? seconds : best * frameSeconds;
  }
}

/**
 * Collects the speech of a recording into windows. A window ends in a pause, so that no word is cut, and at a long silence
 * as soon as it has enough speech. Only a window without a pause ends where somebody speaks.
 */
export class SpeechCollector {
  /** The frames of speech and its short pauses, in order. */
  #frames: Frame[] = [];
  /** The frames without voice after those. */
  #quiet: Frame[] = [];
  /** Whether the pause is so long that the margin after the last speech has already been kept. */
  #isMarginKept = true;
  /** Voiced frames, still too few to be speech. */
  #onset: Frame[] = [];

  add(frame: Frame): void {
    if (frame.voiced) this.#addVoiced(frame);
    else this.#addQuiet(frame);
  }

  /** Whether there is enough speech for a window of the given duration, in seconds. */
  isFull(seconds: number): boolean {
    return this.#frames.length >= Math.floor(seconds / frameSeconds);
  }

  /** Position of the first speech without a window, in samples; `undefined` when there is none. */
  get start(): number | undefined {
    return this.#frames[0]?.start;
  }

  /** Whether a window contains all speech so far. */
  isCoveredBy(window: SpeechWindow): boolean {
    return this.#frames.length <= window.frames.length;
  }

  /**
   * Returns the next window; `null` when there is no speech. Its frames stay here until {@link drop} removes them.
   *
   * @param maxSeconds maximum duration of the window
   * @param after the window before it; by default what was dropped last
   */
  nextWindow(maxSeconds = windowSeconds, after?: SpeechWindow): SpeechWindow | null {
    const frames = after === undefined ? this.#frames : withoutFirst(this.#frames, after.frames.length);
    if (frames.length === 0) return null;
    const maxFrames = Math.floor(maxSeconds / frameSeconds);
    const separation = findSeparatingSilence(frames, maxFrames);
    if (separation !== null) return new SpeechWindow(frames.slice(0, separation));
    if (frames.length >= maxFrames) return new SpeechWindow(frames.slice(0, findCut(frames, maxFrames)));
    const margin = this.#isMarginKept ? [] : this.#quiet.slice(0, marginFrames);
    return new SpeechWindow([...frames, ...margin].slice(0, maxFrames));
  }

  /** Removes the first frames, and any silence before the next speech except a margin. */
  drop(frames: number): void {
    this.#frames = withoutFirst(this.#frames, frames);
    if (this.#frames.length > 0) return;
    this.#isMarginKept = true;
    this.#quiet = this.#quiet.slice(-marginFrames);
  }

  #addVoiced(frame: Frame): void {
    this.#onset.push(frame);
    const isContinuing = this.#quiet.length === 0 && this.#frames.length > 0;
    if (!isContinuing && this.#onset.length < minVoiceFrames) return;
    this.#frames.push(...this.#quiet, ...this.#onset);
    this.#quiet = [];
    this.#onset = [];
    this.#isMarginKept = false;
  }

  #addQuiet(frame: Frame): void {
    const click = this.#onset.map((onset) => ({ ...onset, voiced: false }));
    this.#onset = [];
    this.#quiet.push(...click, frame);
    if (!this.#isMarginKept && this.#quiet.length > maxPauseFrames) {
      this.#frames.push(...this.#quiet.splice(0, marginFrames));
      this.#isMarginKept = true;
    }
    if (this.#isMarginKept) this.#quiet = this.#quiet.slice(-marginFrames);
  }
}

/**
 * Returns the frames after the first `count`, beginning at most a margin before the next voice; none if no voice
 * follows.
 */
function withoutFirst(frames: readonly Frame[], count: number): Frame[] {
  const voice = frames.findIndex((frame, i) => i >= count && frame.voiced);
  return voice === -1 ? [] : frames.slice(Math.max(voice - marginFrames, count));
}

/** Finds where a long silence was removed from the first frames, after enough of them for a window; `null` when nowhere. */
function findSeparatingSilence(frames: readonly Frame[], maxFrames: number): number | null {
  for (let i = minWindowFrames; i < Math.min(frames.length, maxFrames); i++) {
    const silence = (frames[i]?.start ?? 0) - (frames[i - 1]?.start ?? 0);
    if (silence >= framesIn(separatingSilence) * frameSamples) return i;
  }
  return null;
}

/** Returns where to end a window: in the middle of the longest pause of its last part, otherwise at its end. */
function findCut(frames: readonly Frame[], maxFrames: number): number {
  let best = { length: minPauseFrames - 1, middle: maxFrames };
  let length = 0;
  for (let i = Math.floor(maxFrames * earliestCutFraction); i < maxFrames; i++) {
    length = frames[i]?.voiced === false ? length + 1 : 0;
    if (length > best.length) best = { length, middle: i + 1 - Math.floor(length / 2) };
  }
  return best.middle;
}
