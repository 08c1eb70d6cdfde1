import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exportFormats, subtitleFormats } from '../../../../electron/contract/choices.ts';
import { transcriptFormats } from '../../../../electron/core/formats/formats.ts';
import english from '../../../../resources/locales/en.json' with { type: 'json' };

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
