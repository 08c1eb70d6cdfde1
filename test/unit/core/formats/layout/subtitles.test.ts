import { describe, expect, it } from 'vitest';
import { subtitleFormats, formatsWithSpeakerField } from '../../../../../electron/contract/choices.ts';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import { rawCues } from '../../../../../electron/core/formats/layout/cue.ts';
import {
  cueMakerOf,
  cuesOf,
  labelledCuesOf,
  labelledSegments,
  layoutOf,
  rulesOf,
} from '../../../../../electron/core/formats/layout/subtitles.ts';
import { transcriptOf } from '../transcripts.ts';

const own = { ...presetRules.web, maxLines: 3 };

describe('a preset', () => {
  it('is a layout: its rules, the user’s own, or raw segments', () => {
    expect(layoutOf('vertical', own)).toBe(presetRules.vertical);
    expect(layoutOf('own', own)).toBe(own);
    expect(layoutOf('raw', own)).toBe('raw');
  });

  it('without rules is checked against the default ones', () => {
    expect(rulesOf('raw')).toBe(presetRules.broadcast);
    expect(rulesOf(own)).toBe(own);
  });
});

const segments = [
  { start: 2, end: 3, text: 'Two nets.', speaker: 'Piet' },
  { start: 0, end: 1, text: 'One net.', speaker: 'Anna' },
  { start: 3, end: 4, text: 'And a boat.', speaker: 'Piet' },
  { start: 4, end: 4.5, text: ' ', speaker: 'Anna' },
  { start: 5, end: 6, text: 'Who knows?', speaker: ' ' },
];
const transcript = transcriptOf(segments);

const untimed = (durationSeconds: number | null) =>
  labelledCuesOf(transcriptOf([], { text: 'One net. Two nets', durationSeconds }), 'raw');

describe('the cues of a transcript', () => {
  it('have labels at each change of speaker in formats that name speakers only in the text', () => {
    for (const format of subtitleFormats) {
      const texts = cueMakerOf(format)(transcript, 'raw').map(({ lines }) => lines.join('|'));
      expect(texts).toEqual(
        formatsWithSpeakerField.includes(format)
          ? ['One net.', 'Two nets.', 'And a boat.', 'Who knows?']
          : ['Anna: One net.', 'Piet: Two nets.', 'And a boat.', 'Unknown speaker: Who knows?'],
      );
    }
  });

  it('are made of its segments in order, each with the label that it begins with', () => {
    expect(labelledSegments(transcript).map(({ text, label }) => [text, label])).toEqual([
      ['One net.', 'Anna:'],
      ['Two nets.', 'Piet:'],
      ['And a boat.', undefined],
      [' ', undefined],
      ['Who knows?', 'Unknown speaker:'],
    ]);
  });

  it('follow the rules of a layout', () => {
    const narrow = { ...presetRules.broadcast, columnsPerLine: 10, maxLines: 1 };
    expect(cuesOf(transcript, narrow).length).toBeGreaterThan(4);
    expect(cuesOf(transcript, 'raw')).toHaveLength(4);
  });

  it('of a text without times are spread over the whole recording, or over the time to read it', () => {
    expect(untimed(8)).toEqual([{ startMs: 0, endMs: 8000, lines: ['One net. Two nets'] }]);
    // Seventeen columns at seventeen columns per second.
    expect(untimed(null)).toEqual([{ startMs: 0, endMs: 1000, lines: ['One net. Two nets'] }]);
    expect(cuesOf(transcriptOf([], { text: '' }), 'raw')).toEqual([]);
  });
});

describe('raw cues', () => {
  it('are the segments in order, with their lines and speakers; without those that are empty', () => {
    expect(
      rawCues([
        { start: 2, end: 3, text: ' Two \n\n nets ', speaker: 'Piet', label: 'Piet:' },
        { start: 3, end: 4, text: ' \n ' },
        { start: 0, end: 1, text: 'One net.', speaker: '' },
      ]),
    ).toEqual([
      { startMs: 0, endMs: 1000, lines: ['One net.'] },
      { startMs: 2000, endMs: 3000, lines: ['Piet: Two', 'nets'], speaker: 'Piet' },
    ]);
  });

  it('end after they have started', () => {
    const [cue] = rawCues([{ start: 2, end: 1, text: 'Net' }]);
    expect(cue).toEqual({ startMs: 2000, endMs: 2001, lines: ['Net'] });
  });
});
