import { describe, expect, it } from 'vitest';
import {
  identifySpeakers,
  type SpeakerResult,
  type SpeakerTask,
} from '../../../../electron/on-device/speakers/identify-speakers.ts';
import { diarizationError } from '../../../support/speech/diarization-error.ts';
import { samplePlda } from '../../../support/speech/sample-voices.ts';
import { inChunks } from '../../../support/speech/speech-audio.ts';
import { audioOf, type Conversation, inTurn } from '../../../support/speech/tone-voices.ts';
import { KnowingSegmentation, loudnessEmbedding } from './stand-in-models.ts';

const plda = samplePlda(80, 80);

function identify(
  conversation: Conversation,
  seconds: number,
  changes: Partial<SpeakerTask> & { readonly chunkSeconds?: number } = {},
): Promise<SpeakerResult> {
  const { chunkSeconds = 1, ...others } = changes;
  return identifySpeakers({
    samples: inChunks(audioOf(conversation, seconds), chunkSeconds),
    segmentation: new KnowingSegmentation(conversation),
    embedding: loudnessEmbedding,
    plda,
    speakerCount: null,
    onProgress: () => undefined,
    throwIfCancelled: () => undefined,
    ...others,
  });
}

describe('a conversation', () => {
  const interview = inTurn([0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1]);

  it('of two people is divided between them', async () => {
    const { speakers, turns, ghosts } = await identify(interview, 53);
    expect(speakers.length).toBe(2);
    expect(ghosts).toBe(0);
    expect(diarizationError(interview, turns).rate).toBeLessThan(0.02);
    expect(turns.map(({ start }) => start)).toEqual(
      turns.map(({ start }) => start).toSorted((a, b) => a - b),
    );
    expect(turns[0]?.speaker).toBe(0);
    for (const { confidence } of turns) expect(confidence).toBeGreaterThan(0.5);
    for (const [i, { seconds, confidence, embedding }] of speakers.entries()) {
      const own = interview.filter(({ speaker }) => speaker === i);
      expect(seconds).toBeCloseTo(own.length * 4, 0);
      expect(confidence).toBeGreaterThan(0.5);
      expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
    }
  });

  it('has the same speakers in whatever pieces the audio comes', async () => {
    const results = await Promise.all(
      [0.11, 7, 53].map((chunkSeconds) => identify(interview, 53, { chunkSeconds })),
    );
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  it('has overlapping turns where two speak at once', async () => {
    const conversation = [
      ...inTurn([0, 1, 0, 1, 0, 1]),
      { speaker: 1, start: 9.5, end: 11.5 },
      { speaker: 0, start: 22.5, end: 25 },
    ];
    const { turns } = await identify(conversation, 27);
    expect(diarizationError(conversation, turns).rate).toBeLessThan(0.03);
  });

  it.each([
    ['one person', Array<number>(8).fill(3), 1],
    ['forty people', Array.from({ length: 120 }, (_, i) => (i * 7) % 40), 40],
  ])('of %s has as many speakers', async (_, people, count) => {
    const conversation = inTurn(people);
    const { speakers, turns } = await identify(conversation, people.length * 4.3 + 1);
    expect(speakers.length).toBe(count);
    expect(diarizationError(conversation, turns).rate).toBeLessThan(0.02);
  });

  it('has as many speakers as there are said to be', async () => {
    const three = inTurn([0, 1, 2, 0, 1, 2, 0, 1, 2]);
    for (const speakerCount of [1, 2, 3]) {
      expect((await identify(three, 40, { speakerCount })).speakers.length).toBe(speakerCount);
    }
    const { turns } = await identify(three, 40, { speakerCount: 2 });
    // Nobody is lost: two of the three are one speaker.
    expect(diarizationError(three, turns).missed).toBeLessThan(0.5);
  });

  it('gives a ghost to the most similar speaker, unless the number is known', async () => {
    // 1.4 s of somebody else in 129 s.
    const conversation = [
      ...inTurn(Array.from({ length: 30 }, (_, i) => i % 2)).filter((_, i) => i !== 15),
      { speaker: 2, start: 65.5, end: 66.9 },
    ];
    const heard = { speaker: 2, start: 65.5, end: 66.9 };
    const found = await identify(conversation, 130);
    const known = await identify(conversation, 130, { speakerCount: 3 });
    const speakersOf = ({ turns }: SpeakerResult) =>
      turns.filter(({ start, end }) => start < heard.end && end > heard.start).map(({ speaker }) => speaker);
    expect(found.speakers.length).toBe(2);
    expect(known.speakers.length).toBe(3);
    expect(speakersOf(known)).toEqual([2]);
    expect(speakersOf(found).length).toBe(1);
  });
});

describe('a recording', () => {
  it('of silence, or of nothing, has no speakers', async () => {
    for (const seconds of [0, 0.01, 30]) {
      expect(await identify([], seconds)).toEqual({ speakers: [], turns: [], ghosts: 0 });
    }
  });

  it('shorter than a window has speakers', async () => {
    const conversation = inTurn([0, 1], 2);
    const { speakers, turns } = await identify(conversation, 5);
    expect(speakers.length).toBe(2);
    expect(diarizationError(conversation, turns).rate).toBeLessThan(0.05);
  });

  it('has no speakers where the model fails', async () => {
    const embedding = { dimensions: 80, embed: async () => new Float32Array(80).fill(NaN) };
    expect(await identify(inTurn([0, 1]), 10, { embedding })).toEqual({ speakers: [], turns: [], ghosts: 0 });
  });

  it('reports its progress, and can be cancelled', async () => {
    const progress: number[] = [];
    const onProgress = (seconds: number) => progress.push(seconds);
    await identify(inTurn([0, 1, 0]), 14.5, { onProgress });
    expect(progress).toEqual([10, 13, 14.5]);
    const throwIfCancelled = () => {
      if (progress.length > 4) throw new Error('cancelled');
    };
    await expect(identify(inTurn([0, 1, 0]), 60, { onProgress, throwIfCancelled })).rejects.toThrow(
      'cancelled',
    );
    expect(progress.length).toBe(5);
  });
});
