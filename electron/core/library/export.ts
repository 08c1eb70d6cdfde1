import { link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExportFormat } from '../../contract/model/export.ts';
import { ProblemError } from '../../contract/problem.ts';
import { transcriptFormats, writeTranscript } from '../formats/formats.ts';
import { usualWriting } from '../formats/writing.ts';
import type { TranscriptContent } from '../formats/content.ts';
import { extensionOf, mimeTypeOf } from '../media/media-type.ts';
import { cleanFileName } from './file-name.ts';

/** One transcript to be written as one file. */
export interface Export {
  readonly transcript: TranscriptContent;
  readonly format: ExportFormat;
  /** Absolute path; made when it is not there. */
  readonly folder: string;
}

/** One transcript to be written to the file that the user chose. */
export interface Replacement {
  readonly transcript: TranscriptContent;
  readonly format: ExportFormat;
  readonly path: string;
}

/**
 * Writes a transcript as `<name>.<format>` into a folder, or as `<name> 2.<format>` and so on when there is such a
 * file: nothing is ever overwritten. The file appears with all of its content or not at all.
 *
 * @returns the path of the new file.
 * @throws ProblemError `export_failed`.
 */
export async function writeExport({ transcript, format, folder }: Export): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    return await withDraft(transcript, format, folder, async (draft) => {
      for (let number = 1; ; number += 1) {
        const target = join(folder, exportFileName(transcript.name, format, number));
        if (await publish(draft, target)) return target;
      }
    });
  } catch (error) {
    throw exportFailed(transcript, folder, error);
  }
}

/**
 * Writes a transcript to the very path that the user chose, in the place of the file that may be there; that one stays
 * whole until then.
 *
 * @throws ProblemError `export_failed`.
 */
export async function replaceExport({ transcript, format, path }: Replacement): Promise<void> {
  const folder = dirname(path);
  try {
    await withDraft(transcript, format, folder, (draft) => rename(draft, path));
  } catch (error) {
    throw exportFailed(transcript, folder, error);
  }
}

/**
 * The name of a transcript's file, after that of its recording; from the second of the name on with a number.
 */
export function exportFileName(name: string, format: ExportFormat, number = 1): string {
  const extension = extensionOf(name);
  const title = mimeTypeOf(extension) === null ? name : name.slice(0, -extension.length - 1);
  return cleanFileName(title, `${number === 1 ? '' : ` ${number}`}.${transcriptFormats[format].extension}`);
}

let drafts = 0;

/** Writes a transcript to a hidden file in the folder where it is wanted, for `work` to give it its name. */
async function withDraft<T>(
  transcript: TranscriptContent,
  format: ExportFormat,
  folder: string,
  work: (draft: string) => Promise<T>,
): Promise<T> {
  const content = await writeTranscript(transcript, format, usualWriting);
  const draft = await newDraft(folder);
  try {
    await writeFile(draft, content);
    return await work(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Makes a file that nobody else has, whatever an earlier run may have left. */
async function newDraft(folder: string): Promise<string> {
  for (;;) {
    drafts += 1;
    const path = join(folder, `.longhand-${process.pid}-${drafts}.tmp`);
    if (await create(path)) return path;
  }
}

/** Makes an empty file; `false` when there is one of this name. */
async function create(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** How file systems say that they know no hard links; Windows says the last two of FAT and exFAT. */
const withoutLinks: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EISDIR',
  'EINVAL',
]);

/** Gives a finished draft its name; `false` when there is a file of this name. */
async function publish(draft: string, target: string): Promise<boolean> {
  try {
    await link(draft, target);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!withoutLinks.has(codeOf(error))) throw error;
  }
  // Memory cards and some network drives know no links: the name is taken with an empty file first.
  if (!(await create(target))) return false;
  try {
    await rename(draft, target);
    return true;
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}

function exportFailed({ name }: TranscriptContent, folder: string, error: unknown): ProblemError {
  const detail = error instanceof Error ? error.message : String(error);
  return new ProblemError({ code: 'export_failed', params: { name, folder }, detail }, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
