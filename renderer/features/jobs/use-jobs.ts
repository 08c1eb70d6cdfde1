import { useCallback, useEffect, useState } from 'react';
import type { JobRecord, JobsReport } from '../../../electron/contract/service-job-commands.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { ProblemError, type Problem } from '../../../electron/contract/problem.ts';
import { i18n } from '../../i18n.ts';
import {
  asProblem,
  runReportingErrors,
  notices,
  notify,
  notifyError,
  untilDismissed,
} from '../../notices.ts';
import { useGoTo, useStore, useWindowState } from '../../use-store.ts';
import { useRunTask } from '../tasks/running-tasks.tsx';
import { isUnfinished, type JobAction } from './job-record-text.ts';

export interface Jobs {
  /** Why the last request to the service failed; `null` when it succeeded. */
  readonly problem: Problem | null;
  readonly activity: 'refreshing' | 'importing' | null;
  /** Requests the jobs from the service. */
  readonly refresh: () => void;
  readonly importAll: (records: readonly JobRecord[]) => void;
  readonly perform: (action: JobAction, record: JobRecord) => void;
  readonly deleteJob: (record: JobRecord) => void;
}

/** What the screen is doing at a service. */
interface Activity {
  readonly service: ServiceAddress;
  readonly kind: 'refreshing' | 'importing';
}

/** Requests the jobs of a service when it is shown, and returns the actions on them. */
export function useJobs(service: ServiceAddress): Jobs {
  const store = useStore();
  const goTo = useGoTo();
  const runTask = useRunTask();
  const libraryRevision = useWindowState((state) => state.library.revision);
  // Each is stored with its service, because a response may arrive after another service is shown.
  const [failure, setFailure] = useState<{ service: ServiceAddress; problem: Problem } | null>(null);
  const [lastAnswered, setLastAnswered] = useState<ServiceAddress | null>(null);
  const [activity, setActivity] = useState<Activity | null>(null);
  const endActivity = useCallback(
    () => setActivity((current) => (current?.service === service ? null : current)),
    [service],
  );

  const request = useCallback(() => {
    store
      .invoke('jobs.refresh', { service })
      .then(
        (jobs) => {
          store.change({ jobs });
          return setFailure(null);
        },
        (error: unknown) => setFailure({ service, problem: asProblem(error) }),
      )
      .finally(() => {
        setLastAnswered(service);
        endActivity();
      });
  }, [endActivity, service, store]);
  // Request the jobs when the screen opens and whenever another service is shown.
  useEffect(request, [request]);

  // The main process knows which transcripts were saved or moved to the trash, without a request to the service.
  const reload = useCallback(async () => {
    store.change({ jobs: await store.invoke('jobs.view', undefined) });
  }, [store]);
  useEffect(() => {
    if (libraryRevision > 0) runReportingErrors(reload);
  }, [libraryRevision, reload]);

  const importAll = (records: readonly JobRecord[]): void => {
    setActivity({ service, kind: 'importing' });
    runReportingErrors(async () => {
      try {
        const jobIds = records.map(({ jobId }) => jobId);
        const report = await runTask({ title: i18n.t('import.title') }, (task) =>
          store.invoke('jobs.import', { service, jobIds, task }),
        );
        await reload();
        notifyImported(report, service);
      } finally {
        endActivity();
      }
    });
  };

  const perform = (action: JobAction, record: JobRecord): void => {
    const { jobId, relation } = record;
    switch (action) {
      case 'import':
        importAll([record]);
        break;
      case 'follow':
      case 'unfollow':
        runReportingErrors(async () => {
          const followed = action === 'follow';
          store.change({ jobs: await store.invoke('jobs.follow', { service, jobIds: [jobId], followed }) });
          if (followed) notify(i18n.t('jobs.followed'));
        });
        break;
      case 'open':
        if (relation.kind === 'here')
          goTo({ screen: 'transcript', id: relation.transcriptId, from: 'library' });
        break;
      case 'restore':
        runReportingErrors(async () => {
          if (relation.kind !== 'here') return;
          await store.invoke('library.restore', { ids: [relation.transcriptId] });
          await reload();
          notify(i18n.t('jobs.restored'));
        });
        break;
      case 'queue':
        goTo({ screen: 'queue' });
        break;
    }
  };

  const deleteJob = (record: JobRecord): void =>
    runReportingErrors(async () => {
      const { failed } = await store.invoke('jobs.delete', { service, jobIds: [record.jobId] });
      await reload();
      const [first] = failed;
      if (first !== undefined) notifyError(new ProblemError(first.problem));
      else notify(i18n.t(isUnfinished(record) ? 'jobs.cancelledThere' : 'jobs.deletedThere'));
    });

  return {
    problem: failure?.service === service ? failure.problem : null,
    activity: lastAnswered !== service ? 'refreshing' : activity?.service === service ? activity.kind : null,
    refresh: () => {
      setActivity({ service, kind: 'refreshing' });
      request();
    },
    importAll,
    perform,
    deleteJob,
  };
}

/** Reports an import. Only accounts keep the audio. */
function notifyImported({ done, failed, left }: JobsReport, service: ServiceAddress): void {
  const note = service === 'on-device' ? undefined : i18n.t('jobs.importedNote');
  if (left !== null) notify(i18n.t('jobs.importStopped', { count: done }));
  else if (done > 0) notify(i18n.t('jobs.imported', { count: done }), note);
  if (failed.length === 0) return;
  const title = i18n.t('jobs.notImported', { count: failed.length });
  const details = { title, note: i18n.t('jobs.notImportedNote'), entries: failed };
  notices.add({ title, timeout: untilDismissed, type: 'problem', data: { details } });
}
