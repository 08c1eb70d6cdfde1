import { expect, it } from 'vitest';
import { speakerName } from '../../../../electron/core/formats/content.ts';
import english from '../../../../resources/locales/en.json' with { type: 'json' };

it('a speaker without a name is called as in the English window', () => {
  expect(speakerName(null, ['Anna'])).toBe(null);
  expect(speakerName(0, [' Anna '])).toBe('Anna');
  expect(speakerName(1, ['Anna', ' '])).toBe(english.transcript.speakerNumber.replace('{{number}}', '2'));
});
