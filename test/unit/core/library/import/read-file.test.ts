import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readTranscriptFile } from '../../../../../electron/core/library/import/read-file.ts';
import { Translator } from '../../../../../electron/core/translator.ts';
import { testFolder } from '../../../../support/test-folder.ts';

const spoken = { start: 0, end: 2, text: 'Hello' };
const whole = {
  format: 'longhand-transcript',
  version: 1,
  name: 'Talk',
  language: null,
  durationSeconds: 2,
  createdAt: 1,
  text: 'Hello',
  segments: [spoken, spoken],
};

it.each([
  ['“start” of segment 2', { segments: [spoken, { ...spoken, start: '0:01' }] }],
  ['“at” of note 1', { notes: [{ at: -1, text: 'Check' }] }],
  ['“durationSeconds”', { durationSeconds: undefined }],
])('says which value of a JSON file cannot be used: %s', async (where, values) => {
  const path = join(await testFolder(), 'talk.json');
  await writeFile(path, JSON.stringify({ ...whole, ...values }));
  const reading = await readTranscriptFile(path);
  const translator = await Translator.load();
  expect(reading.kind === 'failed' && translator.problem(reading.problem)).toBe(
    `${where} is missing or unusable, so the file was skipped. Correct it and import the file again.`,
  );
});
