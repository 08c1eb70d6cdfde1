import { createInstance, type i18n, type TOptions } from 'i18next';
import english from '../../resources/locales/en.json' with { type: 'json' };
import { loadLocale } from '../../resources/locales/load-locale.ts';
import type { WindowLanguage } from '../contract/languages.ts';
import type { Problem } from '../contract/problem.ts';

/** The words of the command line, of menus and of native dialogs; the window has the same ones through React. */
export class Words {
  readonly #translate: i18n;

  private constructor(translate: i18n) {
    this.#translate = translate;
  }

  /** @param language what they are in from the start; see {@link speak}. */
  static async load(language: WindowLanguage = 'en'): Promise<Words> {
    const translate = createInstance();
    await translate.init({
      lng: 'en',
      fallbackLng: 'en',
      resources: { en: { translation: english } },
      interpolation: { escapeValue: false },
    });
    const words = new Words(translate);
    await words.speak(language);
    return words;
  }

  /** The language that is spoken now. */
  get language(): string {
    return this.#translate.language;
  }

  /** Says everything in another language from now on. */
  async speak(language: WindowLanguage): Promise<void> {
    if (!this.#translate.hasResourceBundle(language, 'translation')) {
      const { translation } = await loadLocale(language);
      this.#translate.addResourceBundle(language, 'translation', translation);
    }
    await this.#translate.changeLanguage(language);
  }

  say(key: string, values: TOptions = {}): string {
    // Keys are put together here; i18next's own types know fixed ones alone.
    const translate = this.#translate.t as (key: string, values: TOptions) => string;
    return translate(key, values);
  }

  /** A problem in plain words: what happened, and the one thing to do. */
  problem({ code, params }: Problem): string {
    return this.say(`problem.${code}`, { ...params });
  }
}
