import type { TFunction } from 'i18next';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Problem } from '../../../../electron/contract/problem.ts';
import type { ExportReport } from '../../../../electron/contract/export.ts';
import type { InterruptedTask, ResumableTask } from '../../../../electron/contract/interrupted-task.ts';
import {
  asProblem,
  runReportingErrors,
  notices,
  notifyExported,
  notifyProblem,
  notifyRestored,
  untilDismissed,
  withdrawNotice,
} from '../../../notices.ts';
import type { Invoke } from '../../../invoke.ts';
import { problemText } from '../../../ui/text/problem-text.ts';
import { useStore } from '../../../use-store.ts';
import { useRunTask } from '../../tasks/running-tasks.tsx';
import type { Imports } from './use-import.ts';

interface ReportContext {
  readonly t: TFunction;
  readonly invoke: Invoke;
  readonly resume: (resumable: ResumableTask) => Promise<void>;
}

/**
 * Reports imports, restores and exports that were interrupted when the program ended, until the user resumes or
 * dismisses them.
 */
export function useInterruptedTasks(imports: Imports): void {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const runTask = useRunTask();
  const onStart = useEffectEvent(() => {
    const reportExport = (exported: ExportReport): void => {
      runReportingErrors(() => withdrawFinished('export', invoke));
      notifyExported(exported, {
        showInFolder: () => runReportingErrors(() => invoke('export.showInFolder', { run: exported.run })),
        retry: () =>
          runReportingErrors(async () => reportExport(await invoke('export.retry', { run: exported.run }))),
      });
    };
    const resume = async (resumable: ResumableTask): Promise<void> => {
      if (resumable.kind === 'import') await imports.run((task) => invoke('library.resumeImport', { task }));
      else if (resumable.kind === 'export') {
        const { journalNumber } = resumable;
        const exported = await runTask({ title: t('export.running') }, (task) =>
          invoke('export.resume', { task, journalNumber }),
        );
        if (exported !== null) reportExport(exported);
      } else {
        notifyRestored(
          await runTask({ title: t('backup.restoring') }, (task) => invoke('backup.resume', { task })),
        );
      }
    };
    runReportingErrors(() => report({ t, invoke, resume }));
  });
  useEffect(() => onStart(), []);
}

/** The kinds of the tasks whose reports may still be shown, by their keys. */
const reportedKinds = new Map<string, ResumableTask['kind']>();

/**
 * Withdraws the reports of interrupted tasks of a kind that are no longer unfinished: they were done again. Those of other
 * kinds stay, since a task that runs is not listed as interrupted, but may fail.
 */
export async function withdrawFinished(kind: ResumableTask['kind'], invoke: Invoke): Promise<void> {
  const all = await invoke('library.interrupted', undefined);
  const unfinished = new Set(all.map(({ task }) => keyOf(task)));
  for (const [key, reportedKind] of reportedKinds) {
    if (reportedKind !== kind || unfinished.has(key)) continue;
    reportedKinds.delete(key);
    withdrawNotice(key);
  }
}

/**
 * Reports the interrupted tasks.
 *
 * @param resumed reports only this task, if it is still interrupted after the user resumed it; `problem`: why that failed.
 */
async function report(
  context: ReportContext,
  resumed?: { readonly task: ResumableTask; readonly problem: Problem | null },
): Promise<void> {
  const { t, invoke, resume } = context;
  const all = await invoke('library.interrupted', undefined);
  const reported =
    resumed === undefined ? all : all.filter(({ task }) => keyOf(task) === keyOf(resumed.task));
  // Without its record it cannot be offered again.
  if (reported.length === 0 && resumed?.problem) notifyProblem(resumed.problem);
  for (const interrupted of reported) {
    const { task } = interrupted;
    const key = keyOf(task);
    const resumeAndReport = async (): Promise<void> => {
      const problem = await catchProblem(() => resume(task));
      // The task is still interrupted if some of its files could not be found: offer to resume it again.
      await report(context, { task, problem });
    };
    const { title, description } = textOf(t, interrupted);
    const problem = resumed?.problem ?? null;
    reportedKinds.set(key, task.kind);
    notices.add({
      title,
      // One notice for both, because two would cover each other.
      ...(problem === null ? { description } : { description: problemText(t, problem), type: 'problem' }),
      // Stays until the user decides.
      timeout: untilDismissed,
      data: {
        actions: [
          { label: t('import.resume'), run: () => runReportingErrors(resumeAndReport), recentKey: key },
        ],
        onDismiss: () => runReportingErrors(() => invoke('library.dismissInterrupted', task)),
      },
    });
  }
}

/** Returns the `recentKey` of a task; several exports can be interrupted. */
const keyOf = (task: ResumableTask): string =>
  task.kind === 'export' ? `export ${task.journalNumber}` : task.kind;

/** Returns the problem that some work rejects with; `null` if it succeeds. */
async function catchProblem(work: () => Promise<void>): Promise<Problem | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return asProblem(error);
  }
}

function textOf(
  t: TFunction,
  { task, name, count }: InterruptedTask,
): { readonly title: string; readonly description: string } {
  switch (task.kind) {
    case 'import':
      return {
        title:
          count === null
            ? t('import.interruptedEarly')
            : t('import.interrupted', { imported: count.done, count: count.total }),
        description: t('import.interruptedNote'),
      };
    case 'restore':
      return {
        title:
          count === null
            ? t('backup.interruptedEarly', { name })
            : t('backup.interrupted', { restored: count.done, count: count.total }),
        description: t('backup.interruptedNote', { name }),
      };
    case 'export':
      return {
        title:
          count === null
            ? t('export.interruptedEarly')
            : t('export.interrupted', { saved: count.done, count: count.total }),
        description: name === '' ? t('export.interruptedNote') : t('export.interruptedNoteIn', { name }),
      };
  }
}
