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
import { useUndoKey } from '../../ui/list/use-undo-key.ts';
import { useLibraryTools } from '../library/tools/library-tools.tsx';
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

/** What the screen has done and is doing at a service. */
interface ServiceState {
  readonly problem: Problem | null;
  readonly activity: Jobs['activity'];
}

const initialState: ServiceState = { problem: null, activity: 'refreshing' };

/** Requests the jobs of a service when it is shown, and returns the actions on them. */
export function useJobs(service: ServiceAddress): Jobs {
  const store = useStore();
  const goTo = useGoTo();
  const runTask = useRunTask();
  const { trash, undoLast, redoLast } = useLibraryTools();
  useUndoKey(undoLast, redoLast);
  const libraryRevision = useWindowState((state) => state.library.revision);
  // By service, because a response may arrive after another service is shown.
  const [states, setStates] = useState<ReadonlyMap<ServiceAddress, ServiceState>>(new Map());
  const update = useCallback(
    (change: Partial<ServiceState>) =>
      setStates((all) => new Map(all).set(service, { ...initialState, ...all.get(service), ...change })),
    [service],
  );

  const request = useCallback(() => {
    store.invoke('jobs.refresh', { service }).then(
      (jobs) => {
        store.change({ jobs });
        return update({ problem: null, activity: null });
      },
      (error: unknown) => update({ problem: asProblem(error), activity: null }),
    );
  }, [service, store, update]);
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
    update({ activity: 'importing' });
    runReportingErrors(async () => {
      try {
        const jobIds = records.map(({ jobId }) => jobId);
        const report = await runTask({ title: i18n.t('import.title') }, (task) =>
          store.invoke('jobs.import', { service, jobIds, task }),
        );
        await reload();
        notifyJobsImported(report, service);
      } finally {
        update({ activity: null });
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
        if (relation.kind === 'in-library')
          goTo({ screen: 'transcript', id: relation.transcriptId, from: 'library' });
        break;
      case 'restore':
        runReportingErrors(async () => {
          if (relation.kind === 'in-library') await trash.restore([relation.transcriptId]);
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
    ...(states.get(service) ?? initialState),
    refresh: () => {
      update({ activity: 'refreshing' });
      request();
    },
    importAll,
    perform,
    deleteJob,
  };
}

/** Reports an import. Only accounts keep the audio. */
function notifyJobsImported({ done, failed, notStarted }: JobsReport, service: ServiceAddress): void {
  const note = service === 'on-device' ? undefined : i18n.t('jobs.importedNote');
  if (notStarted !== null) notify(i18n.t('jobs.importStopped', { count: done }));
  else if (done > 0) notify(i18n.t('jobs.imported', { count: done }), note);
  if (failed.length === 0) return;
  const title = i18n.t('jobs.notImported', { count: failed.length });
  const details = { title, note: i18n.t('jobs.notImportedNote'), entries: failed };
  notices.add({ title, timeout: untilDismissed, type: 'problem', data: { details } });
}
