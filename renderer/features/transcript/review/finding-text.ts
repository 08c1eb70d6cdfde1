import type { TFunction } from 'i18next';
import type { Finding } from '../../../../electron/core/transcript/review/review.ts';
import type { Format } from '../../../ui/text/format.ts';

/** The maximum length of words that are quoted in a line of text. */
const maxQuoteLength = 60;

function quoted(text: string): string {
  return text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength).toWellFormed()}…` : text;
}

/** Returns what is suspect, in one line. */
export function findingText(t: TFunction, format: Format, finding: Finding): string {
  switch (finding.kind) {
    case 'unsure':
    case 'doubled':
      return t(`transcript.review.${finding.kind}`, { text: quoted(finding.text) });
    case 'spelling': {
      const spellings = finding.spellings.map(({ text, count }) =>
        t('transcript.review.occurs', { text, count }),
      );
      return t('transcript.review.spelling', { spellings: spellings.join(', ') });
    }
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
