import { stat } from 'node:fs/promises';
import { basename, dirname, extname, relative, resolve, sep } from 'node:path';
import { isSubtitleName, isTranscriptInFolder } from '../../contract/choices.ts';
import type { Problem, ProblemCode } from '../../contract/problem.ts';
import { openInside } from './file-inside.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type OpenFile, type OpenForReading, openRegularFile, pathProblem } from './open-file.ts';
import { isWebPage, parseLink, redactLink, storableLink } from './links.ts';
import {
  hasMediaExtension,
  hasAmbiguousExtension,
  mediaMimeType,
  mimeTypeHeadBytes,
} from './detect-media.ts';
import { walk } from './walk.ts';

/** A local file that can be transcribed, in its current state. */
export interface InspectedFile {
  readonly kind: 'file';
  readonly path: string;
  readonly name: string;
  /** A readable label of the folder ("Season 9 / Raw"). */
  readonly folderLabel: string;
  readonly sizeBytes: number;
  /** Modification time, Unix milliseconds with fractions. */
  readonly mtimeMs: number;
  /** The inode number in decimal; `'0'` if there is none. */
  readonly inode: string;
  readonly mimeType: string;
  /** See {@link fingerprintOf}. */
  readonly fingerprint: string;
}

export interface InspectedLink {
  readonly kind: 'link';
  readonly url: string;
  readonly name: string;
  /** The link's host. */
  readonly folderLabel: string;
}

/** A source that cannot be transcribed, with the reason. */
export interface RejectedSource {
  readonly kind: 'rejected';
  /** The path, or the link as it is stored. */
  readonly location: string;
  readonly name: string;
  /** A readable label of the folder; empty for a link. */
  readonly folderLabel: string;
  readonly problem: Problem;
}

/** Files in folders that are not recordings. They are not rejected, because the user did not name them. */
export interface SkippedFiles {
  readonly kind: 'skipped';
  /**
   * How many, by the path of the folder that contains them, or by their own path. Finding them again gives the same keys,
   * so that they can be counted once; a path for each would take too much memory for millions of files.
   */
  readonly counts: ReadonlyMap<string, number>;
}

/** Transcripts in a folder of recordings; at least one subtitle file among them has no recording of the same name. */
export interface TranscriptsInFolder {
  readonly kind: 'transcripts';
  readonly paths: readonly string[];
}

/** The result of inspecting one source; a path that is given twice is rejected the second time as `already_queued`. */
export type InspectedSource = InspectedFile | InspectedLink | RejectedSource;
/** What a folder contains besides recordings. */
type OtherContent = SkippedFiles | TranscriptsInFolder;
export type Found = InspectedSource | OtherContent;

/** Whether something that was found is a source, accepted or rejected. */
export const isSource = (found: Found): found is InspectedSource =>
  found.kind !== 'skipped' && found.kind !== 'transcripts';

/** A file to inspect, and how it was found. */
interface FileToInspect {
  readonly kind: 'to-inspect';
  readonly path: string;
  readonly folderLabel: string;
  /** Whether the user named this file; otherwise it was found in a folder. */
  readonly isNamed: boolean;
}

/** Files inspected concurrently. */
const maxOpenFiles = 32;
/** Recordings in a batch. */
const batchSize = 64;

/** Buffers for the heads of files, to be reused; see `fingerprint.ts`. */
const idleBuffers: Buffer[] = [];

/** Inspects paths and links, in their order and in batches; see {@link inspect}. */
export type Inspect = (
  paths: readonly string[],
  links: readonly string[],
  signal: AbortSignal,
) => AsyncIterable<readonly Found[]>;

