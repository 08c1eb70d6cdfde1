import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../../electron/core/formats/decode-text.ts';
import { writeJson } from '../../../../electron/core/formats/json.ts';
import { readJson } from '../../../../electron/core/formats/read-json.ts';
import { readSubtitles } from '../../../../electron/core/formats/read-subtitles.ts';
import { readText } from '../../../../electron/core/formats/read-text.ts';
import { writeSrt } from '../../../../electron/core/formats/srt.ts';
import { writeTxt } from '../../../../electron/core/formats/txt.ts';
import { writeVtt } from '../../../../electron/core/formats/vtt.ts';

const said = fc
  .array(
    fc.oneof(
      fc.constantFrom('<i>', '-->', '{\\an8}', '&amp;', 'AT&T', '12'),
      fc.stringMatching(/^[\p{L}?!.]{1,8}$/u),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((words) => words.join(' ').normalize('NFC'));
const transcript = fc.array(said, { minLength: 1, maxLength: 12 }).map((texts) => ({
  name: 'Talk',
  language: 'en',
  durationSeconds: texts.length * 2,
  createdAt: 1,
  text: texts.join(' '),
  segments: texts.map((text, index) => ({ start: index * 2 + 0.25, end: index * 2 + 2, text })),
}));

describe('what is written is read back', () => {
  it.each([
    ['srt', (given: Parameters<typeof writeSrt>[0]) => readSubtitles(writeSrt(given, 'raw'))],
    ['vtt', (given: Parameters<typeof writeVtt>[0]) => readSubtitles(writeVtt(given, 'raw'))],
    ['json', (given: Parameters<typeof writeJson>[0]) => readJson(writeJson(given))?.segments],
  ])('%s', (_name, back) => {
    const property = fc.property(transcript, (given) => {
      expect(back(given)).toEqual(given.segments);
    });
    expect(fc.check(property, { numRuns: 300 })).toMatchObject({ failed: false });
  });

  it('txt with times, but for its ends', () => {
    const property = fc.property(transcript, (given) => {
      const read = readText(writeTxt(given, 'times')).segments;
      expect(read.map(({ start, text }) => ({ start, text }))).toEqual(
        given.segments.map(({ start, text }) => ({ start, text })),
      );
    });
    expect(fc.check(property, { numRuns: 300 })).toMatchObject({ failed: false });
  });
});

describe('subtitles of others', () => {
  const hello = [{ start: 1, end: 2.5, text: 'Hello\nthere' }];

  it.each([
    ['as they should be', '1\n00:00:01,000 --> 00:00:02,500\nHello\nthere\n\n'],
    [
      'with a mark and Windows line ends',
      '\uFEFF1\r\n00:00:01,000 --> 00:00:02,500\r\nHello\r\nthere\r\n\r\n',
    ],
    ['without numbers and hours', '00:01.000 --> 00:02.500\nHello\nthere'],
    ['with markup', '1\n00:00:01,000 --> 00:00:02,500\n{\\an8}<i>Hello</i>\n<font color="red">there</font>'],
    [
      'with settings, notes and a name',
      'WEBVTT\n\nNOTE no\n\nintro\n00:01.000 --> 00:02.500 align:start\n<b>Hello</b>\nthere\n',
    ],
    ['with single digits', '1\n0:0:1,0 --> 0:0:2,5\nHello\nthere\n'],
  ])('%s', (_name, content) => {
    expect(readSubtitles(content)).toEqual(hello);
  });

  it('without empty lines, out of order and overlapping', () => {
    const content =
      '2\n00:00:03,000 --> 00:00:05,000\nB\n1\n00:00:01,000 --> 00:00:04,000\nA\n3\n00:00:06,000 --> 00:00:05,000\nC';
    expect(readSubtitles(content)).toEqual([
      { start: 1, end: 4, text: 'A' },
      { start: 3, end: 5, text: 'B' },
      { start: 6, end: 6, text: 'C' },
    ]);
  });

  it('has voices as names, and nothing in what is none', () => {
    expect(readSubtitles('WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna Lee>Hi &lt;you&gt;')[0]?.text).toBe(
      'Anna Lee: Hi <you>',
    );
    expect(readSubtitles('Dear all, at 10:00 we --> meet.')).toEqual([]);
  });

  it('never fails, whatever there is', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), (content) => {
      readSubtitles(content);
      readText(content);
      readJson(content);
    });
    expect(fc.check(property)).toMatchObject({ failed: false });
  });
});

describe('text', () => {
  it('without times stays text', () => {
    expect(readText('One.\n\n\n\nTwo at 10:30.')).toEqual({ text: 'One.\n\nTwo at 10:30.', segments: [] });
  });

  it('goes on in lines without a time', () => {
    expect(readText('(0:01) One\nmore\n1:02:03 - Two').segments).toMatchObject([
      { start: 1, end: 3723, text: 'One\nmore' },
      { start: 3723, text: 'Two' },
    ]);
  });

  it.each([
    ['UTF-8', new TextEncoder().encode('Ça và €')],
    ['UTF-16 with a mark', new Uint8Array(Buffer.from('\uFEFFÇa và €', 'utf16le'))],
    ['UTF-16 without', new Uint8Array(Buffer.from('Ça và €', 'utf16le'))],
    ['Windows-1252', Uint8Array.from([0xc7, 0x61, 0x20, 0x76, 0xe0, 0x20, 0x80])],
  ])('in %s', (_name, bytes) => {
    expect(decodeText(bytes)).toBe('Ça và €');
  });
});
