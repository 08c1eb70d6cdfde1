import { describe, expect, test } from 'vitest';
import german from '../../resources/locales/de.json' with { type: 'json' };
import english from '../../resources/locales/en.json' with { type: 'json' };
import spanish from '../../resources/locales/es.json' with { type: 'json' };

/** The command line is English only, because scripts depend on its output. */
const ofCommandLine = /^cli\./;
const forms = /_(zero|one|two|few|many|other)$/;

/** Returns all texts by key, such as `queue.title`. */
function flatten(node: object, prefix = ''): ReadonlyMap<string, string> {
  const flat = new Map<string, string>();
  for (const [name, value] of Object.entries(node)) {
    const key = prefix === '' ? name : `${prefix}.${name}`;
    if (typeof value === 'string') flat.set(key, value);
    else for (const [inner, words] of flatten(value as object, key)) flat.set(inner, words);
  }
  return flat;
}

/** "3rd": the plural forms of ordinals differ from those of cardinals. */
const ordinal = /_ordinal_/;

const categoriesOf = (language: string, key: string): readonly string[] =>
  new Intl.PluralRules(language, {
    type: key.endsWith('_ordinal') ? 'ordinal' : 'cardinal',
  }).resolvedOptions().pluralCategories;

const source = new Map([...flatten(english)].filter(([key]) => !ofCommandLine.test(key)));

/** Returns the names of the inserted values; a plural form may omit its number. */
const placeholders = (words: string): readonly string[] =>
  [...words.matchAll(/\{\{(\w+)/g)]
    .flatMap(([, name]) => (name === undefined || name === 'count' ? [] : [name]))
    .toSorted();

describe.each([
  ['de', german],
  ['es', spanish],
] as const)('%s', (language, words) => {
  const translated = flatten(words);

  test('has all texts', () => {
    const missing = [...source.keys()].filter((key) => !ordinal.test(key) && !translated.has(key));
    expect(missing).toStrictEqual([]);
  });

  test('has no unused texts', () => {
    const singles = new Set([...source.keys()].map((key) => key.replace(forms, '')));
    const left = [...translated.keys()].filter((key) => !singles.has(key.replace(forms, '')));
    expect(left).toStrictEqual([]);
  });

  test('has each plural form of the language', () => {
    const counted = [...source.keys()].filter((key) => key.endsWith('_other')).map((key) => key.slice(0, -6));
    const missing = counted.flatMap((key) =>
      categoriesOf(language, key)
        .map((form) => `${key}_${form}`)
        .filter((form) => !translated.has(form)),
    );
    expect(missing).toStrictEqual([]);
  });

  test('inserts the same values', () => {
    const different = [...source].flatMap(([key, text]) => {
      const other = translated.get(key);
      return other === undefined || placeholders(other).join() === placeholders(text).join() ? [] : [key];
    });
    expect(different).toStrictEqual([]);
  });

  test('formats numbers by the language', () => {
    const bare = [...translated].filter(([, text]) => text.includes('{{count}}')).map(([key]) => key);
    expect(bare).toStrictEqual([]);
  });
});
