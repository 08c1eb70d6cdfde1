import type { SubtitleQuality, SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { columnsOf } from './columns.ts';
import type { Cue } from './cue.ts';
import { tolerance } from './measured-text.ts';
import { needsSpace } from '../../transcript/plain-text.ts';

/** Counts the cues that violate each rule. */
export function assess(cues: readonly Cue[], rules: SubtitleRules): SubtitleQuality {
  const measured = cues.map(({ startMs, endMs, lines }, index) => {
    const widths = lines.map((line) => columnsOf(line, rules.wideColumns));
    return {
      lineCount: lines.length,
      widest: Math.max(...widths),
      columns: widths.reduce((sum, width) => sum + width, spacesBetween(lines)),
      durationMs: endMs - startMs,
      gapMs: (cues[index + 1]?.startMs ?? Infinity) - endMs,
    };
  });
  type Check = (cue: (typeof measured)[number]) => boolean;
  const tooManyLines: Check = (cue) => cue.lineCount > rules.maxLines;
  const tooWide: Check = (cue) => cue.widest > rules.lineColumns + tolerance;
  const tooShort: Check = (cue) => cue.durationMs < rules.minDurationMs;
  const tooLong: Check = (cue) => cue.durationMs > rules.maxDurationMs;
  const tooFast: Check = (cue) => cue.columns * 1000 > (rules.maxSpeed + tolerance) * cue.durationMs;
  const tooClose: Check = (cue) => cue.gapMs < rules.minGapMs;

  const count = (...checks: Check[]): number =>
    measured.filter((cue) => checks.some((check) => check(cue))).length;
  return {
    cues: cues.length,
    flagged: count(tooManyLines, tooWide, tooShort, tooLong, tooFast, tooClose),
    tooManyLines: count(tooManyLines),
    tooWide: count(tooWide),
    tooShort: count(tooShort),
    tooLong: count(tooLong),
    tooFast: count(tooFast),
    tooClose: count(tooClose),
  };
}

/** Counts line breaks as spaces, in scripts with spaces. */
const spacesBetween = (lines: readonly string[]): number =>
  lines.filter((line, index) => index > 0 && needsSpace(lines[index - 1] ?? '', line)).length;
