import { basename } from 'node:path';
import { audioKeptDays, historyDays, type JobRecord, type JobStanding } from '../../contract/service-jobs.ts';
import type { ItemId } from '../../contract/identifiers.ts';
import type { WireList, WireRecord } from '../api/wire.ts';
import { recordingName } from '../media/links.ts';
import type { ItemWithJob, SavedJob } from '../store/service-job-store.ts';

const dayMs = 24 * 3_600_000;
/** The service's clock may differ from ours by so much before its times mislead. */
const clockToleranceMs = 3_600_000;
/** API part 8. */
const maxListLength = 100;

/** What is known here of the jobs of one service. */
export interface LocalKnowledge {
  readonly holding: readonly ItemWithJob[];
  /** Of the jobs on the list. */
  readonly saved: readonly SavedJob[];
  readonly followed: readonly string[];
  /** Jobs that the user has let go of, or that are known to have vanished. */
  readonly gone: ReadonlySet<string>;
}

/** The list beside what is here. Deleted jobs are nothing that the service holds. */
export function recordsOf(list: WireList, known: LocalKnowledge): readonly JobRecord[] {
  const saved = new Map(known.saved.map((one) => [one.jobId, one]));
  const followed = new Set(known.followed);
  return list.records.flatMap((record) => {
    if (record.status === 'deleted' || known.gone.has(record.jobId)) return [];
    const { jobId, fileName, status, progress, durationSeconds, creditsCharged, createdAt } = record;
    const standing = standingOf(record, saved.get(jobId), known.holding);
    const since = createdAt ?? saved.get(jobId)?.savedAt ?? null;
    const audioUntil = status === 'completed' && since !== null ? since + audioKeptDays * dayMs : null;
    return {
      jobId,
      name: fileName === null ? null : recordingName(fileName),
      standing,
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

/** Whether the list is all of the service's history (API part 4.5). */
export const isComplete = ({ length }: WireList): boolean => length < maxListLength;

function standingOf(
  record: WireRecord,
  saved: SavedJob | undefined,
  holding: readonly ItemWithJob[],
): JobStanding {
  if (saved !== undefined) return { kind: 'here', transcriptId: saved.transcriptId, trashed: saved.trashed };
  const holder = holding.find((item) =>
    item.jobId === null ? mayBeAnswerTo(item, record) : item.jobId === record.jobId,
  );
  if (holder !== undefined) return { kind: 'queued', itemId: holder.itemId };
  switch (record.status) {
    case null:
      return { kind: 'untold' };
    case 'completed':
      return { kind: 'finished' };
    case 'failed':
      return { kind: 'ended' };
    default:
      return { kind: 'active' };
  }
}

/** Whether a job may be the one that an item has asked for without having heard an answer yet. */
function mayBeAnswerTo({ body }: ItemWithJob, { fileName }: WireRecord): boolean {
  if (fileName === null) return true;
  const { file_name: asked, url = '' } = JSON.parse(body) as { file_name?: string; url?: string };
  if (asked !== undefined) return asked === fileName;
  return fileName === url || fileName === basename(URL.parse(url)?.pathname ?? '');
}

/**
 * Since when a job must have been asked for to stand on the list if it is still there, Unix milliseconds; `null` when
 * the list tells nothing of the kind. It reaches back as far as the history (API part 1.7), or to its 100th record:
 * what is younger than any one record that is on it, by our own clock or with some tolerance by the service's, belongs
 * on it too.
 */
export function listedSince(list: WireList, saved: readonly SavedJob[], now: number): number | null {
  // A record that names no job may be any.
  if (list.records.length < list.length) return null;
  const history = now - (historyDays - 1) * dayMs;
  if (isComplete(list)) return history;
  const latest = [
    ...saved.map(({ savedAt }) => savedAt),
    ...list.records.flatMap(({ createdAt }) => (createdAt === null ? [] : createdAt + clockToleranceMs)),
  ];
  return latest.length === 0 ? null : Math.max(history, Math.min(...latest));
}

/** A job of ours that the list should have and has not. */
export interface MissingJob {
  readonly jobId: string;
  /** The item of the queue that it belongs to; `null`: its transcript is saved. */
  readonly itemId: ItemId | null;
}

/** States in which the queue does not ask for its job by itself. */
export const idleStates: ReadonlySet<string> = new Set(['paused', 'blocked']);

/** Items of the queue whose jobs should stand on the list and do not. */
export function missingItems(
  list: WireList,
  holding: readonly ItemWithJob[],
  since: number,
): readonly MissingJob[] {
  const listed = new Set(list.records.flatMap(({ jobId, status }) => (status === 'deleted' ? [] : jobId)));
  return holding.flatMap(({ jobId, itemId, kind, requestedAt }) =>
    jobId !== null && !listed.has(jobId) && idleStates.has(kind) && requestedAt > since
      ? { jobId, itemId }
      : [],
  );
}
