import { useTranslation } from 'react-i18next';
import { i18n } from '../../i18n.ts';
import { createFormat, type Format } from './format.ts';

/** The formats of each language that was used: creating them takes longer than rendering a row. */
const formats = new Map<string, Format>();

/**
 * Returns the formats of the window's language, with the conventions of the user's region if that has the same
 * language.
 */
export function useFormat(): Format {
  const { language } = useTranslation().i18n;
  const existing = formats.get(language);
  if (existing !== undefined) return existing;
  const regional = navigator.languages.find((tag) => tag === language || tag.startsWith(`${language}-`));
  const format = createFormat(regional ?? language, i18n.getFixedT(language));
  formats.set(language, format);
  return format;
}
