import { beforeAll, describe, expect, test } from 'vitest';
import { spokenLanguages } from '../../electron/contract/languages.ts';
import { clockTime } from '../../electron/core/transcript/clock-time.ts';
import { i18n, loadTexts } from '../../renderer/i18n.ts';
import { createFormat, formatExactTime, formatTimeCode, type Format } from '../../renderer/ui/text/format.ts';
import { shortened } from '../../renderer/ui/text/shortened.ts';

let format: Format;

beforeAll(async () => {
  await loadTexts();
  format = createFormat('en-GB', i18n.t);
});

describe('durations', () => {
  test.each([
    [0, '0 s'],
    [12.4, '12 s'],
    [59.7, '1 min'],
    [60, '1 min'],
    [2460, '41 min'],
    [3599, '1 h'],
    [3600, '1 h'],
    [8040, '2 h 14 min'],
    [360_000, '100 h'],
    [4_464_900, '1,240 h'],
  ])('%s s are "%s"', (seconds, words) => {
    expect(format.duration(seconds)).toBe(words);
  });
});

test.each([
  [1.99, '0:01.9', '0:01,9'],
  [2, '0:02', '0:02'],
  [3600.04, '1:00:00', '1:00:00'],
  [0.3, '0:00.3', '0:00,3'],
])('%s s have the exact time "%s", which never rounds up to a second', (seconds, english, german) => {
  expect(formatExactTime(seconds, format)).toBe(english);
  expect(formatExactTime(seconds, createFormat('de', i18n.t))).toBe(german);
});

describe('sizes', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [4096, '4.1 kB'],
    [78_400_000, '78 MB'],
    [1_300_000_000, '1.3 GB'],
    [5_000_000_000_000_000, '5,000 TB'],
  ])('%s bytes are "%s"', (bytes, words) => {
    expect(format.bytes(bytes)).toBe(words);
  });
});

test('languages have names, and an unknown code stays unchanged', () => {
  expect(format.language('de')).toBe('German');
  expect(format.language('qqx')).toBe('qqx');
  expect(format.language('not a code!')).toBe('not a code!');
  expect(spokenLanguages.filter((code) => format.language(code) === code)).toStrictEqual([]);
});

test('words are joined into a list', () => {
  expect(format.list(['SRT', 'VTT', 'TXT'])).toBe('SRT, VTT and TXT');
});

test.each([
  [0, '0:00'],
  [59.9, '0:59'],
  [3501, '58:21'],
  [3760, '1:02:40'],
])('%s s as a clock time are %s', (seconds, shown) => {
  expect(clockTime(seconds)).toBe(shown);
});

test.each([
  [438, 600, '07:18'],
  [438, 4867, '0:07:18'],
  [4867, 4867, '1:21:07'],
])('the time code of %s s in a recording of %s s is %s', (seconds, longest, shown) => {
  expect(formatTimeCode(seconds, longest)).toBe(shown);
});

test('a text is shortened between characters, not within one', () => {
  expect(shortened('ab😀😀', 3)).toBe('ab😀…');
  expect(shortened('ab😀😀', 4)).toBe('ab😀😀');
});
