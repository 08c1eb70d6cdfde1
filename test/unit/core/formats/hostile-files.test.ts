import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exportFormats,
  importedExtensions,
  type ImportedExtension,
} from '../../../../electron/contract/choices.ts';
import { maxTimeSeconds } from '../../../../electron/contract/limits.ts';
import { writeTranscript } from '../../../../electron/core/formats/formats.ts';
import { BrokenFileError } from '../../../../electron/core/formats/read/read-content.ts';
import { readTranscript } from '../../../../electron/core/formats/read/read-transcript.ts';

const headOf: Readonly<Record<ImportedExtension, string>> = {
  srt: '1\n00:00:01,000 --> 00:00:02,000\n',
  vtt: 'WEBVTT\n\n00:01.000 --> 00:02.000\n',
  sbv: '0:00:01.000,0:00:02.000\n',
  lrc: '[00:01.00]Words\n',
  ttml: '<tt><body><p begin="1s" end="2s">',
  dfxp: '<tt><body><p begin="1s" end="2s">',
  txt: '[00:00:01.000] Words\n',
  json: '{"format": "longhand-transcript", "text": "',
};

const pieces = [
  ' ',
  '\t',
  '\n',
  '\n\n ',
  '\u00a0',
  '-',
  '- ',
  '>',
  '<',
  '</',
  '<v ',
  '<v.a ',
  '<v  <v.',
  '<font ',
  '<a>',
  '<!--',
  '<!DOCTYPE a [<!ENTITY b "c">',
  '{\\',
  '{',
  '&',
  '&#',
  '&amp',
  '0',
  '0:',
  '00:0',
  '00:0-',
  '00:00:01,000 -',
  '1\n',
  '[',
  '[0',
  '[00:01]',
  '[00:01]a\n',
  '[a:',
  '[offset: ',
  '(1:02) ',
  '"',
  '\\',
  'a',
  'a: ',
  '\u2060',
  '\ud800',
];

/** The milliseconds that it takes to read a file, whether that succeeds or not; the fastest of three times. */
async function readingMs(extension: string, content: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const startedAt = performance.now();
    await readTranscript(extension, content).catch(() => null);
    times.push(performance.now() - startedAt);
    // What is done quickly need not be repeated.
    if ((times[0] ?? 0) < 100) break;
  }
  return Math.min(...times);
}

/** Returns `null` for a refused file. @throws any other error. */
function refusal(error: unknown): null {
  if (error instanceof BrokenFileError) return null;
  throw error;
}

const bytes = 200_000;

/** A document is a compressed archive, and JSON has no time codes. */
const timedFormats = exportFormats.filter((format) => format !== 'docx' && format !== 'json');

describe.each(importedExtensions)('%s', (extension) => {
  it('is read in time that grows with the length of the file, not with its square', async () => {
    for (const piece of pieces) {
      for (const head of [headOf[extension], '', `${headOf[extension]}00:0`]) {
        const long = head + piece.repeat(bytes / piece.length);
        const longMs = await readingMs(extension, long);
        if (longMs < 500) continue;
        // Sixteen times as long for four times the length would be the square.
        const shortMs = await readingMs(extension, head + piece.repeat(bytes / 4 / piece.length));
        expect
          .soft(longMs / shortMs, `${JSON.stringify(piece)} after ${JSON.stringify(head)}`)
          .toBeLessThan(8);
      }
    }
  });

  it('with any such pieces is either read or refused', async () => {
    const file = fc.array(fc.constantFrom(...pieces, headOf[extension]), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(file, async (parts) => {
        const content = await readTranscript(extension, parts.join('')).catch(refusal);
        for (const { start, end } of content?.segments ?? []) {
          expect(start).toBeLessThanOrEqual(end);
          expect(end).toBeLessThanOrEqual(maxTimeSeconds + 10_000);
        }
      }),
    );
  });
});

describe('a time that no recording has', () => {
  const digits = '9'.repeat(400);
  it.each([
    ['srt', `1\n${digits}:00:01,000 --> ${digits}:00:02,000\nWords\n`],
    ['vtt', `WEBVTT\n\n1001:00:00.000 --> 1001:00:01.000\nWords\n`],
    ['sbv', `${digits}:00:01.000,${digits}:00:02.000\nWords\n`],
    ['lrc', `[${digits}:01.00]Words\n`],
    ['txt', `[${digits}:00:01.000] Words\n`],
  ])('is refused with its line: %s', async (extension, content) => {
    await expect(readTranscript(extension, content)).rejects.toMatchObject({ line: expect.any(Number) });
  });

  it.each([
    ['ttml', `<tt><body><p begin="${digits}s" end="${digits}s">Words</p></body></tt>`],
    ['json', jsonOf({ durationSeconds: 1e308 })],
    ['json', jsonOf({ createdAt: 1e300 })],
    ['json', jsonOf({ segments: [{ start: 1, end: 1e308, text: 'Words' }] })],
  ])('is in no transcript: %s', async (extension, content) => {
    expect(await readTranscript(extension, content)).toBeNull();
  });

  it('is never written', async () => {
    const seconds = fc.oneof(
      fc.double({ noNaN: true }),
      fc.constantFrom(1e308, Infinity, -Infinity, -1, maxTimeSeconds),
    );
    const writing = { layout: 'raw', text: 'times', times: true, speakers: true } as const;
    await fc.assert(
      fc.asyncProperty(seconds, seconds, fc.constantFrom(...timedFormats), async (start, end, format) => {
        const segments = [{ start, end, text: 'Words' }];
        const content = {
          name: 'Talk',
          language: 'en',
          durationSeconds: 1,
          createdAt: 1,
          text: 'Words',
          segments,
        };
        const written = String(await writeTranscript(content, format, writing));
        expect(written).not.toMatch(/NaN|Infinity|undefined|e\+/);
      }),
    );
  });
});

function jsonOf(changes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    format: 'longhand-transcript',
    version: 1,
    name: 'Talk',
    language: 'en',
    durationSeconds: 2,
    createdAt: 1,
    text: 'Words',
    segments: [],
    ...changes,
  });
}
