import type { ExportFormat, Theme } from './choices.ts';
import type { JobOptions } from './options.ts';
import type { ExportChoices } from './export.ts';
import type { WindowLanguage } from './languages.ts';
import type { ServiceAddress } from './service.ts';
import type { SubtitleRules } from './subtitle-rules.ts';

export interface Settings {
  /** The service that new items are sent to; `null` before the first choice. */
  readonly service: ServiceAddress | null;
  /** Base addresses of the cloud accounts that the user has added, in that order. */
  readonly accounts: readonly ServiceAddress[];
  readonly options: JobOptions;
  /** Whether recordings go into the queue at once, without the sheet that says what was found. */
  readonly addWithoutAsking: boolean;
  /** How many files are sent at once, 1 to 4. */
  readonly parallelUploads: number;
  /** The most bytes per second that all uploads take together; `null`: as many as the line takes. */
  readonly uploadLimit: number | null;
  readonly theme: Theme;
  readonly language: WindowLanguage | 'system';
  /** Formats that are saved of each recording once it is done. */
  readonly saveBeside: readonly ExportFormat[];
  /** How files are written, also those that are saved beside recordings. */
  readonly exporting: ExportChoices;
  /** The rules of the subtitle preset `own`. */
  readonly ownSubtitleRules: SubtitleRules;
  /** The folder that the user chose last for exports; only its dialog changes it. */
  readonly exportFolder: string | null;
  /** Absolute path of the folder that they are saved in; `null`: beside each recording. */
  readonly saveFolder: string | null;
  /** Whether the system tells when a batch has ended or something needs the user. */
  readonly notifications: boolean;
  /** Whether the computer stays awake while there is work. */
  readonly keepAwake: boolean;
  /** Whether the work goes on when the window is closed. */
  readonly closeKeepsWorking: boolean;
}
