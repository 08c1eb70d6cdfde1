import { useTranslation } from 'react-i18next';
import { i18n } from '../../i18n.ts';
import { createFormat, type Format } from './format.ts';

/** The formats of each language that was spoken: to make them takes longer than to draw a row. */
const made = new Map<string, Format>();

/** The formats in the window's language, with the habits of the user's own region where it speaks that language. */
export function useFormat(): Format {
  const { language } = useTranslation().i18n;
  const known = made.get(language);
  if (known !== undefined) return known;
  const regional = navigator.languages.find((tag) => tag === language || tag.startsWith(`${language}-`));
  const format = createFormat(regional ?? language, i18n.getFixedT(language));
  made.set(language, format);
  return format;
}
