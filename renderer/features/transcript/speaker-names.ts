import type { TFunction } from 'i18next';
import type { Draft } from '../../../electron/contract/transcript.ts';

/** Returns the names of the speakers, by index; a speaker without a name gets a numbered one. */
export function speakerNames({ speakers, segments }: Draft, t: TFunction): readonly string[] {
  const highest = segments.reduce((top, { speaker }) => Math.max(top, speaker ?? -1), speakers.length - 1);
  return Array.from({ length: highest + 1 }, (_, index) => {
    const name = speakers[index] ?? '';
    return name === '' ? t('transcript.speakerNumber', { number: index + 1 }) : name;
  });
}
