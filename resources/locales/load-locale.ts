import type { ResourceLanguage } from 'i18next';

/** The words of a language as i18next takes them; those of languages that are not used are not loaded. */
export async function loadLocale(language: 'en' | 'de' | 'es'): Promise<ResourceLanguage> {
  switch (language) {
    case 'en':
      return words(await import('./en.json', { with: { type: 'json' } }));
    case 'de':
      return words(await import('./de.json', { with: { type: 'json' } }));
    case 'es':
      return words(await import('./es.json', { with: { type: 'json' } }));
  }
}

const words = ({ default: translation }: { readonly default: object }): ResourceLanguage => ({ translation });
