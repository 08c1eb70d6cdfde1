import type { ExportChoices, ExportPreview } from '../../../electron/contract/export.ts';
import type { ExistingFiles } from '../../../electron/contract/choices.ts';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { SubtitleRules } from '../../../electron/contract/subtitle-rules.ts';

/** What is exported and how, and what is done when that is chosen otherwise. */
export interface ExportFormProps {
  readonly ids: readonly TranscriptId[];
  readonly choices: ExportChoices;
  readonly rules: SubtitleRules;
  readonly existing: ExistingFiles;
  readonly folder: string | null;
  /** `null` before the first answer. */
  readonly preview: ExportPreview | null;
  readonly onChoices: (patch: Partial<ExportChoices>) => void;
  readonly onRules: (rules: SubtitleRules) => void;
  readonly onExisting: (existing: ExistingFiles) => void;
}
