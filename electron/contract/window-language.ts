import { windowLanguages, type Settings, type WindowLanguage } from './model/settings.ts';

/**
 * The language that the program speaks.
 *
 * @param preferred the languages that the system's user prefers, BCP 47 tags, best first.
 */
export function windowLanguage(setting: Settings['language'], preferred: readonly string[]): WindowLanguage {
  if (setting !== 'system') return setting;
  for (const tag of preferred) {
    const [language] = tag.toLowerCase().split('-');
    const known = windowLanguages.find((one) => one === language);
    if (known !== undefined) return known;
  }
  return 'en';
}
