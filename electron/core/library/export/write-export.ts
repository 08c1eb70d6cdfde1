import type { ExistingFiles } from '../../../contract/choices.ts';
import { ProblemError } from '../../../contract/problem.ts';
import type { TranscriptContent } from '../../formats/content.ts';
import { writeTranscript } from '../../formats/formats.ts';
import type { WriteOptions } from '../../formats/write/write-options.ts';
import { pathBelowRoot, type ExportTarget } from './export-plan.ts';
import { publishFile } from './publish-file.ts';

/** One transcript to be written as one file. */
export interface Export {
  readonly transcript: TranscriptContent;
  readonly writing: WriteOptions;
  readonly file: ExportTarget;
  readonly existing: ExistingFiles;
  /** The volume that its root has to be on; see `place-file.ts`. */
  readonly volume?: number | null | undefined;
}

/**
 * Writes a transcript as it is planned. When there is a file of its name, the next free number is put after it, unless
 * `existing` says otherwise. The file appears with all of its content or not at all.
 *
 * @returns the path of the new file, or with `written: false` of the one that was there and was left alone.
 * @throws ProblemError `export_failed`.
 */
export async function writeExport({
  transcript,
  writing,
  file,
  existing,
  volume,
}: Export): Promise<{ readonly path: string; readonly written: boolean }> {
  try {
    return await publishFile({
      content: await writeTranscript(transcript, file.format, writing),
      root: file.root,
      volume,
      nameOf: (number) => pathBelowRoot(file, number),
      firstNumber: file.number,
      existing,
    });
  } catch (error) {
    throw exportFailed(transcript.name, file.root, error);
  }
}

function exportFailed(name: string, folder: string, error: unknown): ProblemError {
  const detail = error instanceof Error ? error.message : String(error);
  return new ProblemError({ code: 'export_failed', params: { name, folder }, detail }, { cause: error });
}
