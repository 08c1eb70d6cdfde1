/**
 * The spoken languages that Whisper knows, by its own codes: ISO 639-1, or three letters where that standard has no
 * code.
 */
export const spokenLanguages: readonly string[] = (
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is ' +
  'it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk ' +
  'sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'
).split(' ');

/** The languages of the window. */
export const windowLanguages = ['en', 'de', 'es'] as const;
export type WindowLanguage = (typeof windowLanguages)[number];

/**
 * Returns the language of the window: the chosen one, or for `system` the first supported one of the user's.
 *
 * @param preferred The user's languages in the system, BCP 47 tags, best first.
 */
export function windowLanguage(
  setting: WindowLanguage | 'system',
  preferred: readonly string[],
): WindowLanguage {
  if (setting !== 'system') return setting;
  for (const tag of preferred) {
    const [language] = tag.toLowerCase().split('-');
    const supported = windowLanguages.find((one) => one === language);
    if (supported !== undefined) return supported;
  }
  return 'en';
}

/** The codes of languages by their English names in lower case, which some services and files use instead of tags. */
const codeByName = new Map<string, string>();

/**
 * Returns the canonical BCP 47 tag of a language that a service or a file names, `en_US` as `en-US` and `English` as
 * `en`; `null` if it names none. `Intl` accepts every tag that this returns, and throws for others.
 */
export function languageTag(raw: string): string | null {
  const name = raw.trim().replaceAll('_', '-');
  if (name.length === 0 || name.length > 100) return null;
  if (/^[a-z]{2,3}(-|$)/i.test(name)) {
    try {
      // `baseName` leaves out extensions, which name no language.
      return new Intl.Locale(name).baseName;
    } catch {
      return null;
    }
  }
  if (codeByName.size === 0) {
    const names = new Intl.DisplayNames('en', { type: 'language' });
    for (const code of spokenLanguages) codeByName.set((names.of(code) ?? code).toLowerCase(), code);
  }
  // "Norwegian (Bokmål)"
  const [nameWithoutVariant = ''] = name.toLowerCase().split('(');
  return codeByName.get(nameWithoutVariant.trim()) ?? null;
}
