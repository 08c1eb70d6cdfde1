import type { TFunction } from 'i18next';
import type { Draft, DraftSegment } from '../../../electron/contract/transcript.ts';

/** Returns the names of the speakers, by index; a speaker without a name gets a numbered one. */
export function speakerNames({ speakers, segments }: Draft, t: TFunction): readonly string[] {
  const highest = segments.reduce((top, { speaker }) => Math.max(top, speaker ?? -1), speakers.length - 1);
  return Array.from({ length: highest + 1 }, (_, index) => {
    const name = speakers[index] ?? '';
    return name === '' ? t('transcript.speakerNumber', { number: index + 1 }) : name;
  });
}

/**
 * Returns what to show where the speaker changes: the name, or that there is none, as the text would otherwise seem to be
 * the previous speaker's; `null` if that one continues.
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

/** How much a speaker says. */
export interface SpeakingTime {
  readonly seconds: number;
  /**
   * Confidence that the segments belong to the speaker, from 0 to 1, by duration; `null` if a person has assigned them
   * all.
   */
  readonly confidence: number | null;
}

/** Returns how much each speaker says, by index; those who say nothing may be left out. */
export function speakingTimes(segments: readonly DraftSegment[]): ReadonlyMap<number, SpeakingTime> {
  const sums = new Map<number, { seconds: number; found: number; certain: number }>();
  for (const { speaker, start, end, extras } of segments) {
    if (speaker === null) continue;
    const sum = sums.get(speaker) ?? { seconds: 0, found: 0, certain: 0 };
    sums.set(speaker, sum);
    sum.seconds += end - start;
    if (extras?.speakerConfidence === undefined) continue;
    sum.found += end - start;
    sum.certain += (end - start) * extras.speakerConfidence;
  }
  return new Map(
    [...sums].map(([speaker, { seconds, found, certain }]) => [
      speaker,
      { seconds, confidence: found > 0 ? certain / found : null },
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
