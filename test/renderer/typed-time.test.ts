import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { editableTime, parseTime } from '../../renderer/ui/text/typed-time.ts';

describe('a typed time', () => {
  test.each([
    ['1:02.5', 62.5],
    ['1:02,5', 62.5],
    [' 1 : 02 ', 62],
    ['62.5', 62.5],
    ['90:00', 5400],
    ['1:02:03.0049', 3723.004],
    ['0:05.', 5],
    ['', null],
    ['1:60', null],
    ['1:60:00', null],
    ['-5', null],
    ['1:2:3:4', null],
    ['.5', null],
    ['1e3', null],
    ['99999999', null],
  ])('“%s” is %s s', (text, seconds) => expect(parseTime(text)).toBe(seconds));

  it('is the same after being shown, in whole milliseconds', () => {
    fc.assert(
      fc.property(fc.nat({ max: 400_000_000 }), fc.constantFrom('.', ','), (milliseconds, mark) => {
        expect(parseTime(editableTime(milliseconds / 1000, mark))).toBe(milliseconds / 1000);
      }),
    );
  });
});
