/** Rules that make subtitles readable. Columns are defined in `core/formats/layout/columns.ts`. */
export interface SubtitleRules {
  readonly maxLines: number;
  readonly columnsPerLine: number;
  /** How many columns a full-width character (Chinese, Japanese, Korean) takes. */
  readonly columnsPerWideCharacter: number;
  readonly minDurationMs: number;
  readonly maxDurationMs: number;
  /** The minimum time between two cues, so that viewers notice the change. */
  readonly minGapMs: number;
  /** Shorter gaps than this flicker: they are closed to `minGapMs`. */
  readonly closeGapsBelowMs: number;
  /** The reading speed to aim for, in columns per second, where there is time. */
  readonly targetSpeed: number;
  /** The reading speed, in columns per second, above which a cue is too fast. */
  readonly maxSpeed: number;
}

/** Two lines of 42 characters, or of 16 in full-width scripts, at the reading speed of an adult. */
const broadcast: SubtitleRules = {
  maxLines: 2,
  columnsPerLine: 42,
  columnsPerWideCharacter: 42 / 16,
  minDurationMs: 833,
  maxDurationMs: 7000,
  minGapMs: 83,
  closeGapsBelowMs: 500,
  targetSpeed: 17,
  maxSpeed: 20,
};

/** Rules for different ways of watching. */
export const presetRules = {
  broadcast,
  // Watched up close, and easy to pause and rewind: as fast as subtitles of talks on the web.
  web: { ...broadcast, minDurationMs: 1000, targetSpeed: 18, maxSpeed: 21 },
  // A narrow video on a phone: few words at a time, which change quickly.
  vertical: {
    ...broadcast,
    columnsPerLine: 24,
    columnsPerWideCharacter: 24 / 10,
    minDurationMs: 600,
    maxDurationMs: 4000,
    minGapMs: 42,
    closeGapsBelowMs: 300,
    targetSpeed: 20,
    maxSpeed: 25,
  },
} as const satisfies Record<string, SubtitleRules>;

/** How a transcript becomes subtitles: by a preset, by the user's own rules, or `raw`, with one cue per segment. */
export const subtitlePresets = ['broadcast', 'web', 'vertical', 'own', 'raw'] as const;

export type SubtitlePreset = (typeof subtitlePresets)[number];

/** The minimum and maximum of each of the user's own rules. */
export const ruleLimits = {
  maxLines: [1, 4],
  columnsPerLine: [10, 100],
  columnsPerWideCharacter: [1, 10],
  minDurationMs: [100, 5000],
  maxDurationMs: [1000, 30_000],
  minGapMs: [0, 1000],
  closeGapsBelowMs: [0, 3000],
  targetSpeed: [5, 60],
  maxSpeed: [5, 60],
} as const satisfies Record<keyof SubtitleRules, readonly [number, number]>;

/** How many cues violate each rule. A cue may violate several. */
export interface SubtitleQuality {
  readonly cues: number;
  /** Cues that violate at least one rule. */
  readonly flagged: number;
  readonly tooManyLines: number;
  readonly tooWide: number;
  readonly tooShort: number;
  readonly tooLong: number;
  readonly tooFast: number;
  /** Cues that end too close to the start of the next one, or after it. */
  readonly tooClose: number;
}

/** The rules that are counted, in display order. */
export const countedRules = [
  'tooFast',
  'tooShort',
  'tooLong',
  'tooWide',
  'tooManyLines',
  'tooClose',
] as const satisfies readonly (keyof SubtitleQuality)[];
export type CountedRule = (typeof countedRules)[number];
