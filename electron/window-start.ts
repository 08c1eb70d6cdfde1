import { app } from 'electron';
import { windowLanguage } from './contract/languages.ts';
import { Translator } from './core/translator.ts';
import { Keychain } from './shell/keychain.ts';
import { fileLogger } from './shell/logger.ts';
import { SettingsStore } from './shell/settings-store.ts';
import { WindowProgram, type WindowProgramOptions } from './shell/window/window-program.ts';

/**
 * Opens everything that the window shows. Loaded while the window opens: it is nearly the whole program.
 *
 * @throws ProblemError when the data folder cannot be used.
 */
export async function startWindow(
  options: Pick<
    WindowProgramOptions,
    'opened' | 'setCommandHandler' | 'setRecordingLookup' | 'appPaths' | 'onLeaseLost'
  >,
): Promise<WindowProgram> {
  const { dataFolder } = options.appPaths;
  const settings = new SettingsStore(dataFolder);
  const logger = fileLogger(dataFolder);
  process.on('unhandledRejection', (error) => logger.error('unhandled rejection', { error: String(error) }));
  const translator = await Translator.load(
    windowLanguage(settings.get().language, app.getPreferredSystemLanguages()),
  );
  return new WindowProgram({ ...options, settings, secrets: new Keychain(logger), logger, translator });
}
