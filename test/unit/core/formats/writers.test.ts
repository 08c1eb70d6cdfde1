import * as fc from 'fast-check';
import { parseText, tokenizeVTTCue, type VTTCue } from 'media-captions';
import { describe, expect, it } from 'vitest';
import type { Segment } from '../../../../electron/contract/segment-schema.ts';
import { transcriptFormats } from '../../../../electron/core/formats/formats.ts';
import { toMilliseconds } from '../../../../electron/contract/milliseconds.ts';
import { withWords } from '../../../../electron/core/transcript/segment.ts';
import { writeJson } from '../../../../electron/core/formats/write/json.ts';
import { writeSrt } from '../../../../electron/core/formats/write/srt.ts';
import { presetRules } from '../../../../electron/contract/subtitle-rules.ts';
import { cuesOf } from '../../../../electron/core/formats/layout/subtitles.ts';
import { timeCode } from '../../../../electron/core/formats/time-code.ts';
import { writeTxt } from '../../../../electron/core/formats/write/txt.ts';
import { writeVtt } from '../../../../electron/core/formats/write/vtt.ts';
import { anySegments, letters, transcriptOf } from './transcripts.ts';

/**
 * Returns the text of a WebVTT cue as a browser shows it: entities decoded; markup, which must not occur, stays
 * visible.
 */
function shown(cue: VTTCue): string {
  const tokens = tokenizeVTTCue(cue);
  return tokens.map((token) => (token.type === 'text' ? token.data : `[markup ${token.type}]`)).join('');
}

const at = (start: number, end: number, text: string): Segment => ({ start, end, text });
const layouts = [presetRules.broadcast, 'raw'] as const;

