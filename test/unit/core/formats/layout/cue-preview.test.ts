import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { subtitleFormats } from '../../../../../electron/contract/choices.ts';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import type { SpokenSegment } from '../../../../../electron/core/formats/content.ts';
import { transcriptFormats } from '../../../../../electron/core/formats/formats.ts';
import { CuePreview, type PreviewOptions } from '../../../../../electron/core/formats/layout/cue-preview.ts';
import { newSegment } from '../../../../../electron/core/transcript/segment.ts';

const vocabulary =
  'the harbour closed and, nobody knew why. But my brother said: turn it on! It is about us'.split(' ');

/** Conversations of several hundred segments: with and without pauses, even faster than anybody can read. */
const conversation: fc.Arbitrary<readonly SpokenSegment[]> = fc
  .array(
    fc.record({
      words: fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 16 }),
      lettersPerSecond: fc.integer({ min: 8, max: 26 }),
      pauseMs: fc.constantFrom(0, 0, 0, 40, 200, 700, 3000),
      speaker: fc.constantFrom('Anna', 'Anna', 'Anna', 'Piet', null),
    }),
    { minLength: 200, maxLength: 400, size: 'max' },
  )
  .map((pieces) => {
    let startMs = 0;
    return pieces.map(({ words, lettersPerSecond, pauseMs, speaker }) => {
      const text = words.join(' ');
      const endMs = startMs + Math.round((text.length / lettersPerSecond) * 1000);
      const segment = { ...newSegment(startMs / 1000, endMs / 1000, text), speaker };
      startMs = endMs + pauseMs;
      return segment;
    });
  });

const optionsFor = (
  segments: readonly SpokenSegment[],
  more: Partial<PreviewOptions> = {},
): PreviewOptions => ({
  language: 'en',
  layout: presetRules.broadcast,
  formats: ['srt'],
  speakerOf: (index) => segments[index]?.speaker ?? null,
  ...more,
});

describe('the preview of subtitles', () => {
  test.each([
    ['srt', presetRules.broadcast],
    ['vtt', presetRules.vertical],
    ['srt', 'raw'],
  ] as const)('shows at any time what an export as %s writes', (format, layout) => {
    fc.assert(
      fc.property(
        conversation,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5 }),
        (segments, shares) => {
          const content = {
            name: '',
            language: 'en',
            durationSeconds: null,
            createdAt: 0,
            text: '',
            segments,
          };
          const whole = transcriptFormats[format].cues?.(content, layout) ?? [];
          const preview = new CuePreview(segments, optionsFor(segments, { layout, formats: [format] }));
          const endMs = whole.at(-1)?.endMs ?? 0;
          for (const share of shares) {
            const timeMs = Math.round(share * endMs);
            const wanted = whole.findLast((cue) => cue.startMs <= timeMs && timeMs < cue.endMs);
            const shown = preview.cueAt(timeMs / 1000);
            expect(shown && [shown.startMs, shown.endMs, shown.lines]).toStrictEqual(
              wanted === undefined ? null : [wanted.startMs, wanted.endMs, wanted.lines],
            );
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test('is the same object while the same cue is shown', () => {
    const segments = [newSegment(0, 3, 'One net.'), newSegment(5, 8, 'Two nets.')];
    const preview = new CuePreview(segments, optionsFor(segments));
    expect(preview.cueAt(0.5)).toBe(preview.cueAt(2));
    expect(preview.cueAt(4.9)).toBeNull();
    expect(preview.cueAt(6)?.lines).toStrictEqual(['Two nets.']);
  });

  test('has the speed of a cue and what it violates, in place', () => {
    const long = 'And then nobody in the harbour knew what';
    const segments = [newSegment(0, 1, `${long} to say`), newSegment(1.02, 1.5, 'Yes')];
    const preview = new CuePreview(segments, optionsFor(segments, { layout: 'raw' }));
    expect(preview.cueAt(0)).toMatchObject({
      speed: 47,
      violations: ['tooFast', 'tooWide', 'tooClose'],
      overflowOffsets: [42],
      gapMs: 20,
    });
    expect(preview.cueAt(1.2)).toMatchObject({ violations: ['tooShort'], overflowOffsets: [3], gapMs: null });
  });

  test('labels speakers like the chosen formats; one with labels takes precedence', () => {
    const segments = [{ ...newSegment(0, 3, 'One net.'), speaker: 'Anna' }];
    const linesFor = (...formats: PreviewOptions['formats']) =>
      new CuePreview(segments, optionsFor(segments, { formats })).cueAt(1)?.lines;
    expect(linesFor('vtt', 'txt')).toStrictEqual(['One net.']);
    expect(linesFor('vtt', 'srt')).toStrictEqual(['Anna: One net.']);
    expect(linesFor()).toStrictEqual(['Anna: One net.']);
    const content = { name: '', language: null, durationSeconds: null, createdAt: 0, text: '', segments };
    for (const format of subtitleFormats) {
      const written = transcriptFormats[format].cues?.(content, presetRules.broadcast);
      expect(linesFor(format)).toStrictEqual(written?.[0]?.lines);
    }
  });
});
