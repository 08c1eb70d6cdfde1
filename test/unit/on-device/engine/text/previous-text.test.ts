import { expect, it } from 'vitest';
import { PreviousText } from '../../../../../electron/on-device/engine/text/previous-text.ts';
import type { TimedText } from '../../../../../electron/on-device/engine/whisper/timestamp-rules.ts';
import { SpecialTokens } from '../../../../../electron/on-device/engine/whisper/special-tokens.ts';

const special = new SpecialTokens(99);
const at = (seconds: number): number => special.timestampAt(seconds);

const piece = (start: number, end: number, ...tokens: readonly number[]): TimedText => ({
  start,
  end,
  tokens,
});

it('is the latest text with its timestamps, up to the length that leaves room for a window', () => {
  const previous = new PreviousText(special);
  previous.add([piece(0, 2, 1, 2), piece(2, 3, 3)], 10);
  previous.add([piece(0.5, 1, 4)], 12);
  expect(previous.tokensBefore(12.5)).toEqual([at(0), 1, 2, at(2), at(2), 3, at(3), at(0.5), 4, at(1)]);
  previous.add([piece(0, 4, ...Array.from({ length: 220 }, (_, i) => 10 + i))], 14);
  expect(previous.tokensBefore(14).length).toBe(220);
  expect(previous.tokensBefore(14).slice(0, 2)).toEqual([11, 12]);
});

it('is empty after a long silence, and after clearing', () => {
  const previous = new PreviousText(special);
  expect(previous.tokensBefore(0)).toEqual([]);
  previous.add([piece(0, 1, 1)], 10);
  expect(previous.tokensBefore(15)).toHaveLength(3);
  expect(previous.tokensBefore(15.1)).toEqual([]);
  expect(previous.tokensBefore(11)).toEqual([]);
  previous.add([piece(0, 1, 2)], 20);
  previous.clear();
  expect(previous.tokensBefore(20)).toEqual([]);
});

it('is empty after a piece that is too long to be an example of timestamps', () => {
  const previous = new PreviousText(special);
  previous.add([piece(0, 10, 1)], 10);
  previous.add([piece(0, 4, 2), piece(4, 14.1, 3)], 24);
  expect(previous.tokensBefore(24)).toEqual([]);
});

it('continues after an interruption, but not with the tokens of another model', () => {
  const previous = new PreviousText(special);
  previous.add([piece(0, 2, 1, 2)], 10);
  const { snapshot } = previous;
  expect(new PreviousText(special, snapshot).tokensBefore(10.5)).toEqual([at(0), 1, 2, at(2)]);
  expect(new PreviousText(new SpecialTokens(100), snapshot).tokensBefore(10.5)).toEqual([]);
});
