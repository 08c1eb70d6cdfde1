import { expect, test } from 'vitest';
import {
  directionIn,
  directionOf,
  isRightToLeft,
  joinTexts,
} from '../../../../electron/core/transcript/plain-text.ts';

test.each([
  [['One two', '', 'three.'], 'One two three.'],
  [['今日は', 'いい天気'], '今日はいい天気'],
  [['今日は', 'OK'], '今日はOK'],
  [['Hello', 'world'], 'Hello world'],
  [['བཀྲ་ཤིས་', 'བདེ་ལེགས'], 'བཀྲ་ཤིས་བདེ་ལེགས'],
  [[], ''],
])('%j are joined according to their scripts', (texts, joined) => {
  expect(joinTexts(texts)).toBe(joined);
});

test.each([
  // Without a language, the first letter decides.
  ['WhatsApp הודעה', null, null, false],
  ['הודעה WhatsApp', null, null, true],
  ['123', null, null, false],
  // With one, any of its letters do; without any, again the first.
  ['WhatsApp הודעה', 'he', 'rtl', true],
  ['הודעה means message', 'en', 'ltr', false],
  ['הודעה', 'en', null, true],
  ['WhatsApp', 'ar-EG', null, false],
  ['ok پیام', 'ur', 'rtl', true],
  ['«Да»', 'ru', 'ltr', false],
])('the direction of %s in %s', (text, language, direction, rightToLeft) => {
  expect(directionIn(text, language)).toBe(direction);
  expect(isRightToLeft(text, language)).toBe(rightToLeft);
});

test('the direction of a transcript is that of its language, or of most of its segments', () => {
  const mixed = ['שלום', 'Hello', 'Bye'].map((text) => ({ text }));
  expect(directionOf(mixed, null)).toBe('ltr');
  expect(directionOf(mixed, 'he')).toBe('rtl');
  expect(directionOf(mixed.slice(0, 1), null)).toBe('rtl');
  expect(directionOf(mixed, 'en')).toBe('ltr');
  expect(directionOf(mixed.slice(0, 1), 'en')).toBe('rtl');
});
