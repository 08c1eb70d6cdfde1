import type { TFunction } from 'i18next';
import type { Draft, DraftSegment } from '../../../electron/contract/transcript.ts';

/** Number of speakers with a key and a colour of their own. */
export const distinctSpeakers = 9;

/** Returns the number of speakers who have a name or a segment; those with lower indexes count, too. */
export const speakerCount = ({ speakers, segments }: Draft): number =>
  segments.reduce((count, { speaker }) => Math.max(count, (speaker ?? -1) + 1), speakers.length);

/** Returns the names of the speakers, by index; a speaker without a name gets a numbered one. */
export function speakerNames(draft: Draft, t: TFunction): readonly string[] {
  return Array.from({ length: speakerCount(draft) }, (_, index) => {
    const name = draft.speakers[index] ?? '';
    return name === '' ? t('transcript.speakerNumber', { number: index + 1 }) : name;
  });
}

/**
 * Returns the label of a segment whose speaker differs from the previous one: the name, or that there is no speaker;
 * `null` if the speaker is the same.
 *
 * @param names the names of the speakers, by index
 */
export function speakerLabel(
  speaker: number | null,
  previous: number | null,
  names: readonly string[],
  t: TFunction,
): string | null {
  if (speaker === previous) return null;
  return speaker === null ? t('transcript.act.noSpeaker') : (names[speaker] ?? '');
}

/** How long a speaker talks in a transcript. */
export interface SpeakingTime {
  readonly seconds: number;
  /**
   * Mean confidence that the segments belong to the speaker, 0 to 1, weighted by duration; `null` if a person has
   * assigned them all.
   */
  readonly confidence: number | null;
}

/** Returns how long each speaker talks, by index, without speakers who have no segment. */
export function speakingTimes(segments: readonly DraftSegment[]): ReadonlyMap<number, SpeakingTime> {
  const sums = new Map<number, { seconds: number; identifiedSeconds: number; weightedConfidence: number }>();
  for (const { speaker, start, end, extras } of segments) {
    if (speaker === null) continue;
    const sum = sums.get(speaker) ?? { seconds: 0, identifiedSeconds: 0, weightedConfidence: 0 };
    sums.set(speaker, sum);
    sum.seconds += end - start;
    if (extras?.speakerConfidence === undefined) continue;
    sum.identifiedSeconds += end - start;
    sum.weightedConfidence += (end - start) * extras.speakerConfidence;
  }
  return new Map(
    [...sums].map(([speaker, { seconds, identifiedSeconds, weightedConfidence }]) => [
      speaker,
      { seconds, confidence: identifiedSeconds > 0 ? weightedConfidence / identifiedSeconds : null },
    ]),
  );
}

/** Returns the longest segment of each speaker, by index: where they can be heard. */
export function speakerSamples(segments: readonly DraftSegment[]): ReadonlyMap<number, DraftSegment> {
  const longest = new Map<number, DraftSegment>();
  for (const segment of segments) {
    const { speaker } = segment;
    if (speaker === null) continue;
    const other = longest.get(speaker);
    if (other === undefined || segment.end - segment.start > other.end - other.start)
      longest.set(speaker, segment);
  }
  return longest;
}
