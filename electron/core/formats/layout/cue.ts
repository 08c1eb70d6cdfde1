import { isNamed, type LabelledSegment } from '../content.ts';
import { linesOf } from '../../transcript/plain-text.ts';
import { toMilliseconds } from '../../../contract/milliseconds.ts';

/** One subtitle: lines shown together from `startMs` to `endMs`. */
export interface Cue {
  readonly startMs: number;
  /** Later than `startMs`. */
  readonly endMs: number;
  /** At least one, none empty. */
  readonly lines: readonly string[];
  /** The name of the speaker, if there is one. */
  readonly speaker?: string;
}

/** Returns one cue for each segment, with its times and lines; repairs only what no subtitle file can express. */
export function rawCues(segments: readonly LabelledSegment[]): Cue[] {
  const cues: Cue[] = [];
  for (const { start, end, text, speaker, label } of segments.toSorted((a, b) => a.start - b.start)) {
    const lines = linesOf(label === undefined ? text : `${label} ${text.trimStart()}`);
    const startMs = toMilliseconds(start);
    if (lines.length === 0) continue;
    cues.push({
      startMs,
      endMs: Math.max(startMs + 1, toMilliseconds(end)),
      lines,
      ...(isNamed(speaker) && { speaker }),
    });
  }
  return cues;
}
