import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

/** Stands for an inserted word in a phrase; occurs in no language, and in no name. */
const mark = '\u{10FFFD}';

type Say = (key: string, values?: Readonly<Record<string, unknown>>) => string;

const known = new WeakMap<TFunction, TFunction>();

/**
 * Returns the window's texts for the rows of a list. Rows repeat the same few phrases, and come and go as fast as the
 * user scrolls: each phrase is looked up once per language, and names are inserted here.
 */
export function useCachedTexts(): TFunction {
  return cachedTexts(useTranslation().t);
}

/** Returns a `t` that caches its phrases; always the same one for the same `t`. */
export function cachedTexts(t: TFunction): TFunction {
  const made = known.get(t) ?? withCache(t);
  known.set(t, made);
  return made;
}

function withCache(t: TFunction): TFunction {
  const plain = new Map<string, string>();
  const phrases = new Map<string, readonly string[]>();
  const ask = t as unknown as Say;

  const say: Say = (key, values) => {
    const names = values === undefined ? [] : Object.keys(values);
    if (values === undefined || names.length === 0) {
      const cachedText = plain.get(key) ?? ask(key);
      plain.set(key, cachedText);
      return cachedText;
    }
    // A number selects the plural form, and is formatted by the language.
    if (names.some((name) => typeof values[name] !== 'string' || name === 'context')) return ask(key, values);
    const id = `${key} ${names.join(' ')}`;
    const phrase =
      phrases.get(id) ??
      ask(key, Object.fromEntries(names.map((name) => [name, mark + name + mark]))).split(mark);
    phrases.set(id, phrase);
    // Every other piece is the name of a value to insert.
    return phrase.map((piece, index) => (index % 2 === 0 ? piece : values[piece])).join('');
  };
  // The cache has the texts and the language of `t`.
  return say as unknown as TFunction;
}
