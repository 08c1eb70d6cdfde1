import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VoiceLabels, WindowVoice } from '../../../../electron/on-device/speakers/cluster-voices.ts';
import { mergeWindows, type FoundTurn } from '../../../../electron/on-device/speakers/merge-windows.ts';
import {
  firstFrameOf,
  frameStartSeconds,
  windowFrames,
} from '../../../../electron/on-device/speakers/window-grid.ts';

/** Who of some speakers a window calls which voice. */
type Naming = readonly number[];

/** Some speakers in each frame. */
const always = (speakers: readonly number[], frames: number): (readonly number[])[] =>
  Array.from({ length: frames }, () => speakers);

/** Merges windows that find exactly what is said, each with its own names of the speakers. */
function merge(
  truth: readonly (readonly number[])[],
  namings: readonly Naming[],
  change: (windows: Uint8Array[], labels: VoiceLabels) => void = () => undefined,
): readonly FoundTurn[] {
  const voices: WindowVoice[] = [];
  const speakers: number[] = [];
  const windows = namings.map((naming, window) => {
    naming.forEach((speaker, voice) => {
      voices.push({ window, voice, framesAlone: 100 });
      speakers.push(speaker);
    });
    return Uint8Array.from({ length: windowFrames }, (_, i) =>
      (truth[firstFrameOf(window) + i] ?? []).reduce(
        (bits, speaker) => bits | (1 << naming.indexOf(speaker)),
        0,
      ),
    );
  });
  const labels = {
    speakers: Int32Array.from(speakers),
    confidences: new Float32Array(speakers.length).fill(0.5),
  };
  change(windows, labels);
  return mergeWindows(windows, voices, labels, 3600);
}

/** The turns of a truth by frame. */
function turnsOf(truth: readonly (readonly number[])[], frames: number): readonly object[] {
  const turns: { speaker: number; from: number; to: number }[] = [];
  for (let frame = 0; frame < frames; frame++) {
    for (const speaker of truth[frame] ?? []) {
      const open = turns.find((turn) => turn.speaker === speaker && turn.to === frame - 1);
      if (open === undefined) turns.push({ speaker, from: frame, to: frame });
      else open.to = frame;
    }
  }
  return turns
    .sort((a, b) => a.from - b.from || a.speaker - b.speaker)
    .map(({ speaker, from, to }) => ({
      speaker,
      start: frameStartSeconds(from),
      end: frameStartSeconds(to + 1),
      confidence: expect.closeTo(0.5, 5),
    }));
}

const namings = fc.array(fc.constantFrom([0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1]), {
  minLength: 1,
  maxLength: 5,
});
const frame = fc.constantFrom<number[]>([], [0], [1], [2], [0, 1], [0, 2], [1, 2]);
const stretches = fc.array(fc.tuple(frame, fc.integer({ min: 1, max: 300 })), {
  minLength: 1,
  maxLength: 10,
});

describe('merged windows', () => {
  it('are what all windows agree on, whatever they call the speakers', () => {
    fc.assert(
      fc.property(stretches, namings, (parts, names) => {
        const truth = parts.flatMap(([speakers, length]) => always(speakers, length));
        const frames = firstFrameOf(names.length - 1) + windowFrames;
        expect(merge(truth, names)).toEqual(turnsOf(truth, frames));
      }),
      { numRuns: 100 },
    );
  });

  it('follow the majority', () => {
    const truth = always([0], 1200);
    const names = [
      [0, 1],
      [0, 1],
      [0, 1],
      [0, 1],
    ];
    // One window calls a voice by another speaker, and one finds nobody: three of four windows cover this.
    const turns = merge(truth, names, (windows, labels) => {
      labels.speakers[2] = 1;
      labels.speakers[3] = 0;
      windows[3]!.fill(0);
    });
    const from = firstFrameOf(3);
    const during = turns.filter(
      ({ start, end }) => end > frameStartSeconds(from) && start < frameStartSeconds(windowFrames),
    );
    expect(during.map(({ speaker }) => speaker)).toEqual([0]);
  });

  it('have nobody in frames that half of the windows find silent', () => {
    const truth = always([0], 766);
    const turns = merge(truth, [[0], [0]], (windows) => windows[1]!.fill(0));
    expect(turns).toEqual(turnsOf(truth, firstFrameOf(1)));
  });

  it('leave out voices of no speaker', () => {
    const truth = always([0, 1], windowFrames);
    const turns = merge(truth, [[0, 1]], (_, labels) => {
      labels.speakers[0] = -1;
    });
    expect(turns.map(({ speaker }) => speaker)).toEqual([1]);
  });

  it('count two voices of one speaker as one', () => {
    const truth = always([0, 1], windowFrames);
    const turns = merge(truth, [[0, 1]], (_, labels) => {
      labels.speakers[1] = 0;
    });
    expect(turns).toEqual(turnsOf(always([0], windowFrames), windowFrames));
  });

  it('end with the recording', () => {
    const labels = { speakers: Int32Array.of(0), confidences: Float32Array.of(1) };
    const windows = [new Uint8Array(windowFrames).fill(1)];
    const [turn] = mergeWindows(windows, [{ window: 0, voice: 0, framesAlone: 1 }], labels, 4.2);
    expect(turn?.end).toBe(4.2);
    expect(mergeWindows(windows, [{ window: 0, voice: 0, framesAlone: 1 }], labels, 0.01)).toEqual([]);
    expect(mergeWindows([], [], labels, 0)).toEqual([]);
  });
});
