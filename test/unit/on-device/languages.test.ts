import { expect, test } from 'vitest';
import { joinTexts, spokenLanguages } from '../../../electron/on-device/languages.ts';

test('the languages are codes, each once', () => {
  expect(new Set(spokenLanguages).size).toBe(spokenLanguages.length);
  for (const code of spokenLanguages) expect(code).toMatch(/^[a-z]{2,3}$/);
});

test('texts are joined as the language is written', () => {
  expect(joinTexts([' One two', '', 'three. '], 'en')).toBe('One two three.');
  expect(joinTexts(['今日は', 'いい天気'], 'ja')).toBe('今日はいい天気');
  expect(joinTexts([], null)).toBe('');
});
