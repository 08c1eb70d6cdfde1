import { dialog } from 'electron';
import type { LibraryResults } from '../../contract/commands/library.ts';
import { importedExtensions, type LibraryView } from '../../contract/model/library.ts';
import { findRecordings, missingRecordings } from '../../core/library/recordings.ts';
import { SupersededError } from '../../core/library/search/search-protocol.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

const nothingFound: LibraryView = {
  total: 0,
  offset: 0,
  rows: [],
  passageTotal: 0,
  isCapped: false,
  isWhole: true,
  isIndexing: false,
};

export function libraryHandlers({ longhand, window, tasks }: CommandOptions): Handlers<keyof LibraryResults> {
  const { library } = longhand;
  return {
    'library.counts': () => library.counts(),
    'library.list': ({ offset, limit, whole, ...question }) =>
      library.list(question, { offset, limit, whole }).catch(unlessSuperseded(nothingFound)),
    'library.ids': (question) => library.ids(question).catch(unlessSuperseded([])),
    'library.tags': () => library.tags(),
    'library.tagsOf': ({ ids }) => library.tagsOf(ids),
    'library.tag': ({ ids, add, remove }) => library.tag(ids, add, remove),
    'library.renameTag': ({ from, to }) => library.renameTag(from, to),
    'library.removeTag': ({ name }) => library.removeTag(name),
    'library.rename': ({ id, name }) => library.rename(id, name),
    'library.trash': ({ ids }) => library.trash(ids),
    'library.restore': ({ ids }) => library.restore(ids),
    'library.purge': async ({ ids }) =>
      (await tasks.run('purge', (options) => library.purge(ids, options))) ?? 0,
    'library.import': ({ paths }) => library.importFiles(paths),
    'library.pickImport': async () => {
      const { canceled, filePaths } = await dialog.showOpenDialog(window, {
        properties: ['openFile', 'multiSelections'],
        filters: [
          {
            name: importedExtensions.map((one) => one.toUpperCase()).join(', '),
            extensions: [...importedExtensions],
          },
        ],
      });
      return canceled ? null : filePaths;
    },
    'library.findRecordings': async () => {
      const missing = await missingRecordings(longhand.transcripts);
      if (missing.size === 0) return { missing: 0, found: 0, cancelled: false };
      const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory'] });
      const [folder] = filePaths;
      if (canceled || folder === undefined) return null;
      return tasks.run('recordings', (options) =>
        findRecordings(longhand.transcripts, missing, folder, options),
      );
    },
  };
}

/** The window has asked another question since, and looks at no other answer. */
const unlessSuperseded =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof SupersededError) return instead;
    throw error;
  };
