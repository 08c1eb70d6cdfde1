import type { AddSheetSummary } from './add-sheet-commands.ts';

/** How many transcripts are in the folders of a sheet; those with only the exports of their recordings are left out. */
export interface SheetTranscripts {
  readonly toImport: number;
  /** Imported from this sheet. */
  readonly imported: number;
}

/** Whether a sheet is only about importing transcripts: no recording is new, and no duplicate is included. */
export const hasOnlyTranscripts = ({ phase, counts, chosen, transcripts }: AddSheetSummary): boolean =>
  phase !== 'scanning' && counts.ready === 0 && chosen.recordings === 0 && transcripts.toImport > 0;

/** Whether a sheet has nothing but recordings that are known and not chosen. What was rejected may be readable later. */
export const hasNothingNew = ({ counts, chosen, transcripts }: AddSheetSummary): boolean =>
  counts.ready + counts.rejected + chosen.recordings + transcripts.toImport === 0;
