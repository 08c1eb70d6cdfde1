import type { TFunction } from 'i18next';
import type { Finding } from '../../../../electron/core/transcript/review/review.ts';

/** The maximum length of words that are quoted in a line of text. */
const maxQuoteLength = 60;

function quoted(text: string): string {
  return text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength).toWellFormed()}…` : text;
}

/** Returns what is suspect, in one line. */
export function findingText(t: TFunction, finding: Finding): string {
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
    default:
      return t(`transcript.review.kind.${finding.kind}`, { amount: Math.round(finding.amount * 10) / 10 });
  }
}
