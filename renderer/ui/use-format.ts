import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { createFormat, type Format } from './format.ts';

/** The formats in the window's language, with the habits of the user's own region where it speaks that language. */
export function useFormat(): Format {
  const { t, i18n } = useTranslation();
  const language = i18n.language;
  return useMemo(() => {
    const regional = navigator.languages.find((tag) => tag === language || tag.startsWith(`${language}-`));
    return createFormat(regional ?? language, t);
  }, [language, t]);
}
