import type { TFunction } from 'i18next';
import type { JobRecord } from '../../../electron/contract/service-job-commands.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { jobText } from '../../ui/text/job-text.ts';

const dayMs = 24 * 3_600_000;

/** Returns the name of a job, or a text that says it has none. */
export const jobName = (t: TFunction, { name }: JobRecord): string => name ?? t('jobs.nameless');

/** What the user can do with a job; `queue` shows it in the queue. */
export type JobAction = 'import' | 'follow' | 'unfollow' | 'open' | 'restore' | 'queue';

/** Returns the primary action of a job; `null` when there is none. */
export function actionOf({ relation, followed }: JobRecord): JobAction | null {
  switch (relation.kind) {
    case 'in-library':
      return relation.trashed ? 'restore' : 'open';
    case 'queued':
      return 'queue';
    case 'finished':
    case 'unknown':
      return 'import';
    case 'active':
      return followed ? 'unfollow' : 'follow';
    case 'failed':
      return null;
  }
}

/** Whether a job can be deleted here; the jobs of the queue are cancelled there. */
export const canDelete = ({ relation }: JobRecord): boolean => relation.kind !== 'queued';

/** Whether deleting the job cancels work in progress. */
export const isUnfinished = ({ relation }: JobRecord): boolean => relation.kind === 'active';

export interface JobStateText {
  readonly text: string;
  readonly tone: 'ok' | 'bad' | null;
  /** The progress, 0 to 1; `null` unless the service works on the job. */
  readonly progress: number | null;
}

/** Returns the state of a job in words. */
export function jobStateText(
  t: TFunction,
  service: ServiceAddress,
  { relation, status, progress, followed }: JobRecord,
): JobStateText {
  const plainState = (key: 'queued' | 'finished' | 'unknown'): JobStateText => ({
    text: t(`jobs.state.${key}`),
    tone: null,
    progress: null,
  });
  switch (relation.kind) {
    case 'in-library':
      return relation.trashed
        ? { text: t('jobs.state.trashed'), tone: null, progress: null }
        : { text: t('jobs.state.in-library'), tone: 'ok', progress: null };
    case 'failed':
      return { text: t('jobs.state.failed'), tone: 'bad', progress: null };
    case 'active': {
      const state = jobText(t, service, status ?? '');
      const text = followed ? t('jobs.state.followed', { state }) : state;
      return { text, tone: null, progress: progress === null ? null : progress / 100 };
    }
    case 'queued':
    case 'finished':
    case 'unknown':
      return plainState(relation.kind);
  }
}

/**
 * Returns the whole days until the service has deleted a job's audio; `null` when that is unknown, and for the on-device
 * service, which keeps no audio.
 */
const daysLeft = ({ audioUntil }: JobRecord, service: ServiceAddress, now: number): number | null =>
  audioUntil === null || service === 'on-device' ? null : Math.max(0, Math.floor((audioUntil - now) / dayMs));

/** Returns how long the service keeps a job's audio; empty when it has none. */
export function retentionText(t: TFunction, record: JobRecord, service: ServiceAddress, now: number): string {
  const days = daysLeft(record, service, now);
  if (days !== null) return t('jobs.days', { count: days });
  return record.status === 'completed' && service !== 'on-device' ? t('jobs.daysUnknown') : '';
}

/** Explains what deleting a job means: what is kept, and what is refunded (API part 1). */
export function deletionText(t: TFunction, record: JobRecord, service: ServiceAddress, now: number): string {
  const { relation } = record;
  const kind = relation.kind === 'queued' ? 'active' : relation.kind;
  const refunds = {
    'in-library': 'notRefunded',
    finished: 'notRefunded',
    active: 'refunded',
    failed: 'refundedAlready',
    unknown: 'refundedIfActive',
  } as const;
  const days = daysLeft(record, service, now);
  return [
    t(`jobs.delete.${kind}`),
    ...(days !== null && days > 0 && kind === 'in-library'
      ? [t('jobs.delete.audioLeft', { count: days })]
      : []),
    // Jobs on this computer cost nothing.
    ...(service === 'on-device' ? [] : [t(`jobs.delete.${refunds[kind]}`)]),
  ].join(' ');
}
