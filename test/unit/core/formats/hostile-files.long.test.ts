import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  exportFormats,
  importedExtensions,
  type ImportedExtension,
} from '../../../../electron/contract/choices.ts';
import {
  maxSegments,
  maxSegmentTextLength,
  maxTextLength,
  maxTimeSeconds,
} from '../../../../electron/contract/limits.ts';
import { redactLink } from '../../../../electron/core/media/links.ts';
import { normalizePhrase } from '../../../../electron/core/transcript/review/phrases.ts';
import { writeTranscript } from '../../../../electron/core/formats/formats.ts';
import { defaultWriteOptions } from '../../../../electron/core/formats/write/write-options.ts';
import { TooLongError } from '../../../../electron/core/formats/read/bounded-list.ts';
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
  csv: 'number,start,end,speaker,text,probability\n',
  json: '{"format": "longhand-transcript", "text": "',
};

const writing = {
  layout: 'raw',
  text: 'times',
  times: true,
  speakers: true,
  words: false,
  notes: false,
  highlightsOnly: false,
} as const;

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
  '1,00:00:01.000,00:00:02.000,"a","b",\n',
  '",',
  '"',
  '\\',
  'a',
  'a: ',
  '\u2060',
  '\ud800',
];

/**
 * The CPU time in milliseconds that it takes to read a file, whether that succeeds or not; the least of three times. Other
 * processes would lengthen the elapsed time of either of two files.
 */
