import type { BatchResults } from '../../contract/commands/batch.ts';
import { givenOf } from './given.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function batchHandlers({ adding }: CommandOptions): Handlers<keyof BatchResults> {
  return {
    'batch.watch': (part) => adding.look(part),
    'batch.ids': (part) => adding.batch?.ids(part) ?? [],
    'batch.setOptions': ({ ids, options }) => adding.batch?.setOptions(ids, givenOf(options)),
    'batch.clearOptions': ({ ids }) => adding.batch?.clearOptions(ids),
    'batch.include': ({ group, ids, included }) => adding.batch?.include(group, ids, included),
    'batch.start': () => adding.start(),
    'batch.close': () => adding.close(),
  };
}
