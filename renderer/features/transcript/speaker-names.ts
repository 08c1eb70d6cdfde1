import type { TFunction } from 'i18next';
import type { Draft } from '../../../electron/contract/transcript.ts';

/** What the speakers are called, by index; those without a name by their number. */
export function speakerNames({ speakers, segments }: Draft, t: TFunction): readonly string[] {
  const highest = segments.reduce((top, { speaker }) => Math.max(top, speaker ?? -1), speakers.length - 1);
  return Array.from({ length: highest + 1 }, (_, index) => {
    const name = speakers[index] ?? '';
    return name === '' ? t('transcript.speakerNumber', { number: index + 1 }) : name;
  });
}