async function readingMs(extension: string, content: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const before = process.cpuUsage();
    await readTranscript(extension, content).catch(() => null);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
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
/** The formats whose files can be imported with their times. */
const readFormats = ['srt', 'vtt', 'sbv', 'lrc', 'ttml', 'txt', 'json'] as const;

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

it('TTML that is nested too deep is refused', async () => {
  const deep = `<tt>${'<div>'.repeat(1000)}${'</div>'.repeat(1000)}</tt>`;
  await expect(readTranscript('ttml', deep)).rejects.toBeInstanceOf(BrokenFileError);
});

/** Returns how often the children of an element are looked at, in TTML that is nested. */
const stepsAt = async (depth: number): Promise<number> => {
  const steps = vi.spyOn(Object, 'keys');
  const content = '<span>a</span>'.repeat(1000);
  await readTranscript(
    'ttml',
    `<tt><body>${'<div>'.repeat(depth)}${content}${'</div>'.repeat(depth)}</body></tt>`,
  );
  const { length } = steps.mock.calls;
  steps.mockRestore();
  return length;
};

it('TTML takes no more steps the deeper its elements are nested', async () => {
  expect(await stepsAt(80)).toBeLessThan(4 * (await stepsAt(1)));
});

describe('the limits of a transcript', () => {
  const long = `${'x'.repeat(120_000)}👩‍🚀${'word '.repeat(50_000)}end`;

  it.each<[ImportedExtension, string]>([
    ['srt', headOf.srt + long],
    ['vtt', headOf.vtt + long],
    ['sbv', headOf.sbv + long],
    ['lrc', headOf.lrc + long],
    ['txt', headOf.txt + long],
    ['ttml', `${headOf.ttml}${long}</p></body></tt>`],
    ['json', jsonOf({ text: long, segments: [{ start: 1, end: 2, text: long }] })],
  ])('divide a long segment without losing a character: %s', async (extension, content) => {
    const read = await readTranscript(extension, content);
    const texts = read?.segments.map(({ text }) => text) ?? [];
    expect(texts.length).toBeGreaterThan(3);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(maxSegmentTextLength);
    expect(texts.join('').replaceAll(/\s/g, '')).toContain(long.replaceAll(' ', ''));
    expect(texts.every((text) => text.isWellFormed())).toBe(true);
  });

  it.each<[string, ImportedExtension, string]>([
    ['a text', 'txt', 'x'.repeat(maxTextLength + 1)],
    ['a segment', 'srt', headOf.srt + 'x'.repeat(maxTextLength + 1)],
    [
      'more segments than a transcript has',
      'lrc',
      Array.from({ length: maxSegments + 1 }, () => '[00:01.00]x\n').join(''),
    ],
    [
      'more notes than anyone writes',
      'json',
      jsonOf({ notes: Array.from({ length: 10_001 }, () => ({ at: 1, text: '' })) }),
    ],
    // Each element is invalid too: the number must be checked first.
    ['more elements than segments', 'json', jsonOf({ segments: Array(maxSegments + 1).fill(1) })],
    ['more elements than notes', 'json', jsonOf({ notes: Array(10_001).fill(1) })],
    [
      'labels that speakers become who are too many',
      'json',
      jsonOf({
        segments: Array.from({ length: 60_000 }, (_, at) => ({
          start: 1,
          end: 2,
          text: 'x',
          speaker: `${at} ${'x'.repeat(190)}`,
        })),
      }),
    ],
    ['a long note', 'json', jsonOf({ notes: [{ at: 1, text: 'x'.repeat(maxSegmentTextLength + 1) }] })],
  ])('refuse %s: %s', async (_what, extension, content) => {
    await expect(readTranscript(extension, content)).rejects.toBeInstanceOf(TooLongError);
  });

  // What follows is broken, which is found only by reading on.
  it.each<[string, ImportedExtension, string]>([
    ['cues', 'srt', `${'00:01,0 --> 00:02,0\nx\n'.repeat(maxSegments + 1)}99:99:99:99 -->`],
    ['cues', 'vtt', `WEBVTT\n\n${'00:01.0 --> 00:02.0\nx\n'.repeat(maxSegments + 1)}99:99:99:99 -->`],
    ['cues', 'sbv', `${'0:00:01.0,0:00:02.0\nx\n\n'.repeat(maxSegments + 1)}broken`],
    ['lines', 'lrc', `${'[0:01]x\n'.repeat(maxSegments + 1)}[9999999:01]`],
    ['times of one line', 'lrc', `${'[0:01]'.repeat(maxSegments + 1)}[9999999:01]`],
    ['lines', 'txt', `${'0:01 x\n'.repeat(maxSegments + 1)}9999999:00:01 x`],
    [
      'rows',
      'csv',
      `number,start,end,speaker,text\n${'1,00:00:01.000,00:00:02.000,,x\n'.repeat(maxSegments + 1)}broken`,
    ],
    ['elements', 'ttml', `<tt><body>${'<p/>'.repeat(4 * maxSegments)}`],
  ])('stop the reading of too many %s: %s', async (_what, extension, content) => {
    await expect(readTranscript(extension, content)).rejects.toBeInstanceOf(TooLongError);
  });

  it('stop the reading of too many times within a cue', async () => {
    const content = `${headOf.vtt}${'x <00:00:01.000>'.repeat(6001)}`;
    await expect(readTranscript('vtt', content)).rejects.toBeInstanceOf(TooLongError);
  });

  it.each<[ImportedExtension, string]>([
    ['ttml', `<tt xml:lang="${long}"><body><p begin="1s" end="2s">Words</p></body></tt>`],
    ['json', jsonOf({ name: long, language: long })],
  ])('cut off long names: %s', async (extension, content) => {
    const read = await readTranscript(extension, content);
    expect(read?.language).toHaveLength(100);
    expect((read?.name ?? '').length).toBeLessThanOrEqual(500);
  });

  it('turn speakers beyond them into labels', async () => {
    const cues = Array.from({ length: 103 }, (_, at) => `00:01.000 --> 00:02.000\n<v Name${at}>said\n\n`);
    const again = '00:01.000 --> 00:02.000\n<v Name5>again\n';
    const read = await readTranscript('vtt', `WEBVTT\n\n${cues.join('')}${again}`);
    const segments = read?.segments ?? [];
    expect(read?.text).toBe(segments.map(({ text }) => text).join(' '));
    expect(new Set(segments.map(({ speaker }) => speaker)).size).toBe(101);
    expect(segments.slice(-4).map(({ speaker, text }) => [speaker, text])).toEqual([
      [null, 'Name100: said'],
      [null, 'Name101: said'],
      [null, 'Name102: said'],
      ['Name5', 'again'],
    ]);
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
    ['ttml', `<tt frameRate="1e999"><body><p begin="${digits}f" end="${digits}f">Words</p></body></tt>`],
    ['ttml', '<tt frameRate="-5"><body><p begin="100f" end="200f">Words</p></body></tt>'],
    ['lrc', `[offset:-${digits}]\n[00:01.00]Words\n`],
    ['lrc', '[offset:-99999999999999]\n[00:01.00]Words\n'],
  ])('is in no transcript: %s', async (extension, content) => {
    expect(await readTranscript(extension, content)).toBeNull();
  });

  it.each([
    ['durationSeconds', { durationSeconds: 1e308 }],
    ['createdAt', { createdAt: 1e300 }],
    ['end', { segments: [{ start: 1, end: 1e308, text: 'Words' }] }],
  ])('is in no transcript in JSON: %s', async (field, values) => {
    await expect(readTranscript('json', jsonOf(values))).rejects.toMatchObject({ field });
  });

  it('is never written', async () => {
    const seconds = fc.oneof(
      fc.double({ noNaN: true }),
      fc.constantFrom(NaN, 1e308, Infinity, -Infinity, -1, maxTimeSeconds),
    );
    await fc.assert(
      fc.asyncProperty(seconds, seconds, fc.constantFrom(...timedFormats), async (start, end, format) => {
        const content = contentOf('Words', start, end);
        const written = String(await writeTranscript(content, format, writing));
        expect(written).not.toMatch(/NaN|Infinity|undefined|e\+/);
      }),
    );
  });
});

describe('any time of a segment', () => {
  it.each(readFormats)('is read back from the file it is written to: %s', async (format) => {
    // A cue without a length is written one millisecond long, and must end in time.
    const seconds = fc.double({ min: 0, max: maxTimeSeconds - 1, noNaN: true });
    await fc.assert(
      fc.asyncProperty(seconds, seconds, async (start, end) => {
        const content = contentOf('Words', start, end);
        const read = await readTranscript(format, String(await writeTranscript(content, format, writing)));
        // Lyrics have hundredths of a second.
        expect(Math.abs((read?.segments[0]?.start ?? NaN) - start)).toBeLessThan(0.011);
      }),
    );
  });
});

describe('other expressions that meet foreign text', () => {
  it.each<[string, (length: number) => unknown]>([
    ['the words of a subtitle', (length) => writeSubtitle(`a${'-'.repeat(length)}a`)],
    ['a phrase', (length) => normalizePhrase(`a${'-'.repeat(length)}a`)],
    ['a link', (length) => redactLink(`a:${'/'.repeat(length)}`)],
  ])('take time that grows with the length of the text: %s', async (_what, act) => {
    const actingMs = async (length: number): Promise<number> => {
      const startedAt = performance.now();
      await act(length);
      return performance.now() - startedAt;
    };
    const longMs = await actingMs(40_000);
    // What is done quickly need not be compared.
    const shortMs = longMs < 500 ? longMs : await actingMs(10_000);
    expect(longMs / shortMs).toBeLessThan(8);
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

/** A transcript of one segment. */
const contentOf = (text: string, start: number, end: number) => ({
  name: 'Talk',
  language: 'en',
  durationSeconds: 1,
  createdAt: 1,
  text,
  segments: [{ start, end, text }],
});

const writeSubtitle = (text: string): unknown =>
  writeTranscript(contentOf(text, 0, 1), 'srt', defaultWriteOptions);
