import type { ResourceLanguage } from 'i18next';
import english from '../../../resources/locales/en.json' with { type: 'json' };
import { loadLocale as loadReal } from '../../../resources/locales/load-locale.ts';

/** A right-to-left pseudo-language; the window takes it for Arabic. */
export const pseudoLanguage = 'ar';

/**
 * Replaces the program's own loader when the window is built for tests: adds a language in which everything is English,
 * written from right to left and a third longer.
 */
export async function loadLocale(language: Parameters<typeof loadReal>[0] | 'ar'): Promise<ResourceLanguage> {
  return language === pseudoLanguage
    ? { translation: mirrored(english) as ResourceLanguage }
    : loadReal(language);
}

/** All plural forms of Arabic; those that English lacks use its `other`. */
const forms = ['zero', 'one', 'two', 'few', 'many'] as const;

function mirrored(node: object): object {
  const entries = Object.entries(node).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
    if (typeof value !== 'string') return [[key, mirrored(value as object)]];
    const text = mirroredWords(value);
    if (!key.endsWith('_other')) return [[key, text]];
    const stem = key.slice(0, -'_other'.length);
    return [
      ...forms
        .filter((form) => !(`${stem}_${form}` in node))
        .map((form) => [`${stem}_${form}`, text] as const),
      [key, text],
    ];
  });
  return Object.fromEntries(entries);
}

const rightToLeft = '\u202E';
const end = '\u202C';

/** Puts each word between marks that reverse its direction, and makes it a third longer; inserted values stay. */
const mirroredWords = (text: string): string =>
  text
    .split(/(\{\{.*?\}\})/)
    .map((part) =>
      part.startsWith('{{')
        ? part
        : part.replaceAll(/[\p{L}\p{M}]+/gu, (word) => `${rightToLeft}${word}${longer(word)}${end}`),
    )
    .join('');

/** Returns a third of a word, since translations of English tend to be longer. */
const longer = (word: string): string => word.slice(0, Math.ceil(word.length / 3) - 1);