/** Like {@link inspect}, in batches; the first one is small, so that it arrives soon. */
export async function* inspectInBatches(
  paths: readonly string[],
  links: readonly string[],
  signal: AbortSignal,
  open: OpenForReading = openRegularFile,
): AsyncGenerator<readonly Found[]> {
  let batch: Found[] = [];
  let size = maxOpenFiles;
  for await (const one of inspect(paths, links, signal, open)) {
    if (batch.push(one) < size) continue;
    yield batch;
    batch = [];
    size = batchSize;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Inspects paths and links in their order: walks folders, opens each file and reads its first bytes. Sources that
 * cannot be transcribed are yielded with the reason.
 *
 * @throws the signal's reason if it is aborted.
 */
export async function* inspect(
  paths: readonly string[],
  links: readonly string[],
  signal: AbortSignal,
  open: OpenForReading = openRegularFile,
): AsyncGenerator<Found> {
  const seenPaths = new Set<string>();
  let batch: (FileToInspect | RejectedSource)[] = [];
  const transcripts: TranscriptsInFolder[] = [];
  const skipped = new Map<string, number>();
  const inspectBatch = async (): Promise<Found[]> => {
    signal.throwIfAborted();
    const results = await Promise.all(
      batch.map(async (one) => {
        if (one.kind !== 'to-inspect') return one;
        const inspected = await inspectFoundFile(one, open);
        if (inspected === null) skipped.set(one.path, 1);
        return inspected;
      }),
    );
    batch = [];
    return results.filter((one) => one !== null);
  };
  for (const path of paths) {
    for await (const one of filesAt(path, signal)) {
      if (one.kind === 'skipped') {
        for (const [location, count] of one.counts) skipped.set(location, count);
        continue;
      }
      if (one.kind === 'transcripts') {
        transcripts.push(one);
        continue;
      }
      const isRepeated = one.kind === 'to-inspect' && seenPaths.has(one.path);
      batch.push(isRepeated ? rejectedAs(one.path, 'already_queued') : one);
      if (one.kind === 'to-inspect') seenPaths.add(one.path);
      if (batch.length === maxOpenFiles) yield* await inspectBatch();
    }
  }
  yield* await inspectBatch();
  yield* transcripts;
  if (skipped.size > 0) yield { kind: 'skipped', counts: skipped };
  for (const link of links) yield inspectLink(link);
}

/**
 * Inspects one file.
 *
 * @param watchedFolder If given, the file is rejected if it is reached through a symbolic link below this folder.
 */
export async function inspectFile(
  path: string,
  watchedFolder?: string,
): Promise<InspectedFile | RejectedSource> {
  const absolutePath = resolve(path);
  const file: FileToInspect = {
    kind: 'to-inspect',
    path: absolutePath,
    folderLabel: folderLabelOf(absolutePath),
    isNamed: true,
  };
  const open: OpenForReading =
    watchedFolder === undefined ? openRegularFile : (filePath) => openInside(watchedFolder, filePath);
  return (await inspectFoundFile(file, open)) ?? rejectedAs(absolutePath, 'not_media');
}

/** Inspects one link, without a request. */
export function inspectLink(link: string): InspectedLink | RejectedSource {
  const parsed = parseLink(link);
  if (!parsed.ok)
    return {
      kind: 'rejected',
      location: storableLink(link),
      name: redactLink(link),
      folderLabel: '',
      problem: parsed.problem,
    };
  const { url, name, host } = parsed;
  if (isWebPage(url))
    return {
      kind: 'rejected',
      location: storableLink(link),
      name: redactLink(link),
      folderLabel: host,
      problem: { code: 'web_page', params: { link: redactLink(link) } },
    };
  return { kind: 'link', url, name, folderLabel: host };
}

/** Yields the file at a path that the user gave, or what is in the folder. */
async function* filesAt(
  givenPath: string,
  signal: AbortSignal,
): AsyncGenerator<FileToInspect | RejectedSource | OtherContent> {
  const path = resolve(givenPath);
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) yield* filesIn(path, signal);
    else if (stats.isFile())
      yield { kind: 'to-inspect', path, folderLabel: folderLabelOf(path), isNamed: true };
    else yield rejectedAs(path, 'not_a_file');
  } catch (error) {
    signal.throwIfAborted();
    yield rejected(path, pathProblem(path, error));
  }
}

