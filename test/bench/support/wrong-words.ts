import { words } from '../../support/speech/speech-audio.ts';

/** A difference between the transcript and the speech; one side is empty where words are missing or superfluous. */
export interface WrongWords {
  readonly said: string;
  readonly heard: string;
}

/** Returns the differences between a transcript and the speech, with minimal edit distance in words. */
export function wrongWords(said: string, heard: string): readonly WrongWords[] {
  const [reference, written] = [words(said), words(heard)];
  const distances = distancesToEnd(reference, written);
  const distance = (i: number, j: number): number => distances[i]?.[j] ?? Infinity;
  const wrong: { said: string[]; heard: string[] }[] = [];
  let current: { said: string[]; heard: string[] } | null = null;
  for (let i = 0, j = 0; i < reference.length || j < written.length;) {
    const isSame = i < reference.length && reference[i] === written[j];
    if (isSame && distance(i, j) === distance(i + 1, j + 1)) {
      current = null;
      i++;
      j++;
      continue;
    }
    if (current === null) wrong.push((current = { said: [], heard: [] }));
    const cheapest = Math.min(distance(i + 1, j + 1), distance(i + 1, j), distance(i, j + 1));
    const isChange = cheapest === distance(i + 1, j + 1);
    const isMissing = !isChange && cheapest === distance(i + 1, j);
    if (isChange || isMissing) current.said.push(reference[i++] ?? '');
    if (isChange || !isMissing) current.heard.push(written[j++] ?? '');
  }
  return wrong.map((one) => ({ said: one.said.join(' '), heard: one.heard.join(' ') }));
}

/** Computes the edit distance from each pair of positions to the ends of both lists. */
function distancesToEnd(
  reference: readonly string[],
  written: readonly string[],
): readonly (readonly number[])[] {
  const rows: number[][] = [Array.from({ length: written.length + 1 }, (_, j) => written.length - j)];
  for (const word of reference.toReversed()) {
    const below = rows[0] ?? [];
    const row: number[] = [];
    row[written.length] = (below[written.length] ?? 0) + 1;
    for (let j = written.length - 1; j >= 0; j--) {
      const changed = (below[j + 1] ?? 0) + (word === written[j] ? 0 : 1);
      row[j] = Math.min(changed, (below[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1);
    }
    rows.unshift(row);
  }
  return rows;
}
