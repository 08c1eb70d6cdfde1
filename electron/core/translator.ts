import { createInstance, type i18n, type TOptions } from 'i18next';
import english from '../../resources/locales/en.json' with { type: 'json' };
import { loadLocale } from '../../resources/locales/load-locale.ts';
import type { WindowLanguage } from '../contract/languages.ts';
import type { Problem } from '../contract/problem.ts';

/** Translates texts for the command line, menus and native dialogs. The window uses the same locales through React. */
export class Translator {
  readonly #i18n: i18n;

  private constructor(instance: i18n) {
    this.#i18n = instance;
  }

  /** @param language The initial language; see {@link setLanguage}. */
  static async load(language: WindowLanguage = 'en'): Promise<Translator> {
    const instance = createInstance();
    await instance.init({
      lng: 'en',
      fallbackLng: 'en',
      resources: { en: { translation: english } },
      interpolation: { escapeValue: false },
    });
    const translator = new Translator(instance);
    await translator.setLanguage(language);
    return translator;
  }

  /** The current language. */
  get language(): string {
    return this.#i18n.language;
  }

  /** Switches to another language. */
  async setLanguage(language: WindowLanguage): Promise<void> {
    if (!this.#i18n.hasResourceBundle(language, 'translation')) {
      const { translation } = await loadLocale(language);
      this.#i18n.addResourceBundle(language, 'translation', translation);
    }
    await this.#i18n.changeLanguage(language);
  }

  /** @param key one key, or several of which the first that has a text is used */
  translate(key: string | readonly string[], values: TOptions = {}): string {
    // The keys are computed; i18next's types allow fixed ones only.
    const translate = this.#i18n.t as (key: string | readonly string[], values: TOptions) => string;
    return translate(key, values);
  }

  /** Returns the message of a problem: what happened, and what to do. */
  problem({ code, params }: Problem): string {
    return this.translate(`problem.${code}`, { ...params });
  }
}
