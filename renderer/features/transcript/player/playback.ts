/** The state of the player. */
export interface PlaybackState {
  readonly isPlaying: boolean;
  /** Seconds; changes with each frame while it plays. */
  readonly time: number;
  /** Seconds; `null` until the recording is open. */
  readonly duration: number | null;
  readonly rate: number;
  /** Width divided by height of the video; `null` without video. */
  readonly aspectRatio: number | null;
  /** The URL of a recording that cannot be played; `null` for none. */
  readonly brokenUrl: string | null;
}

/** Whether there is a recording that is open and can be played. */
export const canPlay = ({ duration, brokenUrl }: PlaybackState): boolean =>
  duration !== null && brokenUrl === null;

/** The playback rates that can be chosen. */
export const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;

/** Minimum seconds to skip at a time where a recording is damaged. */
const minSkipSeconds = 1;
/** By which share of what was skipped already more is skipped at a time: as much intact audio may be skipped at the end. */
const skipGrowth = 0.25;

/** Seconds to go back when playback resumes after a pause. */
const resumeRewindSeconds = 1.5;

/** Plays the recording of one transcript. */
export class Playback {
  readonly #listeners = new Set<() => void>();
  #state: PlaybackState;
  #element: HTMLMediaElement | null = null;
  #frame = 0;
  /** Whether playback was paused at the current time and no seek has moved it since. */
  #isPausedHere = false;
  /** Whether there is, or may still be, a recording that can be played. */
  #mayHaveRecording = true;
  /** Whether to play as soon as an element is attached, because the user has already asked for it. */
  #playsWhenAttached = false;
  /** Where the range that is played ends, in seconds; `null` when no range is playing. */
  #rangeEnd: number | null = null;
  /** How many seconds were skipped in a row because they are damaged. */
  #skippedSeconds = 0;
  /** Whether the element is being loaded again: its time is not yet the one where it will start. */
  #isReloading = false;

  constructor(rate = 1) {
    this.#state = { isPlaying: false, time: 0, duration: null, rate, aspectRatio: null, brokenUrl: null };
  }

