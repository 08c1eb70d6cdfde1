import type { JobOptions } from '../options.ts';
import type { ExportChoices, ExportFormat } from './export.ts';
import type { ServiceAddress } from './service.ts';
import type { SubtitleRules } from './subtitles.ts';

export const themes = ['system', 'light', 'dark'] as const;

export interface Settings {
  /** The service that new items are sent to; `null` before the first choice. */
  readonly service: ServiceAddress | null;
  readonly options: JobOptions;
  /** How many files are sent at once, 1 to 4. */
  readonly parallelUploads: number;
  readonly theme: (typeof themes)[number];
  /** Formats that are saved beside each recording once it is done. */
  readonly saveBeside: readonly ExportFormat[];
  /** How files are written, also those that are saved beside recordings. */
  readonly exporting: ExportChoices;
  /** The rules of the subtitle preset `own`. */
  readonly ownSubtitleRules: SubtitleRules;
  /** The folder that the user chose last for exports; only its dialog changes it. */
  readonly exportFolder: string | null;
}
