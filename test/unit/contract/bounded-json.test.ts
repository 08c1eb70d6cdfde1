import { expect, it } from 'vitest';
import { parseBoundedJson, TooManyValuesError } from '../../../electron/contract/bounded-json.ts';

it.each([
  ['many', `[${'1,'.repeat(10_000_000)}1]`],
  ['nested', `${'['.repeat(10_000_001)}${']'.repeat(10_000_001)}`],
  ['empty', `[${'{},'.repeat(5_000_000)}{}]`],
])('JSON with more values than memory holds is not parsed: %s', (_what, text) => {
  expect(() => parseBoundedJson(text)).toThrow(TooManyValuesError);
});

it('other JSON is parsed, even with long texts', () => {
  expect(parseBoundedJson(`{"a": [1, "${'x'.repeat(11_000_000)}"]}`)).toEqual({
    a: [1, 'x'.repeat(11_000_000)],
  });
});
