import { expect, test } from 'vitest';
import { joinTexts } from '../../../../electron/core/transcript/plain-text.ts';

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
