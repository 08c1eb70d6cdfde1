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
 * Assigns a recording that was located, or given again, to all transcripts of the same content whose file is missing or
 * was replaced by another one.
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
    const known = transcripts.recordingOf(id);
    if (known === null || known.path === path || (await stateOfRecording(known)) === 'present') continue;
    transcripts.setRecording(id, { path, sizeBytes, fingerprint });
    count += 1;
  }
  return count;
}

/** Finds the recordings of the library whose files are missing or were replaced by others. */
export async function findMissingRecordings(transcripts: TranscriptStore): Promise<MissingRecordings> {
  const missing = new Map<string, TranscriptId[]>();
  for (const { id, path, fingerprint } of transcripts.recordings()) {
    if ((await stateOfRecording({ path, fingerprint })) === 'present') continue;
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

/**
 * What is at the path of a recording: its content, whatever its time of modification; nothing; or another file, such as
 * one of a recorder that reuses its names.
 */
export type RecordingState = 'present' | 'missing' | 'replaced';

/**
 * Returns what is at the path of a recording. It reads at most 12 KiB. A file that cannot be read, or whose content was
 * never known, counts as present.
 */
export async function stateOfRecording({
  path,
  fingerprint,
}: Pick<RecordingFile, 'path' | 'fingerprint'>): Promise<RecordingState> {
  // Of a restored transcript, only the name may be known, which another file in the working folder may have.
  const file = isAbsolute(path) ? await stat(path).catch(() => null) : null;
  if (file?.isFile() !== true) return 'missing';
  if (fingerprint === null) return 'present';
  const current = await fingerprintFile(path, new Set([file.size]));
  return current === null || current.fingerprint === fingerprint ? 'present' : 'replaced';
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
