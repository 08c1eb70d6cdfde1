import type { Segment } from '../../../../electron/contract/segment.ts';

/** What the player shows of itself. */
export interface PlaybackState {
  readonly isPlaying: boolean;
  /** Seconds; changes many times a second while it plays. */
  readonly time: number;
  /** Seconds; `null` until the recording is open. */
  readonly duration: number | null;
  readonly rate: number;
  readonly hasVideo: boolean;
  /** The address of the recording that is there but cannot be played; `null` for none. */
  readonly brokenUrl: string | null;
}

/** Speeds that can be chosen, in times of real time. */
export const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** Seconds that are heard again when playing goes on after a pause. */
const resumeSkip = 1.5;

/** Plays the recording of one transcript. */
export class Playback {
  readonly #listeners = new Set<() => void>();
  #state: PlaybackState;
  #element: HTMLMediaElement | null = null;
  #frame = 0;
  /** Whether it was paused where it stands, and not led there. */
  #rests = false;
  /** Whether there will be something that plays. */
  #isExpected = true;
  /** Whether it is to play as soon as there is: who is quick does not have to ask twice. */
  #isWanted = false;

  constructor(rate = 1) {
    this.#state = { isPlaying: false, time: 0, duration: null, rate, hasVideo: false, brokenUrl: null };
  }

  readonly getState = (): PlaybackState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes the element that plays. The returned function lets go of it. */
  attach(element: HTMLMediaElement): () => void {
    this.#element = element;
    const ended = new AbortController();
    const on = (name: string, listener: () => void): void =>
      element.addEventListener(name, listener, { signal: ended.signal });
    element.preservesPitch = true;
    element.playbackRate = this.#state.rate;
    // Nothing is known yet of what this one plays.
    this.#change({ isPlaying: false, duration: null, hasVideo: false });
    if (this.#isWanted) this.play();
    on('loadedmetadata', () => {
      if (this.#state.time > 0) element.currentTime = this.#state.time;
      this.#change({
        duration: Number.isFinite(element.duration) ? element.duration : null,
        hasVideo: element instanceof HTMLVideoElement && element.videoWidth > 0,
        brokenUrl: null,
      });
    });
    on('durationchange', () => {
      if (Number.isFinite(element.duration)) this.#change({ duration: element.duration });
    });
    on('play', () => {
      this.#change({ isPlaying: true });
      this.#tick();
    });
    on('pause', () => {
      this.#rests = true;
      this.#change({ isPlaying: false, time: element.currentTime });
    });
    on('seeked', () => this.#change({ time: element.currentTime }));
    on('error', () => this.#change({ isPlaying: false, brokenUrl: element.getAttribute('src') }));
    return () => {
      ended.abort();
      cancelAnimationFrame(this.#frame);
      element.pause();
      this.#element = null;
      this.#change({ isPlaying: false });
    };
  }

  /** Tells whether there is a recording, or may be one: what cannot play now is not to begin by itself later. */
  setPlayable(isExpected: boolean): void {
    this.#isExpected = isExpected;
    this.#isWanted &&= isExpected;
  }

  toggle(): void {
    if (this.#state.isPlaying) this.pause();
    else this.play();
  }

  play(): void {
    const element = this.#element;
    this.#isWanted = element === null && this.#isExpected;
    if (element === null) return;
    if (this.#rests && !element.ended) element.currentTime = Math.max(0, element.currentTime - resumeSkip);
    this.#rests = false;
    // Refused when the page goes or the recording is broken; both tell themselves.
    element.play().catch(() => undefined);
  }

  pause(): void {
    this.#isWanted = false;
    this.#element?.pause();
  }

  /** Goes to a time; plays on if it played. */
  seek(seconds: number): void {
    const time = Math.max(0, Math.min(seconds, this.#state.duration ?? Infinity));
    this.#rests = false;
    if (this.#element !== null) this.#element.currentTime = time;
    this.#change({ time });
  }

  skip(seconds: number): void {
    this.seek((this.#element?.currentTime ?? this.#state.time) + seconds);
  }

  setRate(rate: number): void {
    if (this.#element !== null) this.#element.playbackRate = rate;
    this.#change({ rate });
  }

  /** One step faster or slower. */
  stepRate(by: -1 | 1): void {
    const at = rates.findIndex((rate) => rate >= this.#state.rate);
    this.setRate(rates[Math.max(0, Math.min(rates.length - 1, at + by))] ?? 1);
  }

  readonly #tick = (): void => {
    cancelAnimationFrame(this.#frame);
    if (this.#element === null || this.#element.paused) return;
    this.#change({ time: this.#element.currentTime });
    this.#frame = requestAnimationFrame(this.#tick);
  };

  #change(patch: Partial<PlaybackState>): void {
    this.#state = { ...this.#state, ...patch };
    for (const listener of this.#listeners) listener();
  }
}

/** The index of the segment that is heard at a time: the last that has begun; -1 before the first. */
export function segmentIndexAt(segments: readonly Segment[], time: number): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.start ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
