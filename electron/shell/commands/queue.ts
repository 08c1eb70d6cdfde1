import { dialog, shell } from 'electron';
import type { QueueResults } from '../../contract/commands/queue.ts';
import type { ItemId } from '../../contract/model/queue.ts';
import { givenOf } from './given.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function queueHandlers(options: CommandOptions): Handlers<keyof QueueResults> {
  const { watch, adding } = options;
  const { queue } = options.longhand;
  return {
    'queue.watch': (viewport) => watch.look(viewport),
    'queue.ids': ({ filter, offset, limit }) => queue.ids(filter, offset, limit),
    'queue.add': (recordings) => adding.add(recordings),
    'queue.pick': ({ what }) => adding.pick(what),
    'queue.pause': ({ ids }) => queue.pause(ids),
    'queue.resume': ({ ids }) => queue.resume(ids),
    'queue.retry': ({ ids }) => queue.retry(ids),
    'queue.cancel': ({ ids }) => queue.cancel(ids),
    'queue.remove': ({ ids }) => queue.remove(ids),
    'queue.undoRemove': () => ({ restored: queue.undoRemove() }),
    'queue.move': ({ ids, to }) => queue.move(ids, to),
    'queue.sortWaiting': (sort) => queue.sortWaiting(sort),
    'queue.setOptions': ({ ids, options }) => ({ changed: queue.setOptions(ids, givenOf(options)) }),
    'queue.facts': ({ id }) => queue.facts(id),
    'queue.locate': ({ id }) => locate(options, id),
    'queue.pauseAll': () => queue.setPaused(true),
    'queue.resumeAll': () => queue.setPaused(false),
    'queue.clearFinished': () => queue.clearFinished(),
    'queue.retryFailed': () => queue.retryFailed(),
    'queue.showInFolder': ({ id }) => {
      const source = queue.get(id)?.source;
      if (source?.kind === 'file') shell.showItemInFolder(source.path);
    },
  };
}

async function locate(
  { longhand, window }: CommandOptions,
  id: ItemId,
): Promise<{ readonly located: boolean }> {
  const source = longhand.queue.get(id)?.source;
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    properties: ['openFile'],
    ...(source?.kind === 'file' ? { defaultPath: source.path } : {}),
  });
  const [path] = filePaths;
  if (canceled || path === undefined) return { located: false };
  await longhand.queue.locate(id, path);
  return { located: true };
}
