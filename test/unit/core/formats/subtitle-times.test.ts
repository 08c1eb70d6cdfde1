import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSubtitles } from '../../../../electron/core/formats/read/read-subtitles.ts';
import { readTranscript } from '../../../../electron/core/formats/read/read-transcript.ts';

describe('times of subtitles are read', () => {
  it.each([
    ['seconds without a fraction', ['00:01:30', '00:01:33', '1:02:03', '1:02:04'], [90, 93, 3723, 3724]],
    ['fractions only in some', ['00:01:30', '00:01:30,5', '00:02.5', '00:00:03'], [2.5, 3, 90, 90.5]],
    ['frames, up to 25', ['00:00:08:20', '00:00:09:05', '00:00:10:00', '0:0:11:24'], [8.8, 9.2, 10, 11.96]],
    ['frames, up to 30', ['00:00:08:20', '00:00:09:29', '00:00:10:15', '00:00:11'], [8.667, 9.967, 10.5, 11]],
    ['frames, up to 50', ['00:00:08:20', '00:00:09:49', '00:00:10:05', '00:00:11:00'], [8.4, 9.98, 10.1, 11]],
    [
      'frames, up to 60',
      ['00:00:08:20', '00:00:09:59', '00:00:10:30', '00:00:11:00'],
      [8.333, 9.983, 10.5, 11],
    ],
    [
      'hundredths after a colon',
      ['00:00:08:20', '00:00:09:60', '00:00:10:05', '00:00:11:99'],
      [8.2, 9.6, 10.05, 11.99],
    ],
    [
      'milliseconds after a colon',
      ['00:00:08:020', '00:00:09:5', '00:00:10:999', '00:00:11:000'],
      [8.02, 9.005, 10.999, 11],
    ],
  ])('with %s', async (_name, [a, b, c, d], expected) => {
    const content = `${a} --> ${b}\nA\n\n${c} --> ${d}\nB\n`;
    const files = [
      ['srt', content],
      ['vtt', `WEBVTT\n\n${content}`],
      ['txt', `1\n${content}`],
    ] as const;
    for (const [kind, file] of files) {
      const segments = (await readTranscript(kind, file))?.segments;
      expect(segments?.flatMap(({ start, end }) => [start, end])).toEqual(expected);
    }
  });

  it('without a fraction, whatever the time', () => {
    const clock = fc.record({
      hours: fc.nat(200),
      minutes: fc.nat(59),
      seconds: fc.nat(59),
      frames: fc.option(fc.nat(24)),
    });
    const property = fc.property(clock, ({ hours, minutes, seconds, frames }) => {
      const time = [hours, minutes, seconds, ...(frames === null ? [] : [frames])]
        .map((part) => String(part).padStart(2, '0'))
        .join(':');
      const start = hours * 3600 + minutes * 60 + seconds + (frames ?? 0) / 25;
      expect(readSubtitles(`${time} --> ${time}\nA`)?.segments[0]?.start).toBeCloseTo(start, 9);
    });
    expect(fc.check(property, { numRuns: 300 })).toMatchObject({ failed: false });
  });

  it.each([
    // Perhaps minutes, seconds and hundredths: the first line alone would be hours, minutes and seconds.
    ['srt', '1\n00:01:30 --> 00:01:33\nA\n\n2\n00:02:75 --> 00:03:10\nB\n', 6],
    ['srt', '00:01:300 --> 00:01:330\nA\n', 1],
    ['srt', '00:01 --> 00:02\nA\n', 1],
    ['txt', '100:00:60 --> 100:01:00\nA\n', 1],
  ])('unless they are ambiguous: %s %j', async (kind, content, line) => {
    await expect(readTranscript(kind, content)).rejects.toMatchObject({ line });
  });
});
