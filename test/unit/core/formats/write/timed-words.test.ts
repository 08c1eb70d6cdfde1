import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parseText, tokenizeVTTCue, type VTTCue, type VTTNode } from 'media-captions';
import { describe, expect, it } from 'vitest';
import type { SpokenSegment } from '../../../../../electron/core/formats/content.ts';
import { cuesOf } from '../../../../../electron/core/formats/layout/subtitles.ts';
import { wordTimestamps } from '../../../../../electron/core/formats/layout/word-timestamps.ts';
import { writeCsv } from '../../../../../electron/core/formats/write/csv.ts';
import { writeLrc } from '../../../../../electron/core/formats/write/lrc.ts';
import { readLrc } from '../../../../../electron/core/formats/read/read-lrc.ts';
import { writeTtml } from '../../../../../electron/core/formats/write/ttml.ts';
import { writeVtt } from '../../../../../electron/core/formats/write/vtt.ts';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import { newSegment, withWords } from '../../../../../electron/core/transcript/segment.ts';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import { wordRanges } from '../../../../../electron/core/transcript/words-in-text.ts';
import { spokenSegment } from '../../transcript/spoken-segment.ts';
import { anySegments, transcriptOf } from '../transcripts.ts';

/** A segment of which each word takes half a second from `start` on. */
function spoken(start: number, text: string) {
  const ranges = wordRanges(text);
  return withWords(
    newSegment(start, start + ranges.length / 2, text),
    ranges.map((range, index) => ({
      ...range,
      start: start + index / 2,
      end: start + index / 2 + 0.4,
      probability: index % 2 === 0 ? 0.75 : null,
    })),
  );
}

const anna: SpokenSegment = { ...spoken(1, 'Good <morning> all.'), speaker: 'Anna' };
const transcript = transcriptOf([anna, newSegment(3, 4, 'No times.')]);

describe('the times of words', () => {
  it('precede each word in WebVTT but the first of a cue', () => {
    expect(writeVtt(transcript, 'raw', true)).toBe(
      [
        'WEBVTT',
        '',
        '00:00:01.000 --> 00:00:02.500',
        '<v Anna>Good <00:00:01.500>&lt;morning&gt; <00:00:02.000>all.',
        '',
        '00:00:03.000 --> 00:00:04.000',
        'No times.',
        '',
        '',
      ].join('\n'),
    );
  });

  it('are read from WebVTT by another program', async () => {
    const { cues, errors } = await parseText(writeVtt(transcript, 'raw', true), { strict: true });
    expect(errors).toEqual([]);
    const [voice] = tokenizeVTTCue(cues[0] as VTTCue);
    const timesOf = (node: VTTNode): readonly unknown[] =>
      node.type === 'text'
        ? []
        : [...(node.type === 'timestamp' ? [node.time] : []), ...node.children.flatMap(timesOf)];
    expect(voice === undefined ? [] : timesOf(voice)).toEqual([1.5, 2]);
  });

  it('precede each word in LRC but the first of a line, which the label of the speaker may precede', () => {
    expect(writeLrc(transcript, 'raw', true).split('\n').slice(2)).toEqual([
      '[00:01.00]Anna: Good <00:01.50><morning> <00:02.00>all.',
      '[00:03.00]Unknown speaker: No times.',
      '[00:04.00]',
      '',
    ]);
    const tagged: SpokenSegment = { ...spoken(1, 'It is <0:05.00> now.'), speaker: 'Anna' };
    const labelled = transcriptOf([tagged]);
    expect(readLrc(writeLrc(labelled, 'raw', true))?.segments[0]?.text).toBe('Anna: It is <0:05.00> now.');
  });

  it('are those of spans in TTML, relative to their paragraph', () => {
    expect(writeTtml(transcript, 'raw', true)).toContain(
      '<p begin="00:00:01.000" end="00:00:02.500" ttm:agent="speaker1">Good ' +
        '<span begin="00:00:00.500">&lt;morning&gt;</span> <span begin="00:00:01.000">all.</span></p>',
    );
  });

  it('are those of rows in CSV, with the probabilities; a segment whose words have none keeps its row', () => {
    expect(parse(writeCsv(transcript, true), { bom: true })).toEqual([
      ['number', 'start', 'end', 'speaker', 'text', 'probability'],
      ['1', '00:00:01.000', '00:00:01.400', 'Anna', 'Good', '0.75'],
      ['1', '00:00:01.500', '00:00:01.900', 'Anna', '<morning>', ''],
      ['1', '00:00:02.000', '00:00:02.400', 'Anna', 'all.', '0.75'],
      ['2', '00:00:03.000', '00:00:04.000', '', 'No times.', ''],
    ]);
  });

  it('are not written unless they are wanted', () => {
    const written = [
      ...[writeVtt, writeTtml, writeLrc].map((write) => write(transcript, 'raw')),
      writeCsv(transcript),
    ];
    expect(written.join('')).not.toMatch(/<\d|<span|probability/);
  });

  it('are within their cue, in order, and at the start of a word, in any layout', () => {
    const timed = spokenSegment({ maxSeconds: 30 }).map(({ segment, words }) => withWords(segment, words));
    const layouts = fc.constantFrom('raw' as const, ...Object.values(presetRules));
    fc.assert(
      fc.property(fc.array(timed, { maxLength: 4 }), anySegments, layouts, (some, others, layout) => {
        const segments = [...some, ...others];
        const cues = cuesOf(transcriptOf(segments), layout);
        const starts = new Set(
          segments.flatMap((segment) => wordsOf(segment)?.map(({ start }) => Math.round(start * 1000)) ?? []),
        );
        wordTimestamps(segments, cues).forEach((timestamps, index) => {
          const cue = cues[index];
          let last = cue?.startMs ?? Infinity;
          for (const { startMs, line, offset } of timestamps) {
            expect(startMs).toBeGreaterThan(last);
            expect(startMs).toBeLessThan(cue?.endMs ?? 0);
            expect(starts).toContain(startMs);
            expect(cue?.lines[line]?.slice(offset)).toMatch(/^\S/u);
            last = startMs;
          }
        });
      }),
    );
  });

  it('follow their words through any layout', () => {
    const text =
      'In the evening, when it was cold, we all went to the old house by the river, and nobody came.';
    const segments = [spoken(0, text), spoken(20, text)];
    const cues = cuesOf(transcriptOf(segments), presetRules.vertical);
    expect(cues.length).toBeGreaterThan(4);
    const timesInCues = wordTimestamps(segments, cues).flatMap((timestamps, index) => [
      [cues[index]?.startMs, cues[index]?.lines[0]?.split(' ')[0]],
      ...timestamps.map(({ startMs, line, offset }) => [
        startMs,
        cues[index]?.lines[line]?.slice(offset).split(' ')[0],
      ]),
    ]);
    expect(timesInCues).toEqual(
      segments.flatMap((segment) =>
        wordsOf(segment)?.map(({ from, to, start }) => [start * 1000, segment.text.slice(from, to)]),
      ),
    );
  });
});
