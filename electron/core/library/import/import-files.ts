import { basename } from 'node:path';
import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { Rejection } from '../../../contract/rejection.ts';
import type { ImportReport } from '../../../contract/library.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { Clock } from '../../ports.ts';
import { storageProblem } from '../../storage-problem.ts';
import type { Store } from '../../store/store.ts';
import { runSteps } from '../task/yielding.ts';
import type { TaskOptions } from '../task/run-task.ts';
import { TimeSlices } from '../../time-slices.ts';
import { CancelledError } from '../../../workers/protocol.ts';
import { findFiles } from './find-files.ts';
import type { FileContent, FileReading } from './read-file.ts';
import type { ReadFile } from './transcript-file-reader.ts';

/** What imported transcripts have in the place of a service. */
const importService = 'import';

export interface ImportOptions extends TaskOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly read: ReadFile;
}

/**
 * Brings files, and what folders hold of them, into the library, one after the other. The same content comes in once,
 * whatever its name; what cannot be read is left out with its reason, and the rest goes on until the disk is full. Each
 * is a commit: called off, what came in stays, and the next time it is known.
 */
export async function importFiles(chosen: readonly string[], options: ImportOptions): Promise<ImportReport> {
  const { store, clock, read, signal, onProgress } = options;
  const added: { id: TranscriptId; name: string }[] = [];
  let known = 0;
  const found = await findFiles(chosen, signal, (total) => onProgress({ done: 0, total, unit: 'files' }));
  const { paths } = found;
  const rejected: Rejection[] = [...found.rejected];
  const report = (unread: number | null): ImportReport => ({ added, known, rejected, unread });
  if (found.isPart) return report(paths.length);
  const slices = new TimeSlices(clock);
  let full: Problem | null = null;
  for (const [index, path] of paths.entries()) {
    if (signal.aborted) return report(paths.length - index);
    onProgress({ done: index, total: paths.length, unit: 'files' });
    if (full !== null) {
      rejected.push({ name: basename(path), problem: full });
      continue;
    }
    const reading = await readUnlessCancelled(read, path, signal);
    if (reading === null) return report(paths.length - index);
    if (reading.kind === 'failed') rejected.push({ name: basename(path), problem: reading.problem });
    else {
      try {
        const { content, digest } = reading;
        const id = await runSteps(saveUnlessKnown(store, content, digest, clock.now()), slices, signal);
        if (id === 'known') known += 1;
        else if (id === null) return report(paths.length - index);
        else added.push({ id, name: content.name });
      } catch (error) {
        const problem = storageProblem(error);
        rejected.push({ name: basename(path), problem });
        if (problem.code !== 'internal') full = problem;
      }
    }
    await slices.rest();
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

/** Saves a transcript, a piece with each step, unless its content is in the library already. */
function* saveUnlessKnown(
  store: Store,
  content: FileContent,
  digest: string,
  now: number,
): Generator<void, TranscriptId | 'known'> {
  if (store.transcripts.idOf(importService, digest) !== null) return 'known';
  const transcript = {
    ...content,
    // A date ahead of the clock would keep it before all later ones.
    createdAt: Math.min(now, content.createdAt ?? now),
    itemId: null,
    service: importService,
    jobId: digest,
    recording: null,
  };
  return (yield* store.transcripts.saveStaged(transcript)) ?? 'known';
}
