import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportFormats, subtitleFormats } from '../../../../electron/contract/choices.ts';
import { transcriptFormats, writeTranscript } from '../../../../electron/core/formats/formats.ts';
import { defaultWriteOptions } from '../../../../electron/core/formats/write/write-options.ts';
import english from '../../../../resources/locales/en.json' with { type: 'json' };
import { transcriptOf } from './transcripts.ts';
import { unzip } from './unzip.ts';

// What the compiler cannot check when a format is added.

test('the formats that the subtitle preset lays out are those with cues', () => {
  const withCues = exportFormats.filter((format) => transcriptFormats[format].cues !== undefined);
  expect([...subtitleFormats].toSorted()).toEqual(withCues.toSorted());
});

test.each(exportFormats)('%s is in the documentation', (format) => {
  expect(readFileSync('docs/export-formats.md', 'utf8')).toContain(`| \`${format}\` `);
});

test.each(exportFormats)('%s has a name in the window', (format) => {
  expect(english.format[format]).not.toBe('');
  expect(english.transcript.exportAs[format]).not.toBe('');
  expect(english.export.formatNote[format]).toBeTypeOf('string');
});

test.each(exportFormats)('%s contains notes only if they are wanted', async (format) => {
  const transcript = transcriptOf([{ start: 0, end: 2, text: 'Good morning.' }], {
    notes: [{ atSeconds: 1, text: 'Confidential' }],
  });
  const contains = async (notes: boolean): Promise<boolean> => {
    const file = await writeTranscript(transcript, format, { ...defaultWriteOptions, notes });
    const text = typeof file === 'string' ? file : Buffer.concat([...unzip(file).values()]).toString('utf8');
    expect(text).toContain('Good morning.');
    return text.includes('Confidential');
  };
  expect(await contains(false)).toBe(false);
  expect(await contains(true)).toBe(['md', 'docx', 'json'].includes(format));
});
