import type { LeftOut } from './queue.ts';

/** What came of writing transcripts to files. */
export interface ExportReport {
  /** Names of the written files, without their folder. */
  readonly written: readonly string[];
  readonly failed: readonly LeftOut[];
  /** `true` when the user closed the dialog without choosing. */
  readonly cancelled: boolean;
}

/** Formats that a transcript can be written in. */
export const exportFormats = ['srt', 'vtt', 'txt', 'json'] as const;

export type ExportFormat = (typeof exportFormats)[number];
