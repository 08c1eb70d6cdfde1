import type { TFunction } from 'i18next';
import type { Finding } from '../../../../electron/core/transcript/review/review.ts';

/** The maximum length of words that are quoted in a line of text. */
const maxQuoteLength = 60;

/** Returns what is suspect, in one line. */
export function findingText(t: TFunction, finding: Finding): string {
  switch (finding.kind) {
    case 'unsure': {
      const { text } = finding;
      const isLong = text.length > maxQuoteLength;
      const quoted = isLong ? `${text.slice(0, maxQuoteLength).toWellFormed()}…` : text;
      return t('transcript.review.unsure', { text: quoted });
    }
    case 'spelling': {
      const spellings = finding.spellings.map(({ text, count }) =>
        t('transcript.review.occurs', { text, count }),
      );
      return t('transcript.review.spelling', { spellings: spellings.join(', ') });
    }
    default:
      return t(`transcript.review.kind.${finding.kind}`, { amount: Math.round(finding.amount * 10) / 10 });
  }
}