  readonly getState = (): PlaybackState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Attaches the media element. Returns a function that detaches it. */
  attach(element: HTMLMediaElement): () => void {
    this.#element = element;
    const detached = new AbortController();
    const on = (name: string, listener: () => void): void =>
      element.addEventListener(name, listener, { signal: detached.signal });
    element.preservesPitch = true;
    element.playbackRate = this.#state.rate;
    this.#isReloading = false;
    // The new element has not loaded anything yet.
    this.#change({ isPlaying: false, duration: null, aspectRatio: null });
    if (this.#playsWhenAttached) this.play();
    on('loadedmetadata', () => {
      this.#isReloading = false;
      if (this.#state.time > 0) element.currentTime = this.#state.time;
      this.#change({
        duration: Number.isFinite(element.duration) ? element.duration : null,
        aspectRatio:
          element instanceof HTMLVideoElement && element.videoWidth > 0 && element.videoHeight > 0
            ? element.videoWidth / element.videoHeight
            : null,
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
      this.#isPausedHere = true;
      this.#rangeEnd = null;
      this.#change({ isPlaying: false, time: element.currentTime });
    });
    on('seeked', () => {
      this.#skippedSeconds = 0;
      this.#change({ time: element.currentTime });
    });
    on('error', () => {
      if (element.error?.code !== MediaError.MEDIA_ERR_DECODE || !this.#skipDamage(element))
        this.#change({ isPlaying: false, brokenUrl: element.getAttribute('src') });
    });
    return () => {
      detached.abort();
      cancelAnimationFrame(this.#frame);
      element.pause();
      this.#element = null;
      // The layout follows the aspect ratio, and there is no video any more.
      this.#change({ isPlaying: false, duration: null, aspectRatio: null });
    };
  }

  /** Sets {@link mayHaveRecording}. Without a recording, playback must not start automatically later. */
  setMayHaveRecording(mayHaveRecording: boolean): void {
    this.#mayHaveRecording = mayHaveRecording;
    this.#playsWhenAttached &&= mayHaveRecording;
  }

  /** Whether there is, or may still be, a recording that can be played. */
  get mayHaveRecording(): boolean {
    return this.#mayHaveRecording;
  }

  toggle(): void {
    if (this.#state.isPlaying) this.pause();
    else this.play();
  }

  play(): void {
    const element = this.#element;
    this.#playsWhenAttached = element === null && this.#mayHaveRecording;
    if (element === null) return;
    if (this.#isPausedHere && !element.ended)
      element.currentTime = Math.max(0, element.currentTime - resumeRewindSeconds);
    this.#isPausedHere = false;
    // Rejects when the page unloads or the recording is broken; both are handled elsewhere.
    element.play().catch(() => undefined);
  }

  /** Plays from one time to another, in seconds. A seek or pause ends the range early. */
  playRange(from: number, to: number): void {
    this.seek(from);
    this.play();
    this.#rangeEnd = to;
  }

  /** Pauses if a range is playing. */
  stopRange(): void {
    if (this.#rangeEnd !== null) this.pause();
  }

  pause(): void {
    this.#playsWhenAttached = false;
    this.#element?.pause();
  }

  /** Seeks to a time, without pausing or resuming. */
  seek(seconds: number): void {
    this.#rangeEnd = null;
    const time = Math.max(0, Math.min(seconds, this.#state.duration ?? Infinity));
    this.#isPausedHere = false;
    if (this.#element !== null) this.#element.currentTime = time;
    this.#change({ time });
  }

  /** Seeks forwards, or backwards by negative seconds. */
  skip(seconds: number): void {
    this.seek((this.#element?.currentTime ?? this.#state.time) + seconds);
  }

  setRate(rate: number): void {
    if (this.#element !== null) this.#element.playbackRate = rate;
    this.#change({ rate });
  }

  /** Goes to the next faster or slower rate. */
  stepRate(by: -1 | 1): void {
    const index = rates.findIndex((rate) => rate >= this.#state.rate);
    this.setRate(rates[Math.max(0, Math.min(rates.length - 1, index + by))] ?? 1);
  }

  /**
   * Skips a damaged part, at which the element has stopped: it is loaded again, and starts after that part. At the end of
   * the recording, returns to its start and pauses.
   *
   * @returns whether there may be something to play
   */
  #skipDamage(element: HTMLMediaElement): boolean {
    const { time, duration, isPlaying } = this.#state;
    // At its start for the second time: all of it is damaged.
    if (duration === null || this.#skippedSeconds > duration) return false;
    const seconds = Math.max(minSkipSeconds, this.#skippedSeconds * skipGrowth);
    const next = time + seconds;
    const isEnd = next >= duration;
    if (isEnd) this.#rangeEnd = null;
    this.#skippedSeconds += isEnd ? duration : seconds;
    // Loading ends with a seek to this time.
    this.#change({ time: isEnd ? 0 : next, isPlaying: isPlaying && !isEnd });
    this.#isReloading = true;
    element.load();
    if (isPlaying && !isEnd) element.play().catch(() => undefined);
    return true;
  }

  readonly #tick = (): void => {
    cancelAnimationFrame(this.#frame);
    if (this.#element === null || this.#element.paused) return;
    if (!this.#isReloading) this.#change({ time: this.#element.currentTime });
    if (this.#rangeEnd !== null && this.#element.currentTime >= this.#rangeEnd) {
      this.#element.pause();
      return;
    }
    this.#frame = requestAnimationFrame(this.#tick);
  };

  #change(patch: Partial<PlaybackState>): void {
    this.#state = { ...this.#state, ...patch };
    for (const listener of this.#listeners) listener();
  }
}
