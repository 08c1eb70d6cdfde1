import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maxTimeSeconds } from '../../../../electron/contract/limits.ts';
import type { EditOperation } from '../../../../electron/contract/transcript.ts';
import { writeTranscript } from '../../../../electron/core/formats/formats.ts';
import { readTranscript } from '../../../../electron/core/formats/read/read-transcript.ts';
import { defaultWriteOptions } from '../../../../electron/core/formats/write/write-options.ts';
import { applyChange } from '../../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf, noOriginal } from '../../../../electron/core/transcript/edit/edit.ts';
import { newSegment } from '../../../../electron/core/transcript/segment.ts';
import { transcriptOf } from './transcripts.ts';

const id = fc.nat({ max: 4 });
/** Times and offsets that the fields of the window accept, the usual ones and those that somebody mistypes. */
const time = fc.oneof(
  fc.integer({ min: -20_000, max: 20_000 }).map((milliseconds) => milliseconds / 1000),
  fc.integer({ min: -1e9, max: 1e9 }),
  fc.constantFrom(maxTimeSeconds, maxTimeSeconds - 1, maxTimeSeconds + 0.001),
);
const retiming: fc.Arbitrary<EditOperation> = fc.oneof(
  fc.record({
    kind: fc.constant('retime' as const),
    factor: fc.constantFrom(0.01, 0.5, 1, 2, 10),
    offsetSeconds: time,
  }),
  fc.record({ kind: fc.constant('set-times' as const), segment: id, start: time, end: time }),
  fc.record({
    kind: fc.constant('move-boundary' as const),
    segment: id,
    edge: fc.constantFrom('start' as const, 'end' as const),
    toSeconds: time,
  }),
  fc.record({
    kind: fc.constant('insert' as const),
    after: id,
    text: fc.constant('New.'),
    fillsGap: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('put-back' as const),
    start: time,
    end: time,
    text: fc.constant('Back.'),
    speaker: fc.constant(null),
  }),
  fc.record({ kind: fc.constant('add-note' as const), atSeconds: time, text: fc.constant('A note') }),
);

it('a transcript without a recording can be imported again however its times were edited', async () => {
  const formats = ['json', 'srt', 'vtt', 'ttml', 'sbv', 'lrc', 'csv'] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(retiming, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(...formats),
      async (operations, format) => {
        const imported = draftOf(
          ['One.', 'Two.', 'Three.'].map((text, at) => newSegment(at * 4, at * 4 + 4, text)),
        );
        const { segments, notes } = operations.reduce(
          (draft, operation) =>
            applyChange(draft, changeOf(draft, operation, { recordingSeconds: null, original: noOriginal })),
          imported,
        );
        const file = await writeTranscript(transcriptOf(segments, { notes }), format, {
          ...defaultWriteOptions,
          notes: true,
        });
        const read = await readTranscript(
          format,
          typeof file === 'string' ? file : new TextDecoder().decode(file),
        );
        expect(read?.segments).not.toHaveLength(0);
        if (format !== 'json') return;
        expect(read?.segments.map(({ start, end }) => [start, end])).toEqual(
          segments.map(({ start, end }) => [start, end]),
        );
        expect(read?.notes ?? []).toEqual(notes.map(({ atSeconds, text }) => ({ atSeconds, text })));
      },
    ),
    { numRuns: 500 },
  );
});