/** Yields the recordings in a folder, and then what else is in it. */
async function* filesIn(
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<FileToInspect | RejectedSource | OtherContent> {
  let fileCount = 0;
  const others = new Map<string, number>();
  const countOther = (path: string, by: 1 | -1): void => {
    const count = (others.get(dirname(path)) ?? 0) + by;
    others.set(dirname(path), count);
  };
  let yieldedCount = 0;
  const transcripts: string[] = [];
  const recordings = new Set<string>();
  const subtitles: string[] = [];
  for await (const found of walk(folder, signal)) {
    if (found.kind === 'unreadable') {
      yieldedCount += 1;
      yield rejected(found.path, found.problem, folderLabelOf(found.path, folder));
      continue;
    }
    fileCount += 1;
    if (!hasMediaExtension(found.path)) {
      countOther(found.path, 1);
      if (isTranscriptInFolder(found.path)) transcripts.push(found.path);
      if (isSubtitleName(found.path)) subtitles.push(withoutExtension(found.path));
      continue;
    }
    yieldedCount += 1;
    recordings.add(withoutExtension(found.path));
    yield {
      kind: 'to-inspect',
      path: found.path,
      folderLabel: folderLabelOf(found.path, folder),
      isNamed: false,
    };
  }
  if (yieldedCount === 0 && transcripts.length > 0) {
    const params = { path: folder, count: transcripts.length };
    yield rejected(folder, { code: 'folder_of_transcripts', params });
  } else if (yieldedCount === 0)
    yield rejectedAs(folder, fileCount === 0 ? 'folder_empty' : 'folder_without_media');
  // Transcripts are offered for import only if some subtitles have no recording of the same name: those that have one are
  // probably exports, and text files may be anything.
  else if (subtitles.some((path) => !recordings.has(path))) {
    // A text file named like a recording is not offered: it probably contains the words of the recording, which is added.
    const paths = transcripts.filter(
      (path) => !/\.txt$/iu.test(path) || !recordings.has(withoutExtension(path)),
    );
    yield { kind: 'transcripts', paths };
    for (const path of paths) countOther(path, -1);
    yield { kind: 'skipped', counts: others };
  } else yield { kind: 'skipped', counts: others };
}

/** Returns a path without its extension, so that files that belong together have the same. */
export const withoutExtension = (path: string): string => path.slice(0, path.length - extname(path).length);

/** Inspects a file; `null` if it was found in a folder and its ambiguous extension turns out to mean something else. */
async function inspectFoundFile(
  { path, folderLabel, isNamed }: FileToInspect,
  open: OpenForReading,
): Promise<InspectedFile | RejectedSource | null> {
  const name = basename(path);
  const buffer = idleBuffers.pop() ?? Buffer.allocUnsafeSlow(mimeTypeHeadBytes);
  let handle: OpenFile | null = null;
  try {
    handle = await open(path);
    const { size, mtimeNs, ino } = await handle.stat({ bigint: true });
    const sizeBytes = Number(size);
    if (sizeBytes === 0) return rejectedAs(path, 'file_empty', folderLabel);
    // The row of a larger file could not be read back: stored sizes must be safe integers.
    if (!Number.isSafeInteger(sizeBytes)) return rejectedAs(path, 'file_too_large', folderLabel);
    const { bytesRead } = await handle.read(buffer, 0, mimeTypeHeadBytes, 0);
    const head = buffer.subarray(0, bytesRead);
    const mimeType = mediaMimeType(name, head);
    if (mimeType === null)
      return isNamed || !hasAmbiguousExtension(name) ? rejectedAs(path, 'not_media', folderLabel) : null;
    return {
      kind: 'file',
      path,
      name,
      folderLabel,
      sizeBytes,
      mtimeMs: nanosecondsToMilliseconds(mtimeNs),
      inode: ino.toString(),
      mimeType,
      fingerprint: await fingerprintOf(handle, sizeBytes, head),
    };
  } catch (error) {
    return rejected(path, pathProblem(path, error), folderLabel);
  } finally {
    idleBuffers.push(buffer);
    await closeQuietly(handle);
  }
}

/** Closes a file that was only read. */
async function closeQuietly(handle: OpenFile | null): Promise<void> {
  try {
    await handle?.close();
  } catch {
    // Closing may fail if the drive is gone; nothing is lost.
  }
}

/** Converts nanoseconds to milliseconds, rounded like Node's `mtimeMs`. */
function nanosecondsToMilliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000_000n) * 1000 + Number(nanoseconds % 1_000_000_000n) / 1_000_000;
}

const rejectedAs = (path: string, code: ProblemCode, folderLabel?: string): RejectedSource =>
  rejected(path, { code, params: { path } }, folderLabel);

const rejected = (path: string, problem: Problem, folderLabel = folderLabelOf(path)): RejectedSource => ({
  kind: 'rejected',
  location: path,
  name: baseNameOf(path),
  folderLabel,
  problem,
});

/** Returns the last part of a path, or the path itself for the root of a drive. */
export function baseNameOf(path: string): string {
  return basename(path) === '' ? path : basename(path);
}

/** Returns the label of a file's folder: its name, or its path from the folder that the user gave. */
function folderLabelOf(path: string, givenFolder = dirname(path)): string {
  const subfolders = relative(givenFolder, dirname(path)).split(sep);
  return [baseNameOf(givenFolder), ...subfolders].filter((part) => part !== '').join(' / ');
}
