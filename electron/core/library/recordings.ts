import { isAbsolute } from 'node:path';
import { stat, type FileHandle } from 'node:fs/promises';
import type { TranscriptId } from '../../contract/identifiers.ts';
import type { RecordingFile, RecordingsReport } from '../../contract/library-commands.ts';
import { fingerprintOf } from '../media/fingerprint.ts';
import { openRegularFile } from '../media/open-file.ts';
import { walk } from '../media/walk.ts';
import type { TranscriptStore } from '../store/library/transcript-store.ts';
import type { TaskOptions } from './task/run-task.ts';

/** Missing recordings, by their fingerprint. */
export type MissingRecordings = ReadonlyMap<string, readonly TranscriptId[]>;

/**
 * Assigns a recording that was located, or given again, to all transcripts of the same content whose file is missing.
 *
 * @returns How many transcripts got it.
 */
export async function assignToMissing(
  transcripts: TranscriptStore,
  { path, sizeBytes, fingerprint }: RecordingFile,
): Promise<number> {
  if (fingerprint === null) return 0;
  let count = 0;
  for (const { id } of transcripts.withContent(fingerprint)) {
    const known = transcripts.recordingOf(id)?.path ?? null;
    if (known === null || known === path || (await isFile(known))) continue;
    transcripts.setRecording(id, { path, sizeBytes, fingerprint });
    count += 1;
  }
  return count;
}

/** Finds the recordings of the library whose files are missing. */
export async function findMissingRecordings(transcripts: TranscriptStore): Promise<MissingRecordings> {
  const missing = new Map<string, TranscriptId[]>();
  for (const { id, path, fingerprint } of transcripts.recordings()) {
    if (await isFile(path)) continue;
    missing.set(fingerprint, [...(missing.get(fingerprint) ?? []), id]);
  }
  return missing;
}

/**
 * Searches a folder and its subfolders for missing recordings by content, whatever their names. Skips unreadable files.
 * After a cancellation, recordings found so far stay assigned.
 */
export async function findRecordings(
  transcripts: TranscriptStore,
  missing: MissingRecordings,
  folder: string,
  { signal, onProgress }: TaskOptions,
): Promise<RecordingsReport> {
  const total = [...missing.values()].reduce((sum, ids) => sum + ids.length, 0);
  const remaining = new Map(missing);
  const sizes = new Set(
    [...missing.values()].flat().map((id) => transcripts.recordingOf(id)?.sizeBytes ?? -1),
  );
  let foundCount = 0;
  onProgress({ done: 0, total });
  try {
    for await (const one of walk(folder, signal)) {
      if (remaining.size === 0 || signal.aborted) break;
      const recording = one.kind === 'file' ? await fingerprintFile(one.path, sizes) : null;
      if (recording === null || recording.fingerprint === null) continue;
      const ids = remaining.get(recording.fingerprint) ?? [];
      for (const id of ids) transcripts.setRecording(id, recording);
      remaining.delete(recording.fingerprint);
      foundCount += ids.length;
      if (ids.length > 0) onProgress({ done: foundCount, total });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { missing: total, found: foundCount, cancelled: signal.aborted };
}

/** Returns a file of one of these sizes (bytes) with its fingerprint; `null` for others and for unreadable files. */
export async function fingerprintFile(
  path: string,
  sizes: ReadonlySet<number>,
): Promise<RecordingFile | null> {
  let handle: FileHandle | null = null;
  try {
    // Only a few of the files of a folder are opened.
    if (!sizes.has((await stat(path)).size)) return null;
    handle = await openRegularFile(path);
    const { size: sizeBytes } = await handle.stat();
    if (!sizes.has(sizeBytes)) return null;
    return { path, sizeBytes, fingerprint: await fingerprintOf(handle, sizeBytes) };
  } catch {
    return null;
  } finally {
    await handle?.close();
  }
}

/** Whether a recording's file exists. Of the recording of a restored transcript, only the name may be known. */
export async function isFile(path: string): Promise<boolean> {
  if (!isAbsolute(path)) return false;
  const file = await stat(path).catch(() => null);
  return file?.isFile() ?? false;
}
