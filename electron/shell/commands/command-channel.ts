import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { channels, packAnswer, type AnyAnswer } from '../../contract/bridge.ts';

/** Answers a command; never rejects. */
export type AnswerCommand = (event: IpcMainInvokeEvent, name: unknown, input: unknown) => Promise<AnyAnswer>;

/**
 * Takes the commands of pages from now on. They wait until there is somebody to answer them: a page may ask before all
 * that it asks about is open.
 *
 * @returns to be told who answers.
 */
export function openCommandChannel(): (answer: AnswerCommand) => void {
  const { promise, resolve } = Promise.withResolvers<AnswerCommand>();
  ipcMain.handle(channels.command, async (event, name: unknown, input: unknown) =>
    packAnswer(await (await promise)(event, name, input)),
  );
  return (answer) => {
    // electron-store brings a channel of its own, which tells any page where data is kept.
    ipcMain.removeAllListeners('electron-store-get-data');
    resolve(answer);
  };
}
