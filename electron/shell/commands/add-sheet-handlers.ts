import type { addSheetCommands } from '../../contract/add-sheet.ts';
import { type CommandOptions, definedOf, type Handlers } from './handlers.ts';

export function batchHandlers({ adder }: CommandOptions): Handlers<typeof addSheetCommands> {
  return {
    'batch.watch': (part) => adder.setViewport(part),
    'batch.ids': (part) => adder.sheet?.ids(part) ?? [],
    'batch.setUsualOptions': ({ options }) => adder.sheet?.setDefaultOptions(definedOf(options)),
    'batch.setOptions': ({ options, ...target }) => adder.sheet?.setOptions(target, definedOf(options)),
    'batch.clearOptions': (target) => adder.sheet?.clearOptions(target),
    'batch.include': ({ included, ...target }) => adder.sheet?.include(target, included),
    'batch.useService': ({ service }) => adder.useService(service),
    'batch.start': () => adder.start(),
    'batch.close': () => adder.close(),
  };
}
