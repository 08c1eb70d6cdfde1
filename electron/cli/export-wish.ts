import type { ExportFormat } from '../contract/choices.ts';
import type { WantedFile } from '../core/store/wanted-file-store.ts';
import type { ExportWish } from './command.ts';

/** What is written when nobody says what. */
export const usualFormats: readonly ExportFormat[] = ['srt', 'txt'];

/**
 * The files that a wish makes wanted of each transcript.
 *
 * @param folder absolute; `null`: next to the recording.
 */
export function wantedFiles({ formats }: ExportWish, folder: string | null): readonly WantedFile[] {
  return (formats ?? usualFormats).map((format) => ({ format, folder }));
}
