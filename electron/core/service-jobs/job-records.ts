import { basename } from 'node:path';
import {
  audioKeptDays,
  historyDays,
  type JobRecord,
  type JobRelation,
} from '../../contract/service-job-commands.ts';
import type { ItemId } from '../../contract/identifiers.ts';
import type { WireList, WireRecord } from '../api/wire.ts';
import { recordingName } from '../media/links.ts';
import type { ItemWithJob, SavedJob } from '../store/service-job-store.ts';

const dayMs = 24 * 3_600_000;
/** The tolerated difference between the service's clock and ours. */
const clockToleranceMs = 3_600_000;
/** The maximum length of the service's list (API part 8). */
const maxListLength = 100;

/** What this computer knows about the jobs of one service. */
export interface LocalKnowledge {
  readonly itemsWithJobs: readonly ItemWithJob[];
  /** Saved transcripts of the listed jobs. */
  readonly saved: readonly SavedJob[];
  readonly followed: readonly string[];
  /** Jobs that the user has deleted, or that are known to have vanished. */
  readonly gone: ReadonlySet<string>;
}

/** Returns the records of the service's list with what is known here about their jobs, without deleted jobs. */
export function recordsOf(list: WireList, knowledge: LocalKnowledge): readonly JobRecord[] {
  const saved = new Map(knowledge.saved.map((one) => [one.jobId, one]));
  const followed = new Set(knowledge.followed);
  const items = knowledge.itemsWithJobs.map((item) => ({
    ...item,
    names: item.jobId === null ? namesOf(item) : null,
  }));
  return list.records.flatMap((record) => {
    if (record.status === 'deleted' || knowledge.gone.has(record.jobId)) return [];
    const { jobId, fileName, status, progress, durationSeconds, creditsCharged, createdAt } = record;
    const relation = relationOf(record, saved.get(jobId), items);
    const since = createdAt ?? saved.get(jobId)?.savedAt ?? null;
    const audioUntil = status === 'completed' && since !== null ? since + audioKeptDays * dayMs : null;
    return {
      jobId,
      name: fileName === null ? null : recordingName(fileName),
      relation,
      status,
      progress,
      durationSeconds,
      creditsCharged,
      createdAt,
      audioUntil,
      followed: followed.has(jobId),
    };
  });
}

/** Whether the list contains the service's whole history (API part 4.5). */
export const isComplete = ({ length }: WireList): boolean => length < maxListLength;

interface NamedItem extends ItemWithJob {
  /** See {@link namesOf}; `null`: its job is known. */
  readonly names: readonly string[] | null;
}

function relationOf(
  record: WireRecord,
  saved: SavedJob | undefined,
  items: readonly NamedItem[],
): JobRelation {
  if (saved !== undefined)
    return { kind: 'in-library', transcriptId: saved.transcriptId, trashed: saved.trashed };
  const item = items.find(({ jobId, names }) =>
    names === null ? jobId === record.jobId : record.fileName === null || names.includes(record.fileName),
  );
  if (item !== undefined) return { kind: 'queued', itemId: item.itemId };
  switch (record.status) {
    case null:
      return { kind: 'unknown' };
    case 'completed':
      return { kind: 'finished' };
    case 'failed':
      return { kind: 'failed' };
    default:
      return { kind: 'active' };
  }
}

/** Returns the names under which a service may list the job of an item whose create request has no response yet. */
function namesOf({ body }: ItemWithJob): readonly string[] {
  const { file_name: fileName, url = '' } = JSON.parse(body) as { file_name?: string; url?: string };
  return fileName === undefined ? [url, basename(URL.parse(url)?.pathname ?? '')] : [fileName];
}

/**
 * Returns the time after which every requested job must be in the list if it still exists, Unix milliseconds; `null` when
 * the list does not allow a conclusion. The list reaches back as far as the history (API part 1.7) or to its 100th record: a job that is
 * newer than any listed one (by our clock, or by the service's with a tolerance) must be listed too.
 */
export function listedSince(list: WireList, saved: readonly SavedJob[], now: number): number | null {
  // A record without an ID may be any job.
  if (list.records.length < list.length) return null;
  const history = now - (historyDays - 1) * dayMs;
  if (isComplete(list)) return history;
  const latest = [
    ...saved.map(({ savedAt }) => savedAt),
    ...list.records.flatMap(({ createdAt }) => (createdAt === null ? [] : createdAt + clockToleranceMs)),
  ];
  return latest.length === 0 ? null : Math.max(history, Math.min(...latest));
}

/** A job of ours that should be listed but is not. */
export interface MissingJob {
  readonly jobId: string;
  /** Its item; `null`: its transcript is saved. */
  readonly itemId: ItemId | null;
}

/** States in which the queue does not poll the job. */
export const unpolledStates: ReadonlySet<string> = new Set(['paused', 'blocked']);

/** Returns the jobs of items that should be listed but are not. */
export function findMissingJobs(
  list: WireList,
  itemsWithJobs: readonly ItemWithJob[],
  since: number,
): readonly MissingJob[] {
  const listed = new Set(list.records.flatMap(({ jobId, status }) => (status === 'deleted' ? [] : jobId)));
  return itemsWithJobs.flatMap(({ jobId, itemId, kind, requestedAt }) =>
    jobId !== null && !listed.has(jobId) && unpolledStates.has(kind) && requestedAt > since
      ? { jobId, itemId }
      : [],
  );
}