describe.each(['srt', 'vtt'] as const)('%s, read back by another parser', (type) => {
  const write = { srt: writeSrt, vtt: writeVtt }[type];
  const read = (cue: VTTCue): string => (type === 'vtt' ? shown(cue) : cue.text.replaceAll('\u2060', ''));

  it.each(layouts)('has the same cues, for any transcript (%#)', async (layout) => {
    await fc.assert(
      fc.asyncProperty(anySegments, async (segments) => {
        const transcript = transcriptOf(segments);
        const cues = cuesOf(transcript, layout);
        const parsed = await parseText(write(transcript, layout), { type, strict: true });
        expect(parsed.errors).toEqual([]);
        const times = parsed.cues.map(({ startTime, endTime }) =>
          [startTime, endTime].map((time) => Math.round(time * 1000)),
        );
        expect(times).toEqual(cues.map(({ startMs, endMs }) => [startMs, endMs]));
        expect(parsed.cues.map(read)).toEqual(
          cues.map(({ lines }) => lines.join('\n').replaceAll('\u2060', '')),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('SRT', () => {
  it('numbers its cues and writes times with a comma', () => {
    expect(writeSrt(transcriptOf([{ start: 3661.5, end: 3664, text: 'Hello.' }]))).toBe(
      '1\n01:01:01,500 --> 01:01:04,000\nHello.\n\n',
    );
  });

  it('keeps what looks like markup or a timing line as text', () => {
    const content = writeSrt(transcriptOf([{ start: 0, end: 4, text: '<i>a</i> --> {\\an8} 1 < 2 {3}' }]));
    expect(content.replaceAll('\u2060', '')).toContain('<i>a</i> --> {\\an8} 1 < 2 {3}');
    expect(content.split('\n')[2]).not.toMatch(/<\/?[a-z]|\{\\|-->/);
  });
});

describe('VTT', () => {
  it('starts with its signature, even if empty', () => {
    expect(writeVtt(transcriptOf([]))).toBe('WEBVTT\n\n');
  });

  it('escapes what WebVTT would read as markup', () => {
    expect(writeVtt(transcriptOf([{ start: 0, end: 2, text: 'a < b & c --> d' }]))).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\na &lt; b &amp; c --&gt; d\n\n',
    );
  });
});

describe('the raw layout', () => {
  it('writes each segment with its own times and lines', () => {
    const segments = [
      { start: 0.25, end: 60, text: ' A first line\r\n\r\nand a second one that is longer than allowed ' },
    ];
    expect(writeSrt(transcriptOf(segments), 'raw')).toBe(
      '1\n00:00:00,250 --> 00:01:00,000\nA first line\nand a second one that is longer than allowed\n\n',
    );
  });

  it('omits only segments without text', () => {
    fc.assert(
      fc.property(anySegments, (segments) => {
        const spoken = segments.filter(({ text }) => letters(text) !== '');
        expect(cuesOf(transcriptOf(segments), 'raw')).toHaveLength(spoken.length);
      }),
    );
  });
});

describe('a transcript without segments', () => {
  it('has its text spread over the recording', () => {
    const transcript = transcriptOf([], { text: 'No times are known.', durationSeconds: 3 });
    expect(writeSrt(transcript)).toBe('1\n00:00:00,000 --> 00:00:03,000\nNo times are known.\n\n');
    expect(writeTxt(transcript)).toBe('No times are known.\n');
  });
});

describe('TXT', () => {
  it('starts a paragraph after a pause and joins adjacent segments', () => {
    const segments = [
      at(0, 1, ' One'),
      at(1.5, 2, 'two.\n'),
      at(4, 5, 'Three.'),
      at(5, 6, '三。'),
      at(6, 7, '四。'),
    ];
    expect(writeTxt(transcriptOf(segments))).toBe('One two.\n\nThree.三。四。\n');
  });

  it('labels text without a speaker after that of a named one', () => {
    const [from, to] = [
      { start: 0, end: 1 },
      { start: 1, end: 2 },
    ];
    const segments = [
      { ...from, text: 'I deny it.', speaker: 'Anna' },
      { ...to, text: 'Nobody knows.' },
      { ...to, text: 'Note: nobody.' },
      { ...to, text: 'I do.', speaker: 'Ben' },
    ];
    expect(writeTxt(transcriptOf(segments))).toBe(
      'Anna: I deny it.\n\nUnknown speaker: Nobody knows. Note: nobody.\n\nBen: I do.\n',
    );
    expect(writeTxt(transcriptOf(segments), 'lines')).toBe(
      'Anna: I deny it.\nUnknown speaker: Nobody knows.\nUnknown speaker: Note: nobody.\nBen: I do.\n',
    );
    expect(writeTxt(transcriptOf(segments.slice(1, 3)), 'lines')).toBe('Nobody knows.\nNote: nobody.\n');
    expect(writeSrt(transcriptOf(segments), 'raw')).toContain('\nUnknown speaker: Nobody knows.\n');
  });

  it('loses no text', () => {
    fc.assert(
      fc.property(anySegments, (segments) => {
        expect(letters(writeTxt(transcriptOf(segments)))).toBe(
          letters(segments.map(({ text }) => text).join('')),
        );
      }),
    );
  });
});

/** A word that is the whole text. */
const hi = { from: 0, to: 2, probability: null };

describe('JSON', () => {
  it('contains everything, with times to the millisecond', () => {
    const transcript = {
      ...transcriptOf([withWords(at(0.1 + 0.2, 1.0005, 'Hi'), [{ ...hi, start: 1 / 3, end: 0.9999 }])]),
      durationSeconds: 1e308,
      notes: [{ atSeconds: -0.0001, text: 'Early' }],
    };
    expect(JSON.parse(writeJson(transcript))).toMatchObject({
      durationSeconds: Number.MAX_SAFE_INTEGER / 1000,
      segments: [{ start: 0.3, end: 1.001, text: 'Hi', words: [{ text: 'Hi', start: 0.333, end: 1 }] }],
      notes: [{ at: 0, text: 'Early' }],
    });
    fc.assert(
      fc.property(anySegments, (all) => {
        const segments = all.map((segment) => ({
          ...segment,
          start: toMilliseconds(segment.start) / 1000,
          end: toMilliseconds(segment.end) / 1000,
        }));
        const content = { durationSeconds: 12.5, createdAt: 1_700_000_000_000 };
        expect(JSON.parse(writeJson(transcriptOf(all, content)))).toEqual(
          JSON.parse(
            JSON.stringify({
              format: 'longhand-transcript',
              version: 1,
              ...transcriptOf(segments, content),
            }),
          ),
        );
      }),
    );
  });
});

it('time codes have the right parts', () => {
  fc.assert(
    fc.property(fc.nat({ max: 400_000_000 }), (timeMs) => {
      const [hours, minutes, seconds, milliseconds] = timeCode(timeMs, '.').split(/[:.]/).map(Number);
      expect(((hours! * 60 + minutes!) * 60 + seconds!) * 1000 + milliseconds!).toBe(timeMs);
      expect(timeCode(timeMs, ',')).toMatch(/^\d{2,}:[0-5]\d:[0-5]\d,\d{3}$/);
    }),
  );
});

it('every format is registered under its extension', () => {
  for (const [name, format] of Object.entries(transcriptFormats)) expect(format.extension).toBe(name);
});
