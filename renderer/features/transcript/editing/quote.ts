import type { DraftSegment } from '../../../../electron/contract/model/transcript.ts';
import { turnsOf, type Stretch } from '../../../../electron/core/library/edit/turns.ts';
import { clock } from '../../../ui/words/format.ts';

/**
 * What is selected in a transcript as a quote: the words, who said them, in which recording and when they begin; each
 * turn of speech on a line of its own.
 *
 * @param names of the speakers, by index.
 */
export function quoteOf(
  segments: readonly DraftSegment[],
  selected: readonly Stretch[],
  names: readonly string[],
  recording: string,
): string {
  const lines = turnsOf(segments, selected).map(({ speaker, text, atSeconds }) => {
    const name = speaker === null ? undefined : names[speaker];
    const source = [name, recording, clock(atSeconds)].filter((part) => part !== undefined).join(', ');
    return `“${text}” (${source})`;
  });
  return lines.join('\n');
}
