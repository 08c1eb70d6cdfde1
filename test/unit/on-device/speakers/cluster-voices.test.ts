import { describe, expect, it } from 'vitest';
import {
  assignVoices,
  findSpeakers,
  type WindowVoice,
} from '../../../../electron/on-device/speakers/cluster-voices.ts';
import { type Matrix, rowOf, withUnitRows } from '../../../../electron/on-device/speakers/matrix.ts';
import { samplePlda, Voices } from '../../../support/speech/sample-voices.ts';
import { asMatrix, inOrder } from './as-matrix.ts';

const sample = new Voices(64);
const plda = samplePlda(64);
const find = (embeddings: Matrix, voices: readonly WindowVoice[], speakerCount: number | null = null) =>
  findSpeakers(embeddings, voices, { plda, speakerCount, throwIfCancelled: () => undefined });

/** Embeddings of people, one for each window. */
function embeddingsOf(people: readonly number[]): {
  readonly embeddings: Matrix;
  readonly voices: readonly WindowVoice[];
} {
  return {
    embeddings: asMatrix(people.map((person, i) => [...sample.embedding(person, i)])),
    voices: people.map((_, window) => ({ window, voice: 0, framesAlone: 300 })),
  };
}

/** Returns which person each centroid is closest to. */
function peopleOf(centroids: Matrix, count: number): readonly number[] {
  return Array.from({ length: centroids.rows }, (_, i) => {
    const similarity = Array.from({ length: count }, (_, person) =>
      sample.person(person).reduce((sum, value, k) => sum + value * rowOf(withUnitRows(centroids), i)[k]!, 0),
    );
    return similarity.indexOf(Math.max(...similarity));
  });
}

describe('the speakers', () => {
  it.each([1, 2, 5, 12])('are found: %i', (count) => {
    const { embeddings, voices } = embeddingsOf(
      Array.from({ length: 40 * count }, (_, i) => (i * 7) % count),
    );
    const { centroids, isDivided } = find(embeddings, voices);
    expect(peopleOf(centroids, count).toSorted((a, b) => a - b)).toEqual([...Array(count).keys()]);
    expect(isDivided).toBe(false);
  });

  it('are as many as there are said to be', () => {
    const { embeddings, voices } = embeddingsOf(Array.from({ length: 90 }, (_, i) => i % 3));
    expect(find(embeddings, voices, 3).isDivided).toBe(false);
    for (const count of [1, 2, 5]) {
      const { centroids, isDivided } = find(embeddings, voices, count);
      expect([centroids.rows, isDivided]).toEqual([count, true]);
    }
    const few = embeddingsOf([0, 1]);
    expect(find(few.embeddings, few.voices, 9).centroids.rows).toBe(2);
  });

  it('are those who speak alone for long enough, if there are any', () => {
    const { embeddings, voices } = embeddingsOf(Array.from({ length: 60 }, (_, i) => i % 3));
    const short = voices.map((voice, i) => ({ ...voice, framesAlone: i % 3 === 0 ? 117 : 118 }));
    expect(peopleOf(find(embeddings, short).centroids, 3).toSorted()).toEqual([1, 2]);
    const allShort = voices.map((voice) => ({ ...voice, framesAlone: 10 }));
    expect(find(embeddings, allShort).centroids.rows).toBe(3);
  });

  it('need no voice, or only one', () => {
    expect(find({ rows: 0, columns: 64, values: new Float64Array(0) }, []).centroids.rows).toBe(0);
    const one = embeddingsOf([4]);
    expect(find(one.embeddings, one.voices).centroids).toEqual(one.embeddings);
  });
});

describe('the speaker of a voice', () => {
  const centroids = asMatrix([
    [1, 0, 0],
    [0, 1, 0],
  ]);
  const voices: readonly WindowVoice[] = [
    { window: 0, voice: 0, framesAlone: 9 },
    { window: 0, voice: 1, framesAlone: 9 },
    { window: 1, voice: 2, framesAlone: 9 },
  ];
  const embeddings = asMatrix([
    [2, 1, 0],
    [9, 0, 0],
    [0, 3, 4],
  ]);

  it('is the most similar one, another one for each voice of a window', () => {
    expect([...assignVoices(embeddings, voices, centroids, true).speakers]).toEqual([1, 0, 1]);
  });

  it('may be the same for two voices of a window', () => {
    expect([...assignVoices(embeddings, voices, centroids, false).speakers]).toEqual([0, 0, 1]);
  });

  it('may be missing if there are fewer', () => {
    const one = asMatrix([[1, 0, 0]]);
    const { speakers, confidences } = assignVoices(embeddings, voices, one, true);
    expect([...speakers]).toEqual([-1, 0, 0]);
    expect([...confidences]).toEqual([0, 1, 1]);
    const none = { rows: 0, columns: 3, values: new Float64Array(0) };
    expect([...assignVoices(embeddings, voices, none, true).speakers]).toEqual([-1, -1, -1]);
  });

  it('is more or less certain', () => {
    const { confidences } = assignVoices(embeddings, voices, centroids, false);
    const near = 1 - 2 / Math.sqrt(5);
    const far = 1 - 1 / Math.sqrt(5);
    expect([...confidences]).toEqual([expect.closeTo((far - near) / far, 5), 1, expect.closeTo(0.6, 5)]);
    // The farther one, where the closer one has another voice.
    expect(assignVoices(embeddings, voices, centroids, true).confidences[0]).toBe(0);
  });
});

it('has clear people in its samples', () => {
  const { embeddings } = embeddingsOf([0, 0, 1]);
  const unit = withUnitRows(embeddings);
  const cosine = (i: number, j: number) =>
    rowOf(unit, i).reduce((sum, value, k) => sum + value * rowOf(unit, j)[k]!, 0);
  expect(cosine(0, 1)).toBeGreaterThan(0.6);
  expect(Math.abs(cosine(0, 2))).toBeLessThan(0.5);
  expect(inOrder([5, 5, 3])).toEqual([0, 0, 1]);
});
