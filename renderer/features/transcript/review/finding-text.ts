import type { TFunction } from 'i18next';
import type { Finding } from '../../../../electron/core/transcript/review/review.ts';
import type { Format } from '../../../ui/text/format.ts';
import { shortened } from '../../../ui/text/shortened.ts';

/** Maximum characters of the words that a finding quotes. */
const maxQuoteLength = 60;

/** Returns what is suspect, in one line. */
export function findingText(t: TFunction, format: Format, finding: Finding): string {
  switch (finding.kind) {
    case 'unsure':
    case 'doubled':
      return t(`transcript.review.${finding.kind}`, { text: shortened(finding.text, maxQuoteLength) });
    case 'spelling': {
      const spellings = finding.spellings.map(({ text, count }) =>
        t('transcript.review.occurs', { text, count }),
      );
      return t('transcript.review.spelling', { spellings: spellings.join(', ') });
    }
    case 'stretched':
      return t('transcript.review.stretched', {
        text: shortened(finding.text, maxQuoteLength),
        duration: durationText(t, format, finding.amount),
      });
    case 'short':
    case 'overlap':
    case 'gap':
      return finding.amount <= 0
        ? t('transcript.review.noDuration')
        : t(`transcript.review.kind.${finding.kind}`, { duration: durationText(t, format, finding.amount) });
    default:
      return t(`transcript.review.kind.${finding.kind}`, { amount: Math.round(finding.amount * 10) / 10 });
  }
}

/** Returns seconds as people read them; below ten with a fraction, so that a short time is not "0 s". */
function durationText(t: TFunction, format: Format, seconds: number): string {
  if (seconds >= 10) return format.duration(seconds);
  const scale = seconds < 0.1 ? 1000 : 10;
  return t('unit.seconds', { seconds: Math.round(seconds * scale) / scale });
}
