import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import english from '../resources/locales/en.json' with { type: 'json' };

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof english };
  }
}

/** The words of the window, in its language. */
export const i18n = createInstance();

/** Loads the words; nothing can be shown before. */
export async function loadWords(): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: english } },
    // React writes text as text.
    interpolation: { escapeValue: false },
  });
}
