import type { addSheetCommands } from '../../contract/add-sheet.ts';
import { type CommandOptions, givenOf, type Handlers } from './handlers.ts';

export function batchHandlers({ adding }: CommandOptions): Handlers<typeof addSheetCommands> {
  return {
    'batch.watch': (part) => adding.look(part),
    'batch.ids': (part) => adding.batch?.ids(part) ?? [],
    'batch.setUsualOptions': ({ options }) => adding.batch?.setUsualOptions(givenOf(options)),
    'batch.setOptions': ({ options, ...target }) => adding.batch?.setOptions(target, givenOf(options)),
    'batch.clearOptions': (target) => adding.batch?.clearOptions(target),
    'batch.include': ({ included, ...target }) => adding.batch?.include(target, included),
    'batch.useService': ({ service }) => adding.useService(service),
    'batch.start': () => adding.start(),
    'batch.close': () => adding.close(),
  };
}
