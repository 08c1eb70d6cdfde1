import type { addSheetCommands } from '../../contract/add-sheet-commands.ts';
import { emptyTotals } from '../../core/queue/adding/sheet-entry.ts';
import { importPaths } from './library-handlers.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { assertKnownService, type HandlerContext, type Handlers } from './handlers.ts';

export function addSheetHandlers({
  adder,
  longhand,
  settings,
  tasks,
}: HandlerContext): Handlers<typeof addSheetCommands> {
  return {
    'addSheet.setViewport': (part) => adder.setViewport(part),
    'addSheet.ids': (part) => adder.sheet?.ids(part) ?? [],
    'addSheet.setDefaultOptions': ({ options }) => adder.sheet?.setDefaultOptions(omitUndefined(options)),
    'addSheet.useLastOptions': () => adder.sheet?.useLastOptions(),
    'addSheet.setOptions': ({ options, ...target }) =>
      adder.sheet?.setOptions(target, omitUndefined(options)),
    'addSheet.clearOptions': (target) => adder.sheet?.clearOptions(target),
    'addSheet.include': ({ included, ...target }) => adder.sheet?.include(target, included),
    'addSheet.sum': (target) => adder.sheet?.sum(target) ?? emptyTotals,
    'addSheet.setFormats': ({ formats }) => adder.sheet?.setFormats(formats),
    'addSheet.useService': ({ service }) => {
      assertKnownService({ settings }, service);
      adder.useService(service);
    },
    'addSheet.importTranscripts': ({ task }) =>
      adder.importTranscripts((paths) => importPaths(paths, task, { longhand, tasks })),
    'addSheet.showExcluded': () => adder.showExcluded(),
    'addSheet.addChosen': () => adder.addChosen(),
    'addSheet.close': () => adder.close(),
    'addSheet.reopen': () => ({ reopened: adder.reopen() }),
  };
}
