import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

/** Marks where a value is inserted in a phrase. A private-use character, which no text contains. */
const placeholder = '\u{10FFFD}';

type Translate = (key: string, values?: Readonly<Record<string, unknown>>) => string;

const cached = new WeakMap<TFunction, TFunction>();

/**
 * Returns the window's texts for the rows of a list. Rows repeat the same few phrases, and come and go as fast as the
 * user scrolls: each phrase is looked up once per language, and names are inserted here.
 */
export function useCachedTexts(): TFunction {
  return cachedTexts(useTranslation().t);
}

/** Returns a `t` that caches its phrases; always the same one for the same `t`. */
export function cachedTexts(t: TFunction): TFunction {
  const result = cached.get(t) ?? withCache(t);
  cached.set(t, result);
  return result;
}

function withCache(t: TFunction): TFunction {
  const texts = new Map<string, string>();
  const phrases = new Map<string, readonly string[]>();
  const translate = t as unknown as Translate;

  const translateCached: Translate = (key, values) => {
    const names = values === undefined ? [] : Object.keys(values);
    if (values === undefined || names.length === 0) {
      const cachedText = texts.get(key) ?? translate(key);
      texts.set(key, cachedText);
      return cachedText;
    }
    // A number selects the plural form, and is formatted by the language.
    if (names.some((name) => typeof values[name] !== 'string' || name === 'context'))
      return translate(key, values);
    const id = `${key} ${names.join(' ')}`;
    const phrase =
      phrases.get(id) ??
      translate(key, Object.fromEntries(names.map((name) => [name, placeholder + name + placeholder]))).split(
        placeholder,
      );
    phrases.set(id, phrase);
    // Every other piece is the name of a value to insert.
    return phrase.map((piece, index) => (index % 2 === 0 ? piece : values[piece])).join('');
  };
  // The cache has the texts and the language of `t`.
  return translateCached as unknown as TFunction;
}
