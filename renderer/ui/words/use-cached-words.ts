import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

/** Stands in a phrase for a word that is put into it; in no language, and no name that anybody writes. */
const mark = '\u{10FFFD}';

type Say = (key: string, values?: Readonly<Record<string, unknown>>) => string;

const known = new WeakMap<TFunction, TFunction>();

/**
 * The window's words for the rows of a list. They say the same few things again and again, while they come and go as
 * fast as somebody scrolls: each phrase is looked up once for a language, and names are put into it here.
 */
export function useCachedWords(): TFunction {
  return cachedWords(useTranslation().t);
}

/** `t`, which remembers the phrases that it was asked for; the same one for the same `t`. */
export function cachedWords(t: TFunction): TFunction {
  const made = known.get(t) ?? remembering(t);
  known.set(t, made);
  return made;
}

function remembering(t: TFunction): TFunction {
  const plain = new Map<string, string>();
  const phrases = new Map<string, readonly string[]>();
  const ask = t as unknown as Say;

  const say: Say = (key, values) => {
    const names = values === undefined ? [] : Object.keys(values);
    if (values === undefined || names.length === 0) {
      const said = plain.get(key) ?? ask(key);
      plain.set(key, said);
      return said;
    }
    // A number decides how a phrase is put, and is written in the manner of the language.
    if (names.some((name) => typeof values[name] !== 'string' || name === 'context')) return ask(key, values);
    const id = `${key} ${names.join(' ')}`;
    const phrase =
      phrases.get(id) ??
      ask(key, Object.fromEntries(names.map((name) => [name, mark + name + mark]))).split(mark);
    phrases.set(id, phrase);
    // Every other piece is the name of what belongs there.
    return phrase.map((piece, index) => (index % 2 === 0 ? piece : values[piece])).join('');
  };
  // The words are those of `t`, as is the language.
  return say as unknown as TFunction;
}
