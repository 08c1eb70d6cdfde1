import type { TermList } from '../../contract/options.ts';
import { termLimits } from '../../contract/limits.ts';
import { normalizeText } from '../../contract/unicode.ts';

/** Line breaks, tabs and other control characters, commas and semicolons, including those of other scripts. */
const separators = /[\p{Cc}\u2028\u2029,;،؛、，；]+/u;

/**
 * Reads a list of names and terms, one per line or separated by commas or semicolons. Repeated terms and those that
 * exceed the limits are left out.
 */
export function readTerms(text: string): TermList {
  const terms: string[] = [];
  let length = 0;
  let isShortened = false;
  for (const term of splitTerms(text.split('\n').map(withoutHeading).join('\n'))) {
    const fits =
      terms.length < termLimits.count &&
      term.length <= termLimits.length &&
      length + term.length <= termLimits.total;
    if (fits) {
      terms.push(term);
      length += term.length;
    } else {
      isShortened = true;
    }
  }
  return { terms, isShortened };
}

/** Returns the entries of a typed list, each once. */
export const splitTerms = (text: string): readonly string[] => {
  const entries = normalizeText(text.toWellFormed(), 'NFC').split(separators).map(withSingleSpaces);
  return [...new Set(entries)].filter((term) => term !== '');
};

/** Returns a line without what stands before the list in it, as in "Names: Ada, Grace"; a single term may contain a colon. */
function withoutHeading(line: string): string {
  const [heading = '', ...rest] = line.split(': ');
  const isHeading = rest.length > 0 && !separators.test(heading) && separators.test(rest.join(': ').trim());
  return isHeading ? rest.join(': ') : line;
}

/** Returns a list as text that {@link readTerms} reads: one per line. */
export const formatTerms = (terms: readonly string[]): string => terms.join('\n');

const withSingleSpaces = (text: string): string => text.trim().replaceAll(/\s+/gu, ' ');
