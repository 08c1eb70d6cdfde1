import { speechSampleRate } from '../../contract/decoder-protocol.ts';
import type { Segment } from '../../contract/segment-schema.ts';
import type { Checkpoint, Transcription, WindowUpdate } from './speech-engine.ts';
import type { TranscriptionSettings, SpeechModel } from './speech-model.ts';
import { orderTimesAfter } from './text/window-segments.ts';
import { type Frame, frameSamples, frameSeconds } from './voice/frame.ts';
import { SpeechCollector, SpeechWindow } from './voice/speech-windows.ts';
import type { DetectorStart, VoiceDetector } from './voice/voice-detector.ts';

/** A window with an omission is transcribed again in windows of the next shorter length, in seconds. */
const retryWindowSeconds = [10, 5] as const;

export interface TranscriptionTask extends TranscriptionSettings {
  readonly model: SpeechModel;
  readonly voiceDetector: Pick<VoiceDetector, 'frames'>;
  /** Mono samples in -1..1 at 16 kHz, from `voices.atSamples` of the checkpoint on. */
  readonly samples: AsyncIterable<Float32Array>;
  /** Reports the seconds of audio that are done, at most once per second of audio. */
  readonly onProgress: (secondsDone: number) => void;
  readonly onWindow: (update: WindowUpdate) => void;
}

/**
 * Transcribes a recording of any length. Only speech reaches the model, in windows that end in pauses: of at most 30 s with
 * Whisper, 20 s with Parakeet. Memory does not grow with the length.
 *
 * @throws InterruptedError when it is interrupted
 */
export async function transcribe(task: TranscriptionTask): Promise<Transcription> {
  const { interrupt, onProgress, onWindow, checkpoint } = task;
  const resumedAt = checkpoint?.atSamples ?? 0;
  const detector = new DetectorHistory(checkpoint);
  const transcriber = task.model.createTranscriber(task);
  const speech = new SpeechCollector();
  const segments: Segment[] = [];
  let reportedSeconds = 0;
  let position = 0;
  let { maxWindowSeconds } = transcriber;
  /** The finished part of the last window if the next one begins within it; otherwise `null`. */
  let previousWindow: SpeechWindow | null = null;

  const transcribeNext = async (window: SpeechWindow, isLast: boolean): Promise<void> => {
    const lastBefore = segments.at(-1);
    const retrySeconds = retryWindowSeconds.find((seconds) => seconds < window.seconds);
    const result = await transcriber.transcribeWindow(window, {
      canRetry: retrySeconds !== undefined,
      isLast,
    });
    const joined =
      previousWindow === null
        ? result.segments
        : await transcriber.joinAtSeam(segments, result.segments, previousWindow);
    const keptSegments = segments.at(-1) === lastBefore ? segments.length : segments.length - 1;
    segments.push(...orderTimesAfter(segments.at(-1)?.end ?? checkpoint?.endSeconds ?? 0, joined));
    const doneFrames = Math.floor(result.doneUntil / frameSeconds);
    if (result.doneUntil >= window.seconds) previousWindow = null;
    else if (doneFrames > 0) previousWindow = new SpeechWindow(window.frames.slice(0, doneFrames));
    speech.drop(doneFrames);
    maxWindowSeconds = (result.isIncomplete ? retrySeconds : null) ?? transcriber.maxWindowSeconds;
    const isFinished = previousWindow === null && !result.isIncomplete;
    onWindow({
      keptSegments,
      added: segments.slice(keptSegments),
      language: transcriber.language,
      checkpoint: isFinished
        ? {
            ...transcriber.snapshot,
            atSamples: window.endSample,
            voices: detector.startBefore(window.endSample),
            endSeconds: segments.at(-1)?.end ?? checkpoint?.endSeconds ?? 0,
          }
        : null,
    });
  };
  const report = (samplesDone: number): void => {
    const seconds = samplesDone / speechSampleRate;
    if (seconds < reportedSeconds + 1) return;
    reportedSeconds = seconds;
    onProgress(seconds);
  };

  /** Lets the model prepare a window, and the one that follows if all of this one is transcribed. */
  const prepare = (window: SpeechWindow): void => {
    if (transcriber.prepare === undefined) return;
    const following = speech.nextWindow(transcriber.maxWindowSeconds, window);
    transcriber.prepare(following === null ? [window] : [window, following]);
  };
  /** How much speech to collect before a window of it is transcribed, in windows. */
  const collectedWindows = transcriber.prepare === undefined ? 1 : 2;

  for await (const frame of task.voiceDetector.frames(task.samples, detector.start)) {
    interrupt.throwIfRequested();
    detector.add(frame);
    if (frame.start < resumedAt) continue;
    position = frame.start + frameSamples;
    speech.add(frame);
    while (speech.isFull(collectedWindows * transcriber.maxWindowSeconds)) {
      const window = speech.nextWindow(maxWindowSeconds);
      if (window === null) break;
      prepare(window);
      await transcribeNext(window, false);
    }
    report(speech.start ?? position);
  }
  for (
    let window = speech.nextWindow(maxWindowSeconds);
    window !== null;
    window = speech.nextWindow(maxWindowSeconds)
  ) {
    prepare(window);
    await transcribeNext(window, speech.isCoveredBy(window));
    report(speech.start ?? position);
  }
  return { language: transcriber.language, segments };
}

/** The voice detector needs this many seconds of context before its decisions are stable. */
const detectorSeconds = 10;

/** The maximum number of stored states, of 2.6 KB each. At first there is one per second of audio. */
const maxDetectorStates = 1024;

/**
 * The latest states of the voice detector, for checkpoints. A long silence ends no window; whenever it has caused too many
 * states, every second one is dropped, so that the detector may have to start somewhat earlier.
 */
class DetectorHistory {
  readonly start: DetectorStart;
  #states: DetectorStart[];

  constructor(checkpoint: Checkpoint | null) {
    const { atSamples, state } = checkpoint?.voices ?? { atSamples: 0, state: null };
    this.start = { atSamples, state: state === null ? null : fromBase64(state) };
    this.#states = [this.start];
  }

  add({ start, detectorState }: Frame): void {
    if (detectorState === undefined) return;
    this.#states.push({ atSamples: start, state: detectorState });
    if (this.#states.length > maxDetectorStates) this.#states = this.#states.filter((_, i) => i % 2 === 0);
  }

  /** Returns where the detector must start so that its decisions are stable from a position on. Forgets older states. */
  startBefore(atSamples: number): Checkpoint['voices'] {
    const latest = atSamples - detectorSeconds * speechSampleRate;
    const index = Math.max(
      this.#states.findLastIndex((candidate) => candidate.atSamples <= latest),
      0,
    );
    this.#states = this.#states.slice(index);
    const [{ atSamples: from, state } = this.start] = this.#states;
    return { atSamples: from, state: state === null ? null : toBase64(state) };
  }
}

const toBase64 = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

const fromBase64 = (text: string): Float32Array =>
  new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer);
