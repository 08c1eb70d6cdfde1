/** What a subtitle must keep to so that people can read it. Columns are defined in `core/formats/layout/columns.ts`. */
export interface SubtitleRules {
  readonly maxLines: number;
  readonly lineColumns: number;
  /** How many columns a full-width character (Chinese, Japanese, Korean) takes. */
  readonly wideColumns: number;
  readonly minDurationMs: number;
  readonly maxDurationMs: number;
  /** The minimum time between two cues, so that the eye notices the change. */
  readonly minGapMs: number;
  /** Shorter gaps than this flicker: they are closed to `minGapMs`. */
  readonly closedGapMs: number;
  /** Columns per second that a cue is given time for, where there is time. */
  readonly aimedSpeed: number;
  /** Columns per second above which a cue is counted as too fast. */
  readonly maxSpeed: number;
}

/** Two lines of 42 characters, or of 16 in full-width scripts, at the reading speed of an adult. */
const broadcast: SubtitleRules = {
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

/** Rules for where subtitles are watched. */
export const presetRules = {
  broadcast,
  // Watched up close, and easy to pause and rewind: as fast as talks on the web are subtitled.
  web: { ...broadcast, minDurationMs: 1000, aimedSpeed: 18, maxSpeed: 21 },
  // A narrow video on a phone: few words at a time, which change quickly.
  vertical: {
    ...broadcast,
    lineColumns: 24,
    wideColumns: 24 / 10,
    minDurationMs: 600,
    maxDurationMs: 4000,
    minGapMs: 42,
    closedGapMs: 300,
    aimedSpeed: 20,
    maxSpeed: 25,
  },
} as const satisfies Record<string, SubtitleRules>;

/** How a transcript becomes subtitles: by a preset, by the user's own rules, or `raw`, each segment as it is. */
export const subtitlePresets = ['broadcast', 'web', 'vertical', 'own', 'raw'] as const;

export type SubtitlePreset = (typeof subtitlePresets)[number];

/** The minimum and maximum of each of the user's own rules. */
export const ruleLimits = {
  maxLines: [1, 4],
  lineColumns: [10, 100],
  wideColumns: [1, 10],
  minDurationMs: [100, 5000],
  maxDurationMs: [1000, 30_000],
  minGapMs: [0, 1000],
  closedGapMs: [0, 3000],
  aimedSpeed: [5, 60],
  maxSpeed: [5, 60],
} as const satisfies Record<keyof SubtitleRules, readonly [number, number]>;

/** How many cues break which rule. A cue may break several. */
export interface SubtitleQuality {
  readonly cues: number;
  /** Cues that break at least one rule. */
  readonly flagged: number;
  readonly tooManyLines: number;
  readonly tooWide: number;
  readonly tooShort: number;
  readonly tooLong: number;
  readonly tooFast: number;
  /** Cues that end too close to the next, or after it has begun. */
  readonly tooClose: number;
}

/** The rules that a quality counts, in the order in which they are shown. */
export const countedRules = [
  'tooFast',
  'tooShort',
  'tooLong',
  'tooWide',
  'tooManyLines',
  'tooClose',
] as const satisfies readonly (keyof SubtitleQuality)[];
