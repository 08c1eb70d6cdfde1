import { speechSampleRate } from '../../../contract/decoder-protocol.ts';
import { partitionPoint } from '../../../core/transcript/partition-point.ts';
import { voicedFrames } from '../text/window-segments.ts';
import { frameSeconds } from '../voice/frame.ts';
import type { SpeechWindow } from '../voice/speech-windows.ts';

/** The duration of a frame that the decoder attends to. */
export const attentionFrameSeconds = 0.02;

/**
 * The voice of a window without its pauses. A position is a fractional number of voiced attention frames, so no position
 * lies in a pause, and no word gets a time there.
 */
export class VoicedAudio {
  /** The frames of the decoder's attention in which somebody speaks. */
  readonly frames: Int32Array;
  /** The positions where pauses were, ascending. */
  readonly pauses: readonly number[];
  readonly #window: SpeechWindow;

  /** @param seconds how much of the window to use, from its start */
  constructor(window: SpeechWindow, seconds: number) {
    this.#window = window;
    const voiced = voicedFrames(window);
    const count = Math.floor(Math.min(window.seconds, seconds) / attentionFrameSeconds);
    const isVoiced = (frame: number): boolean => voiced[voiceFrameOf(frame + 0.5)] === true;
    const frames = Array.from({ length: count }, (_, frame) => frame).filter(isVoiced);
    this.frames = Int32Array.from(frames);
    this.pauses = frames.flatMap((frame, position) => {
      const previousFrame = frames[position - 1];
      const isPause =
        previousFrame !== undefined &&
        this.#recordingSeconds(frame) - this.#recordingSeconds(previousFrame) > maxFrameDistance;
      return isPause ? [position] : [];
    });
  }

  /** Returns the position of the first voice at or after a time of the window, in seconds. */
  positionOf(windowSeconds: number): number {
    return lowerBound(this.frames, windowSeconds / attentionFrameSeconds);
  }

  /** Converts a start position to recording time, in seconds. */
  startAt(position: number): number {
    return this.#timeAt(position, Math.floor(position));
  }

  /** Converts an end position to recording time, in seconds: before a pause, not after it. */
  endAt(position: number): number {
    return this.#timeAt(position, Math.ceil(position) - 1);
  }

  #timeAt(position: number, index: number): number {
    const nearest = Math.min(Math.max(index, 0), this.frames.length - 1);
    return this.#recordingSeconds(this.frames[nearest] ?? 0) + (position - nearest) * attentionFrameSeconds;
  }

  /** Returns when a frame begins in the recording, in seconds. The window lacks the recording's long pauses. */
  #recordingSeconds(frame: number): number {
    const voiceFrame = voiceFrameOf(frame);
    const start = this.#window.frames[voiceFrame]?.start ?? 0;
    return start / speechSampleRate + frame * attentionFrameSeconds - voiceFrame * frameSeconds;
  }
}

/** Maximum seconds between the starts of two frames without a pause between them. */
const maxFrameDistance = 1.5 * attentionFrameSeconds;

/** Returns the frame of the voice detector that contains the beginning of a frame of the attention. */
const voiceFrameOf = (frame: number): number =>
  Math.floor((frame * attentionFrameSeconds) / frameSeconds + 1e-9);

/** Returns the number of values below a limit in an ascending list. Seconds are multiples of frames, up to rounding. */
const lowerBound = (ascending: Int32Array, limit: number): number =>
  partitionPoint(ascending, (value) => value < limit - 1e-6);
