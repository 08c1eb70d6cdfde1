import { dialog, shell } from 'electron';
import type { CommandInput } from '../../contract/commands.ts';
import type { ExportReport, exportCommands } from '../../contract/export.ts';
import { layoutOf, rulesOf } from '../../core/formats/layout/subtitles.ts';
import { writeOptionsFor } from '../../core/formats/write/write-options.ts';
import type { ExportJob, FinishedFiles } from '../../core/library/export/export-job.ts';
import { sendEvent } from './ipc.ts';
import type { CommandOptions, Handlers } from './handlers.ts';
import type { autoExportCommands } from '../../contract/auto-exports.ts';

export function exportHandlers({
  window,
  exports,
  settings,
  consent,
}: CommandOptions): Handlers<typeof exportCommands> {
  let previewAbort = new AbortController();
  let assessmentAbort = new AbortController();
  let runAbort: AbortController | null = null;
  let last: { readonly job: ExportJob; readonly finished: FinishedFiles } | null = null;

  const jobOf = ({ ids, formats, template, where, existing, scope, ...content }: ExportInput): ExportJob => {
    const { exportFolder, ownSubtitleRules } = settings.get();
    return {
      ids,
      formats,
      template,
      where,
      existing,
      folder: exportFolder,
      writing: writeOptionsFor(content, ownSubtitleRules, scope),
    };
  };

  const run = async (requested: ExportJob): Promise<ExportReport> => {
    runAbort?.abort();
    const controller = new AbortController();
    runAbort = controller;
    try {
      let job = requested;
      if (job.existing === 'replace') {
        const { count, examples, digest } = await exports.previewReplacement(job, controller.signal);
        await consent.assertReplacing(count, examples);
        job = { ...job, allowed: digest };
      }
      const { finished, ...report } = await exports.run(job, controller.signal, (progress) =>
        sendEvent(window.webContents, 'export.progress', progress),
      );
      last = { job: requested, finished };
      return report;
    } finally {
      if (runAbort === controller) runAbort = null;
    }
  };

  return {
    'export.preview': (request) => {
      // Only the newest preview matters.
      previewAbort.abort();
      previewAbort = new AbortController();
      return exports.preview(jobOf(request), previewAbort.signal);
    },
    'export.assess': ({ subtitles, rules: ownRules, ...request }) => {
      assessmentAbort.abort();
      assessmentAbort = new AbortController();
      const layout = layoutOf(subtitles, ownRules);
      const rules = rulesOf(layout);
      return exports.assess({ ...request, layout, rules }, assessmentAbort.signal);
    },
    'export.run': (request) => run(jobOf(request)),
    'export.retry': async () => {
      if (last === null) throw new Error('Nothing was exported yet.');
      return run({ ...last.job, earlier: last.finished });
    },
    'export.cancel': () => runAbort?.abort(),
    'export.chooseFolder': async () => {
      const { exportFolder } = settings.get();
      const { canceled, filePaths } = await dialog.showOpenDialog(window, {
        properties: ['openDirectory', 'createDirectory'],
        ...(exportFolder === null ? {} : { defaultPath: exportFolder }),
      });
      const [folder] = filePaths;
      if (canceled || folder === undefined) return { folder: exportFolder };
      return { folder: settings.change({ exportFolder: folder }).exportFolder };
    },
    'export.showInFolder': () => {
      const [file] = last?.finished.written ?? [];
      if (file !== undefined) shell.showItemInFolder(file.path);
    },
  };
}

type ExportInput = CommandInput<'export.run'>;

/** Commands about automatic exports that failed. */
export function autoExportHandlers({
  longhand,
  window,
}: CommandOptions): Handlers<typeof autoExportCommands> {
  const { autoExportWriter } = longhand;
  return {
    'autoExports.failed': () => autoExportWriter.failed(),
    'autoExports.retry': () => autoExportWriter.retryFailed(),
    'autoExports.retryInFolder': async () => {
      const { filePaths } = await dialog.showOpenDialog(window, {
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
