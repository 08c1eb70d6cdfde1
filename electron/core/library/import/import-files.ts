import { basename } from 'node:path';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { Rejection } from '../../../contract/rejection.ts';
import type { ImportReport, RecordingFile } from '../../../contract/library-commands.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { Clock } from '../../ports.ts';
import { storageProblem } from '../../storage-problem.ts';
import type { Store } from '../../store/store.ts';
import { importService } from '../../store/library/transcript-tables.ts';
import { runSteps } from '../task/yielding.ts';
import type { TaskOptions } from '../task/run-task.ts';
import { Yielder } from '../../yielder.ts';
import { CancelledError } from '../../../workers/protocol.ts';
import { stat } from 'node:fs/promises';
import { isTranscriptInFolder, isTranscriptName } from '../../../contract/choices.ts';
import { walk } from '../../media/walk.ts';
import type { FileContent, FileReading } from './read-file.ts';
import { FolderTranscripts, richestOfEachName, type FolderFileKind } from './folder-transcripts.ts';
import { SiblingRecordings } from './sibling-recordings.ts';
import type { ReadFile } from './transcript-file-reader.ts';

export interface ImportOptions extends TaskOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly read: ReadFile;
  /** Called with the number of files once all are found. */
  readonly onFound?: ((total: number) => void) | undefined;
}

/**
 * Imports transcript files, and those in folders, into the library. The same content is imported once, whatever its
 * name; of folders, only what {@link FolderTranscripts} finds new. Unreadable files are rejected with the reason; a full disk rejects all remaining ones. Each file is one commit:
 * after a cancellation, imported files stay and are recognized the next time.
 */
export async function importFiles(chosen: readonly string[], options: ImportOptions): Promise<ImportReport> {
  const { store, clock, read, onFound, signal, onProgress } = options;
  const added: { id: TranscriptId; name: string }[] = [];
  const guessed: string[] = [];
  let knownCount = 0;
  const trashed = new Set<TranscriptId>();
  const files = await findFiles(chosen, signal, (total) => onProgress({ done: 0, total, unit: 'files' }));
  const { paths } = files;
  const rejected: Rejection[] = [...files.rejected];
  const report = (unread: number | null): ImportReport => ({
    added,
    known: knownCount,
    trashed: [...trashed],
    guessed,
    rejected,
    unread,
  });
  if (files.isCancelled) return report(paths.length);
  onFound?.(paths.length);
  const yielder = new Yielder(clock);
  const siblings = new SiblingRecordings();
  const inFolders = new FolderTranscripts({ store, yielder, signal });
  let diskProblem: Problem | null = null;
  for (const [index, path] of paths.entries()) {
    if (signal.aborted) return report(paths.length - index);
    onProgress({ done: index, total: paths.length, unit: 'files' });
    if (diskProblem !== null) {
      rejected.push({ name: basename(path), problem: diskProblem });
      continue;
    }
    const reading = await readUnlessCancelled(read, path, signal);
    if (reading === null) return report(paths.length - index);
    const found: FolderFileKind | null = files.named.has(path)
      ? { kind: 'new' }
      : await inFolders.kindOf(path, reading);
    if (found === null) return report(paths.length - index);
    if (found.kind === 'known') knownCount += 1;
    else if (found.kind === 'trashed') trashed.add(found.id);
    else if (found.kind === 'other') continue;
    else if (reading.kind === 'failed') rejected.push({ name: basename(path), problem: reading.problem });
    else {
      try {
        const { content, digest, isGuessed } = reading;
        const recording = await siblings.find(path);
        const outcome = await runSteps(
          saveUnlessKnown(store, { content, digest, recording }, clock.now()),
          yielder,
          signal,
        );
        if (outcome === null) return report(paths.length - index);
        inFolders.add(path, reading);
        if (outcome.kind === 'known') knownCount += 1;
        else if (outcome.kind === 'trashed') trashed.add(outcome.id);
        else {
          added.push({ id: outcome.id, name: content.name });
          if (isGuessed) guessed.push(basename(path));
        }
      } catch (error) {
        const problem = storageProblem(error);
        rejected.push({ name: basename(path), problem });
        if (problem.code !== 'internal') diskProblem = problem;
      }
    }
    await yielder.yieldIfDue();
  }
  return report(null);
}

async function readUnlessCancelled(
  read: ReadFile,
  path: string,
  signal: AbortSignal,
): Promise<FileReading | null> {
  try {
    return await read(path, signal);
  } catch (error) {
    if (error instanceof CancelledError) return null;
    throw error;
  }
}

interface ImportedFile {
  readonly content: FileContent;
  readonly digest: string;
  readonly recording: RecordingFile | null;
}

type SaveOutcome =
  | { readonly kind: 'added'; readonly id: TranscriptId }
  | { readonly kind: 'known' }
  | { readonly kind: 'trashed'; readonly id: TranscriptId };

/** Saves a transcript in steps, unless its content is in the library or in the trash already. */
function* saveUnlessKnown(
  store: Store,
  { content, digest, recording }: ImportedFile,
  now: number,
): Generator<void, SaveOutcome> {
  const saved = store.transcripts.ofJob(importService, digest);
  if (saved !== null) return saved.isTrashed ? { kind: 'trashed', id: saved.id } : { kind: 'known' };
  const transcript = {
    ...content,
    // A date in the future would keep it first in the list.
    createdAt: Math.min(now, content.createdAt ?? now),
    itemId: null,
    service: importService,
    jobId: digest,
    recording,
  };
  const id = yield* store.transcripts.saveStaged(transcript);
  return id === null ? { kind: 'known' } : { kind: 'added', id };
}

/** The files to import, and folders that could not be read. */
interface FoundFiles {
  readonly paths: readonly string[];
  /** The files that were chosen themselves, not in a folder. */
  readonly named: ReadonlySet<string>;
  readonly rejected: readonly Rejection[];
  /** Whether it was cancelled before all were found. */
  readonly isCancelled: boolean;
}

/**
 * Returns the chosen files, and those in chosen folders that have the extension of a transcript. After a cancellation,
 * returns the files found so far and those of the rest with such an extension.
 *
 * @param onFound called with the number of files so far
 */
export async function findFiles(
  chosen: readonly string[],
  signal: AbortSignal,
  onFound: (count: number) => void,
): Promise<FoundFiles> {
  const paths = new Set<string>();
  const named = new Set<string>();
  const rejected: Rejection[] = [];
  const addFilesIn = async (folder: string): Promise<void> => {
    const inFolder: string[] = [];
    for await (const found of walk(folder, signal)) {
      if (found.kind === 'unreadable') {
        rejected.push({ name: basename(found.path), problem: found.problem });
      } else if (isTranscriptInFolder(found.path)) inFolder.push(found.path);
      onFound(paths.size + inFolder.length);
    }
    for (const path of richestOfEachName(inFolder)) paths.add(path);
  };
  for (const [index, path] of chosen.entries()) {
    try {
      signal.throwIfAborted();
      if (await isFolder(path)) await addFilesIn(path);
      else {
        paths.add(path);
        named.add(path);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      for (const rest of chosen.slice(index)) if (isTranscriptName(rest)) paths.add(rest);
      return { paths: [...paths], named, rejected, isCancelled: true };
    }
  }
  return { paths: [...paths], named, rejected, isCancelled: false };
}

/** Whether a path is a folder. A missing path counts as a file, whose reading fails with the reason. */
async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats?.isDirectory() ?? false;
}
