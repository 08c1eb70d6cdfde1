import type { VoiceLabels, WindowVoice } from './cluster-voices.ts';
import { firstFrameOf, frameStartSeconds, maxVoices, windowFrames } from './window-grid.ts';
import { countVoices } from './window-voices.ts';

/** What one speaker says without a pause. Turns of several speakers can overlap. */
export interface FoundTurn {
  /** In seconds from the start of the recording. */
  readonly start: number;
  readonly end: number;
  /** From 0. */
  readonly speaker: number;
  /** How certain it is that it is this speaker and no other one, from 0 to 1. */
  readonly confidence: number;
}

/**
 * Merges the voices of all windows into turns, in order of their start. Each frame gets as many speakers as the windows find
 * there on average: those that most windows agree on.
 *
 * @param windows who speaks in each frame of each window: a bit for each voice
 * @param voices the voices that have labels, in order
 * @param labels the speaker of each
 * @param seconds the duration of the recording
 */
export function mergeWindows(
  windows: readonly Uint8Array[],
  voices: readonly WindowVoice[],
  labels: VoiceLabels,
  seconds: number,
): readonly FoundTurn[] {
  const speakers = new Int32Array(windows.length * maxVoices).fill(-1);
  const confidences = new Float32Array(windows.length * maxVoices);
  for (const [i, { window, voice }] of voices.entries()) {
    speakers[window * maxVoices + voice] = labels.speakers[i] ?? -1;
    confidences[window * maxVoices + voice] = labels.confidences[i] ?? 0;
  }
  const turns = new TurnCollector(seconds);
  const end = windows.length === 0 ? 0 : firstFrameOf(windows.length - 1) + windowFrames;
  let from = 0;
  for (let frame = 0; frame < end; frame++) {
    while (firstFrameOf(from) + windowFrames <= frame) from++;
    const votes = new FrameVotes();
    let voiceCount = 0;
    let to = from;
    for (; to < windows.length && firstFrameOf(to) <= frame; to++) {
      const speaking = windows[to]?.[frame - firstFrameOf(to)] ?? 0;
      if (speaking === 0) continue;
      voiceCount += countVoices(speaking);
      for (let voice = 0; voice < maxVoices; voice++) {
        const index = to * maxVoices + voice;
        const speaker = speakers[index] ?? -1;
        if ((speaking & (1 << voice)) !== 0 && speaker >= 0) votes.add(speaker, to, confidences[index] ?? 0);
      }
    }
    turns.add(frame, votes.best(roundHalfToEven(voiceCount / (to - from)), turns));
  }
  return turns.finish();
}

/** Rounds 0.5 down to 0, as pyannote does: a speaker whom only half of the windows hear is not counted. */
function roundHalfToEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 === 1 ? rounded - 1 : rounded;
}

/** How many windows find a speaker in a frame. */
interface SpeakerVotes {
  readonly speaker: number;
  windows: number;
  lastWindow: number;
  /** Sum over the voices. */
  confidence: number;
  voices: number;
}

/** Who speaks in a frame. */
class FrameVotes {
  readonly #votes: SpeakerVotes[] = [];

  add(speaker: number, window: number, confidence: number): void {
    let votes = this.#votes.find((candidate) => candidate.speaker === speaker);
    if (votes === undefined) {
      votes = { speaker, windows: 0, lastWindow: -1, confidence: 0, voices: 0 };
      this.#votes.push(votes);
    }
    if (votes.lastWindow !== window) votes.windows += 1;
    votes.lastWindow = window;
    votes.confidence += confidence;
    votes.voices += 1;
  }

  /** Returns the speakers that most windows agree on; of equal ones, those that continue, then the first ones. */
  best(count: number, turns: TurnCollector): readonly SpeakerVotes[] {
    if (count === 0 || this.#votes.length === 0) return [];
    const order = (a: SpeakerVotes, b: SpeakerVotes): number =>
      b.windows - a.windows ||
      Number(turns.isOpen(b.speaker)) - Number(turns.isOpen(a.speaker)) ||
      a.speaker - b.speaker;
    return [...this.#votes].sort(order).slice(0, count);
  }
}

interface OpenTurn {
  readonly from: number;
  to: number;
  confidence: number;
}

/** Joins neighbouring frames of a speaker. */
class TurnCollector {
  readonly #seconds: number;
  readonly #open = new Map<number, OpenTurn>();
  readonly #turns: FoundTurn[] = [];

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  isOpen(speaker: number): boolean {
    return this.#open.has(speaker);
  }

  /** Adds the speakers of the next frame. */
  add(frame: number, speaking: readonly SpeakerVotes[]): void {
    for (const { speaker, confidence, voices } of speaking) {
      const turn = this.#open.get(speaker);
      if (turn === undefined)
        this.#open.set(speaker, { from: frame, to: frame, confidence: confidence / voices });
      else {
        turn.to = frame;
        turn.confidence += confidence / voices;
      }
    }
    if (this.#open.size > speaking.length) {
      for (const [speaker, turn] of this.#open) if (turn.to < frame) this.#close(speaker, turn);
    }
  }

  finish(): readonly FoundTurn[] {
    for (const [speaker, turn] of this.#open) this.#close(speaker, turn);
    return this.#turns.sort((a, b) => a.start - b.start || a.speaker - b.speaker);
  }

  #close(speaker: number, { from, to, confidence }: OpenTurn): void {
    this.#open.delete(speaker);
    const start = frameStartSeconds(from);
    const end = Math.min(frameStartSeconds(to + 1), this.#seconds);
    if (start < end) this.#turns.push({ start, end, speaker, confidence: confidence / (to - from + 1) });
  }
}
