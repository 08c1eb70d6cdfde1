import type { replaceCommands } from '../../contract/replace.ts';
import type { CommandOptions, Handlers } from './handlers.ts';

export function replaceHandlers({ longhand, tasks }: CommandOptions): Handlers<typeof replaceCommands> {
  const { replacing } = longhand.library;
  return {
    'replace.find': ({ query }) => tasks.runInstead('find', (options) => replacing.find(query, options)),
    'replace.run': async ({ task, ...wish }) => {
      const report = await tasks.run('replace', task, (options) => replacing.run(wish, options));
      return report ?? { changed: 0, unchanged: 0, cancelled: true };
    },
    'replace.undo': async ({ task }) => {
      const report = await tasks.run('replace', task, (options) => replacing.undo(options));
      return report ?? { undone: 0, kept: 0, cancelled: true };
    },
  };
}
