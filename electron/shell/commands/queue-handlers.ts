import { shell } from 'electron';
import { windowDialogs } from '../window-dialogs.ts';
import type { queueCommands } from '../../contract/queue-commands.ts';
import type { ItemId } from '../../contract/identifiers.ts';
import { describeRecording } from '../pages/recording-paths.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { assertKnownService, type HandlerContext, type Handlers } from './handlers.ts';

export function queueHandlers(context: HandlerContext): Handlers<typeof queueCommands> {
  const { queueSubscription, adder, consent } = context;
  const { queue } = context.longhand;
  return {
    'queue.setViewport': (viewport) => queueSubscription.setViewport(viewport),
    'queue.ids': (viewport) => queue.ids(viewport),
    'queue.listed': ({ ids, ...listing }) => queue.listed(listing, ids),
    'queue.add': async ({ paths, links }) => {
      const allowed = await consent.allowedPaths(paths);
      await consent.confirmLinks(links);
      return adder.add({ paths: allowed, links });
    },
    'queue.pick': ({ what }) => adder.pick(what),
    'queue.pause': (target) => queue.pause(queue.idsOf(target)),
    'queue.resume': (target) => queue.resume(queue.idsOf(target)),
    'queue.retry': (target) => queue.retry(queue.idsOf(target)),
    'queue.transcribeAgain': ({ service, ...target }) => {
      if (service !== undefined) assertKnownService(context, service);
      queue.transcribeAgain(queue.idsOf(target), service);
    },
    'queue.addAgain': (target) => adder.addAgain(target),
    'queue.cancel': (target) => queue.cancel(queue.idsOf(target)),
    'queue.remove': (target) => queue.remove(queue.idsOf(target)),
    'queue.sum': (target) => queue.summarize(queue.idsOf(target)),
    'queue.transcripts': (target) => queue.transcripts(queue.idsOf(target)),
    'queue.undoRemove': () => ({ restored: queue.undoRemove() }),
    'queue.move': ({ to, ...target }) => queue.move(queue.idsOf(target), to),
    'queue.sortWaiting': (sort) => queue.sortWaiting(sort),
    'queue.setOptions': async ({ options: jobOptions, ...target }) => ({
      changed: await queue.setOptions(queue.idsOf(target), omitUndefined(jobOptions)),
    }),
    'queue.moveToService': ({ service, leavesJobs, ...target }) => {
      assertKnownService(context, service);
      return queue.moveToService(queue.idsOf(target), service, leavesJobs);
    },
    'queue.moveStalled': ({ from, to, leavesJobs }) => {
      assertKnownService(context, to);
      return queue.moveStalled(from, to, leavesJobs);
    },
    'queue.setLink': async ({ id, link }) => {
      await consent.confirmLinks([link]);
      queue.setLink(id, link);
    },
    'queue.live': ({ id, from }) => queue.live(id, from),
    'queue.recording': ({ id }) => describeRecording(context.longhand, { kind: 'item', id }),
    'queue.details': ({ id }) => queue.details(id),
    'queue.locate': ({ id }) => locate(context, id),
    'queue.pauseAll': () => queue.setPaused(true),
    'queue.resumeAll': () => queue.setPaused(false),
    'queue.clearDoneAndCancelled': () => queue.clearDoneAndCancelled(),
    'queue.retryAll': () => {
      for (const service of queue.servicesThatNeedUser()) context.longhand.tryAgain(service);
      return queue.retryAll();
    },
    'queue.showInFolder': ({ id }) => {
      const source = queue.get(id)?.source;
      if (source?.kind === 'file') shell.showItemInFolder(source.path);
    },
  };
}

async function locate(
  { longhand, window }: HandlerContext,
  id: ItemId,
): Promise<{ readonly located: boolean }> {
  const source = longhand.queue.get(id)?.source;
  const { canceled, filePaths } = await windowDialogs.showOpenDialog(window, {
    properties: ['openFile'],
    ...(source?.kind === 'file' ? { defaultPath: source.path } : {}),
  });
  const [path] = filePaths;
  if (canceled || path === undefined) return { located: false };
  await longhand.queue.locate(id, path);
  return { located: true };
}
