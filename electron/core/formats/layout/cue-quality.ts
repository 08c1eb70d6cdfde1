import type { CountedRule, SubtitleQuality, SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { columnsOf } from './columns.ts';
import type { Cue } from './cue.ts';
import { tolerance } from './measured-text.ts';
import { needsSpace } from '../../transcript/plain-text.ts';

/** How readable a cue is. */
export interface CueQuality {
  /** In columns per second. */
  readonly speed: number;
  readonly violations: readonly CountedRule[];
}

/**
 * Checks a cue.
 *
 * @param next the cue after it; `undefined` for the last
 */
export function checkCue(cue: Cue, next: Cue | undefined, rules: SubtitleRules): CueQuality {
  const { startMs, endMs, lines } = cue;
  const widths = lines.map((line) => columnsOf(line, rules.columnsPerWideCharacter));
  const columns = widths.reduce((sum, width) => sum + width, spacesBetween(lines));
  const durationMs = endMs - startMs;
  const violations: CountedRule[] = [];
  if (columns * 1000 > (rules.maxSpeed + tolerance) * durationMs) violations.push('tooFast');
  if (durationMs < rules.minDurationMs) violations.push('tooShort');
  if (durationMs > rules.maxDurationMs) violations.push('tooLong');
  if (Math.max(...widths) > rules.columnsPerLine + tolerance) violations.push('tooWide');
  if (lines.length > rules.maxLines) violations.push('tooManyLines');
  if ((next?.startMs ?? Infinity) - endMs < rules.minGapMs) violations.push('tooClose');
  return { speed: (columns * 1000) / durationMs, violations };
}

/** Counts the cues that violate each rule. */
export function assess(cues: readonly Cue[], rules: SubtitleRules): SubtitleQuality {
  const quality = {
    cues: cues.length,
    flagged: 0,
    tooManyLines: 0,
    tooWide: 0,
    tooShort: 0,
    tooLong: 0,
    tooFast: 0,
    tooClose: 0,
  };
  cues.forEach((cue, index) => {
    const { violations } = checkCue(cue, cues[index + 1], rules);
    if (violations.length > 0) quality.flagged += 1;
    for (const rule of violations) quality[rule] += 1;
  });
  return quality;
}

/** Returns the first cues that violate a rule, at most `max` of them. */
export function flaggedCues(cues: readonly Cue[], rules: SubtitleRules, max: number): readonly Cue[] {
  const flagged: Cue[] = [];
  for (let index = 0; index < cues.length && flagged.length < max; index += 1) {
    const cue = cues[index];
    if (cue !== undefined && checkCue(cue, cues[index + 1], rules).violations.length > 0) flagged.push(cue);
  }
  return flagged;
}

/** Returns the offset in a line from which it is too wide, in UTF-16 units; its length if it fits. */
export function overflowOffset(
  line: string,
  { columnsPerLine, columnsPerWideCharacter }: SubtitleRules,
): number {
  let columns = 0;
  let offset = 0;
  for (const character of line) {
    columns += columnsOf(character, columnsPerWideCharacter);
    if (columns > columnsPerLine + tolerance) return offset;
    offset += character.length;
  }
  return offset;
}

/** Counts line breaks as spaces, in scripts with spaces. */
const spacesBetween = (lines: readonly string[]): number =>
  lines.filter((line, index) => index > 0 && needsSpace(lines[index - 1] ?? '', line)).length;
