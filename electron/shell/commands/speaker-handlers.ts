import { windowDialogs } from '../window-dialogs.ts';
import type { speakerCommands, SpeakerModelsView } from '../../contract/speakers.ts';
import { CancelledError } from '../../workers/protocol.ts';
import type { HandlerContext, Handlers } from './handlers.ts';

export function speakerHandlers({
  window,
  longhand,
  tasks,
  speakerModels: models,
}: HandlerContext): Handlers<typeof speakerCommands> {
  /** Retries identifications that failed because models were missing, and describes the models. */
  const retryAndDescribe = async (): Promise<SpeakerModelsView> => {
    const view = await models.describe();
    if (view.isReady) longhand.speakers.retryFailed();
    return view;
  };
  return {
    'speakers.models': () => models.describe(),
    'speakers.download': async ({ task }) => {
      const { parts } = await models.describe();
      const total = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
      await tasks.run('speaker-models', task, async ({ signal, onProgress }) => {
        const onBytes = (done: number): void => onProgress({ done, total, unit: 'bytes' });
        await models.download(onBytes, signal).catch((error: unknown) => {
          throw signal.aborted ? new CancelledError() : error;
        });
      });
      return retryAndDescribe();
    },
    'speakers.chooseFolder': async () => {
      const { canceled, filePaths } = await windowDialogs.showOpenDialog(window, {
        properties: ['openDirectory'],
      });
      const [folder] = filePaths;
      if (!canceled && folder !== undefined) await models.useFolder(folder);
      return retryAndDescribe();
    },
    'speakers.forgetFolder': async () => {
      await models.forgetFolder();
      return models.describe();
    },
    'speakers.delete': async () => {
      await models.remove();
      return models.describe();
    },
    'speakers.identify': ({ id, task, count }) =>
      tasks.run('speakers', task, (options) => longhand.speakers.identify(id, count, options)),
    'speakers.identifyAll': ({ ids, count }) => longhand.speakers.add(ids, count),
    'speakers.queue': () => longhand.speakers.view(),
    'speakers.cancelAll': () => longhand.speakers.cancelAll(),
    'speakers.retryFailed': () => longhand.speakers.retryFailed(),
    'speakers.dismissFailed': () => longhand.speakers.forgetFailed(),
    'speakers.voices': () => longhand.voices.list(),
    'speakers.rememberVoices': async ({ id, names }) => {
      await longhand.voices.remember(id, names);
      return longhand.voices.list();
    },
    'speakers.forgetVoice': async ({ name }) => {
      await longhand.voices.forget(name);
      return longhand.voices.list();
    },
    'speakers.suggestNames': ({ id }) => longhand.voices.suggest(id),
  };
}
