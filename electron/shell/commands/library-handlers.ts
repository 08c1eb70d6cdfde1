import { windowDialogs } from '../window-dialogs.ts';
import type { ImportReport, libraryCommands, LibraryView } from '../../contract/library-commands.ts';
import type { TaskId } from '../../contract/library-task.ts';
import { importedExtensions } from '../../contract/choices.ts';
import { findRecordings, findMissingRecordings } from '../../core/library/recordings.ts';
import { copiesAtServices, purgeTranscripts } from '../../core/service-jobs/purge-transcripts.ts';
import type { OnFound } from '../../core/library/task/recorded-tasks.ts';
import { SupersededSearchError } from '../../core/library/search/library-search.ts';
import { assertKnownService, type HandlerContext, type Handlers } from './handlers.ts';
import type { replaceCommands } from '../../contract/replace.ts';

const nothingFound: LibraryView = {
  isSearch: true,
  total: 0,
  offset: 0,
  rows: [],
  passageTotal: 0,
  isCapped: false,
  isComplete: true,
  isIndexing: false,
  similar: [],
};

export function libraryHandlers({
  longhand,
  window,
  settings,
  clock,
  tasks,
  consent,
  exportJournals,
}: HandlerContext): Handlers<typeof libraryCommands> {
  const { library } = longhand;
  return {
    'library.counts': () => library.counts(),
    'library.list': ({ offset, limit, whole, ...query }) =>
      library.list(query, { offset, limit, all: whole }).catch(fallbackIfSuperseded(nothingFound)),
    'library.ids': (query) => library.ids(query).catch(fallbackIfSuperseded([])),
    'library.tags': () => library.tags(),
    'library.languages': () => library.recentLanguages(),
    'library.tagsOf': ({ ids }) => library.tagsOf(ids),
    'library.tag': ({ ids, add, remove }) => library.tag(ids, add, remove),
    'library.renameTag': ({ from, to }) => library.renameTag(from, to),
    'library.removeTag': ({ name }) => library.removeTag(name),
    'library.changeTags': (change) => library.changeTags(change),
    'library.rename': ({ id, name }) => library.rename(id, name),
    'library.trash': ({ ids }) => library.trash(ids),
    'library.restore': ({ ids }) => library.restore(ids),
    'library.copies': ({ ids }) => copiesAtServices(longhand, ids, clock.now()),
    'library.purge': async ({ ids, servicesToPurge, task }) => {
      for (const service of servicesToPurge) assertKnownService({ settings }, service);
      const report = await tasks.run('purge', task, (options) =>
        purgeTranscripts(longhand, ids, { servicesToPurge, now: clock.now() }, options),
      );
      return report ?? { deleted: 0, leftAtService: 0, cancelled: true };
    },
    'library.import': async ({ paths, task }) => {
      return importPaths(await consent.allowedPaths(paths), task, { longhand, tasks });
    },
    'library.interrupted': () => [...library.recordedTasks.interrupted, ...exportJournals.interrupted],
    'library.resumeImport': async ({ task }) => {
      const report = await library.recordedTasks.resume('import', (paths, onFound) =>
        runImport(paths, task, onFound, { longhand, tasks }),
      );
      return report ?? emptyImport;
    },
    'library.dismissInterrupted': (task) =>
      task.kind === 'export'
        ? exportJournals.dismiss(task.journalNumber)
        : library.recordedTasks.dismiss(task.kind),
    'library.pickImport': async ({ what }) => {
      const { canceled, filePaths } = await windowDialogs.showOpenDialog(window, {
        properties: what === 'folder' ? ['openDirectory'] : ['openFile', 'multiSelections'],
        filters: [
          {
            name: importedExtensions.map((one) => one.toUpperCase()).join(', '),
            extensions: [...importedExtensions],
          },
        ],
      });
      consent.grant(filePaths);
      return canceled ? null : filePaths;
    },
    'library.findRecordings': async ({ task }) => {
      const missing = await findMissingRecordings(longhand.transcripts);
      if (missing.size === 0) return { missing: 0, found: 0, cancelled: false };
      const { canceled, filePaths } = await windowDialogs.showOpenDialog(window, {
        properties: ['openDirectory'],
      });
      const [folder] = filePaths;
      if (canceled || folder === undefined) return null;
      const report = await tasks.run('recordings', task, (options) =>
        findRecordings(longhand.transcripts, missing, folder, options),
      );
      if (report !== null && report.found > 0) longhand.library.notifyRecordingsChanged();
      return report;
    },
  };
}

/** Imports the transcript files, and those in the folders, at paths that the user has given. */
export function importPaths(
  paths: readonly string[],
  task: TaskId,
  options: ImportPathsOptions,
): Promise<ImportReport> {
  return options.longhand.library.recordedTasks.run('import', paths, (onFound) =>
    runImport(paths, task, onFound, options),
  );
}

type ImportPathsOptions = Pick<HandlerContext, 'longhand' | 'tasks'>;

const emptyImport: ImportReport = {
  added: [],
  known: 0,
  trashed: [],
  guessed: [],
  rejected: [],
  unread: null,
};

async function runImport(
  paths: readonly string[],
  task: TaskId,
  onFound: OnFound,
  { longhand, tasks }: ImportPathsOptions,
): Promise<ImportReport> {
  const report = await tasks.run('import', task, (options) =>
    longhand.library.importFiles(paths, options, onFound),
  );
  return report ?? { ...emptyImport, unread: paths.length };
}

/** Returns an error handler for queries: the window ignores the answer to a query once it has sent a newer one. */
const fallbackIfSuperseded =
  <T>(fallback: T) =>
  (error: unknown): T => {
    if (error instanceof SupersededSearchError) return fallback;
    throw error;
  };

export function replaceHandlers({ longhand, tasks }: HandlerContext): Handlers<typeof replaceCommands> {
  const { replacer } = longhand.library;
  return {
    'replace.find': ({ query, ids }) =>
      tasks.runLatest('find', (options) => replacer.find(query, ids, options)),
    'replace.stopFinding': () => tasks.cancelAll('find'),
    'replace.run': async ({ task, ...request }) => {
      const report = await tasks.run('replace', task, (options) => replacer.run(request, options));
      return (
        report ?? {
          run: null,
          changed: 0,
          renamed: 0,
          merged: 0,
          unchanged: 0,
          tooLong: 0,
          outcome: 'cancelled',
        }
      );
    },
    'replace.stored': () => replacer.stored(),
    'replace.dismissInterruption': ({ run }) => replacer.dismissInterruption(run),
    'replace.undo': async ({ run, task }) => {
      const report = await tasks.run('replace', task, (options) => replacer.undo(run, options));
      return report ?? { undone: 0, kept: 0, edited: [], later: null, cancelled: true };
    },
  };
}
