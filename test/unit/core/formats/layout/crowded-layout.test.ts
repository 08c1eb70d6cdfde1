import { expect, it } from 'vitest';
import { layOut } from '../../../../../electron/core/formats/layout/layout.ts';
import { presetRules } from '../../../../../electron/contract/subtitle-rules.ts';
import { letters } from '../transcripts.ts';

it('a thousand segments that overlap for minutes are laid out, with all of their text', () => {
  // Without a limit of the layouts that are compared, a few hundred took minutes.
  const segments = Array.from({ length: 1000 }, (_, index) => ({
    start: index * 0.1,
    end: 1000,
    text: `word another thing ${index}`,
  }));
  const cues = layOut(segments, 'en', presetRules.broadcast);
  expect(letters(cues.flatMap(({ lines }) => lines).join(''))).toBe(
    letters(segments.map(({ text }) => text).join('')),
  );
});
