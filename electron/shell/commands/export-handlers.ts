import { shell } from 'electron';
import { windowDialogs } from '../window-dialogs.ts';
import type { CommandInput } from '../../contract/commands.ts';
import type { ExportReport, exportCommands } from '../../contract/export.ts';
import { layoutOf, rulesOf } from '../../core/formats/layout/subtitles.ts';
import type { ExportTask, FinishedFiles } from '../../core/library/export/export-task.ts';
import { exportTaskOf, type ChosenExport } from '../../core/library/export/export-journals.ts';
import type { TaskOptions } from '../../core/library/task/run-task.ts';
import { sendEvent } from './ipc.ts';
import type { HandlerContext, Handlers } from './handlers.ts';
import type { autoExportCommands } from '../../contract/auto-exports.ts';

/** How many exports can be retried or shown in their folder. */
const maxRuns = 20;

export function exportHandlers({
  window,
  exports,
  settings,
  consent,
  tasks,
  exportJournals,
}: HandlerContext): Handlers<typeof exportCommands> {
  // An export may outlive the window, whose contents cannot be read then.
  const { webContents } = window;
  let previewAbort = new AbortController();
  let assessmentAbort = new AbortController();
  let runAbort: AbortController | null = null;
  /** The latest exports, by the number of their run. */
  const runs = new Map<number, { readonly chosen: ChosenExport; readonly finished: FinishedFiles }>();
  let lastRun = 0;

  /** Adds the folder and the subtitle rules of the settings. */
  const withCurrentSettings = (request: ExportInput): ChosenExport => {
    const { exportFolder, ownSubtitleRules } = settings.get();
    return { ...request, folder: exportFolder, rules: ownSubtitleRules };
  };

  /** Writes files once the user has allowed to replace those that exist. */
  const write = async (
    requested: ExportTask,
    chosen: ChosenExport,
    { signal, onProgress }: TaskOptions,
  ): Promise<ExportReport> => {
    let task = requested;
    if (task.existing === 'replace') {
      const replaced = await exports.previewReplacement(task, signal);
      await consent.confirmReplacing(replaced);
      task = { ...task, allowedDigest: replaced.digest };
    }
    const { finished, ...report } = await exports.run(task, signal, onProgress);
    lastRun += 1;
    runs.set(lastRun, { chosen, finished });
    runs.delete(lastRun - maxRuns);
    return { ...report, run: lastRun };
  };

  const run = async (chosen: ChosenExport, earlierFiles?: FinishedFiles): Promise<ExportReport> => {
    runAbort?.abort();
    const controller = new AbortController();
    runAbort = controller;
    try {
      return await exportJournals.run(chosen, earlierFiles, (task) =>
        write(task, chosen, {
          signal: controller.signal,
          onProgress: (progress) => sendEvent(webContents, 'export.progress', progress),
        }),
      );
    } finally {
      if (runAbort === controller) runAbort = null;
    }
  };

  return {
    'export.preview': (request) => {
      // Only the newest preview matters.
      previewAbort.abort();
      previewAbort = new AbortController();
      return exports.preview(exportTaskOf(withCurrentSettings(request)), previewAbort.signal);
    },
    'export.assess': ({ subtitles, rules: ownRules, ...request }) => {
      assessmentAbort.abort();
      assessmentAbort = new AbortController();
      const layout = layoutOf(subtitles, ownRules);
      const rules = rulesOf(layout);
      return exports.assess({ ...request, layout, rules }, assessmentAbort.signal);
    },
    'export.run': (request) => run(withCurrentSettings(request)),
    'export.retry': async ({ run: number }) => {
      const earlierRun = runs.get(number);
      if (earlierRun === undefined) throw new Error('There is no such export.');
      return run(earlierRun.chosen, earlierRun.finished);
    },
    'export.resume': ({ task: taskId, journalNumber }) =>
      exportJournals.resume(journalNumber, (task, chosen) =>
        tasks.run('export', taskId, ({ signal, onProgress }) =>
          write(task, chosen, {
            signal,
            onProgress: (progress) => onProgress({ ...progress, unit: 'files' }),
          }),
        ),
      ),
    'export.cancel': () => runAbort?.abort(),
    'export.chooseFolder': async () => {
      const { exportFolder } = settings.get();
      const { canceled, filePaths } = await windowDialogs.showOpenDialog(window, {
        properties: ['openDirectory', 'createDirectory'],
        ...(exportFolder === null ? {} : { defaultPath: exportFolder }),
      });
      const [folder] = filePaths;
      if (canceled || folder === undefined) return { folder: exportFolder };
      return { folder: settings.change({ exportFolder: folder }).exportFolder };
    },
    'export.showInFolder': ({ run: number }) => {
      const [file] = runs.get(number)?.finished.written ?? [];
      if (file !== undefined) shell.showItemInFolder(file.path);
    },
  };
}

type ExportInput = CommandInput<'export.run'>;

/** Returns the handlers of commands about automatic exports that failed. */
export function autoExportHandlers({
  longhand,
  window,
}: HandlerContext): Handlers<typeof autoExportCommands> {
  const { autoExportWriter } = longhand;
  return {
    'autoExports.failed': () => autoExportWriter.failed(),
    'autoExports.retry': () => autoExportWriter.retryFailed(),
    'autoExports.retryInFolder': async () => {
      const { filePaths } = await windowDialogs.showOpenDialog(window, {
        properties: ['openDirectory', 'createDirectory'],
      });
      const [folder] = filePaths;
      return folder === undefined ? autoExportWriter.failed() : autoExportWriter.retryFailed(folder);
    },
    'autoExports.dismiss': () => {
      autoExportWriter.forgetFailed();
      return null;
    },
  };
}
