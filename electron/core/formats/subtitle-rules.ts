/** What a subtitle must keep to so that people can read it. Columns are defined in `columns.ts`. */
export interface SubtitleRules {
  readonly maxLines: number;
  readonly lineColumns: number;
  /** How many columns a full-width character (Chinese, Japanese, Korean) takes. */
  readonly wideColumns: number;
  readonly minDurationMs: number;
  readonly maxDurationMs: number;
  /** The least time between two cues, so that the eye notices the change. */
  readonly minGapMs: number;
  /** Shorter gaps than this flicker: they are closed to `minGapMs`. */
  readonly closedGapMs: number;
  /** Columns per second that a cue is given time for, where there is time. */
  readonly aimedSpeed: number;
  /** Columns per second above which a cue is counted as too fast. */
  readonly maxSpeed: number;
}

/** Two lines of 42 characters, or of 16 in full-width scripts, at the reading speed of an adult. */
export const standardRules: SubtitleRules = {
  maxLines: 2,
  lineColumns: 42,
  wideColumns: 42 / 16,
  minDurationMs: 833,
  maxDurationMs: 7000,
  minGapMs: 83,
  closedGapMs: 500,
  aimedSpeed: 17,
  maxSpeed: 20,
};
