import { createInstance, type i18n, type TOptions } from 'i18next';
import english from '../../resources/locales/en.json' with { type: 'json' };
import type { Problem } from '../contract/problem.ts';

/** The words of the command line and of native dialogs; the window has the same ones through React. */
export class Words {
  readonly #translate: i18n;

  private constructor(translate: i18n) {
    this.#translate = translate;
  }

  static async load(): Promise<Words> {
    const translate = createInstance();
    await translate.init({
      lng: 'en',
      fallbackLng: 'en',
      resources: { en: { translation: english } },
      interpolation: { escapeValue: false },
    });
    return new Words(translate);
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
