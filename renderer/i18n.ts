import { createInstance } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Settings } from '../electron/contract/settings.ts';
import { type WindowLanguage, windowLanguage } from '../electron/contract/languages.ts';
import english from '../resources/locales/en.json' with { type: 'json' };
import { loadLocale } from '../resources/locales/load-locale.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof english };
  }
}

/** The window's texts in its language. */
export const i18n = createInstance();

/** Loads the texts in a language. Must be called before anything is shown. */
export async function loadTexts(language: WindowLanguage = 'en'): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: english } },
    // React escapes text.
    interpolation: { escapeValue: false },
  });
  await setLanguage(language);
}

/** Switches the window to the language that the settings ask for. */
export async function applyLanguageSetting(setting: Settings['language']): Promise<void> {
  const language = windowLanguage(setting, navigator.languages);
  if (language !== i18n.language) await setLanguage(language);
}

async function setLanguage(language: WindowLanguage): Promise<void> {
  if (!i18n.hasResourceBundle(language, 'translation')) {
    const { translation } = await loadLocale(language);
    i18n.addResourceBundle(language, 'translation', translation);
  }
  await i18n.changeLanguage(language);
}
