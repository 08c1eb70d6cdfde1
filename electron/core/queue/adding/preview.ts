import type Database from 'better-sqlite3';
import { creditsFor } from '../../../contract/pricing.ts';
import type { Rejection } from '../../../contract/rejection.ts';
import { isSource, inspectInBatches } from '../../media/inspect-files.ts';
import type { ProbeDuration } from '../../media/duration-prober.ts';
import type { RecordingInputs } from '../../media/links.ts';
import { ItemsByContent } from '../../store/items/items-by-content.ts';
import { SearchIndex } from '../../store/library/search-index.ts';
import { StagedTranscripts } from '../../store/library/staged-transcripts.ts';
import { TranscriptStore } from '../../store/library/transcript-store.ts';
import type { Store } from '../../store/store.ts';
import { AdditionContents, type KnownScope, locationOf } from './duplicates.ts';

/** The result of adding recordings, computed without adding any. */
export interface AddingPreview {
  /** New recordings. */
  readonly recordings: number;
  /** The total duration of the new recordings whose duration is known. */
  readonly seconds: number;
  /** What an account bills for them. */
  readonly credits: number;
  /** New recordings whose duration is unknown: links, and files whose duration cannot be read. */
  readonly unmeasured: number;
  /** Names of recordings that the library has. */
  readonly transcribed: readonly string[];
  /** Names of recordings that are unfinished in the queue. */
  readonly queued: readonly string[];
  /** Names of recordings whose content is among the others. */
  readonly copies: readonly string[];
  readonly rejected: readonly Rejection[];
}

/** Returns the parts of a store that a preview reads. */
function readableStore(database: Database.Database): Pick<Store, 'itemsByContent' | 'transcripts'> {
  const index = new SearchIndex(database);
  return {
    itemsByContent: new ItemsByContent(database),
    transcripts: new TranscriptStore(database, index, new StagedTranscripts(database, index)),
  };
}

/**
 * Finds out what adding recordings would do. Those that would be retried count as new: they are charged, too.
 *
 * @param knownScope as in the addition
 * @param database a library of the current schema, which is only read
 * @throws the signal's reason when it is aborted.
 */
export async function previewAdding(
  { paths, links }: RecordingInputs,
  knownScope: KnownScope,
  database: Database.Database,
  probeDuration: ProbeDuration,
  signal: AbortSignal,
): Promise<AddingPreview> {
  const totals = { recordings: 0, seconds: 0, credits: 0, unmeasured: 0 };
  const transcribed: string[] = [];
  const queued: string[] = [];
  const copies: string[] = [];
  const rejected: Rejection[] = [];
  const contents = new AdditionContents(readableStore(database), knownScope, signal);
  for await (const group of inspectInBatches(paths, links, signal)) {
    for (const recording of group) {
      if (!isSource(recording)) continue;
      const { name } = recording;
      if (recording.kind === 'rejected') {
        // The same file twice needs no message.
        // From an inspection, this code means that a path was given twice.
        if (recording.problem.code !== 'already_queued') rejected.push({ name, problem: recording.problem });
        continue;
      }
      const duplicate = await contents.find(recording);
      if (duplicate?.kind === 'copy') {
        copies.push(name);
        continue;
      }
      contents.add(recording);
      if (duplicate?.kind === 'queue') queued.push(name);
      else if (duplicate !== null && 'transcriptId' in duplicate) transcribed.push(name);
      else {
        const seconds =
          recording.kind === 'file' ? (await probeDuration(locationOf(recording))).seconds : null;
        totals.recordings += 1;
        totals.seconds += seconds ?? 0;
        totals.credits += seconds === null ? 0 : creditsFor(seconds);
        if (seconds === null) totals.unmeasured += 1;
      }
      signal.throwIfAborted();
    }
  }
  return { ...totals, transcribed, queued, copies, rejected };
}
