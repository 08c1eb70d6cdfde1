import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { channels, packAnswer, type AnyAnswer } from '../../contract/bridge.ts';

/** Answers a command; never rejects. */
export type AnswerCommand = (event: IpcMainInvokeEvent, name: unknown, input: unknown) => Promise<AnyAnswer>;

/**
 * Accepts the commands of pages. They wait until the program can answer: a page may send one before everything is open.
 *
 * @returns a function that installs the handler.
 */
export function openCommandChannel(): (answer: AnswerCommand) => void {
  const { promise, resolve } = Promise.withResolvers<AnswerCommand>();
  ipcMain.handle(channels.command, async (event, name: unknown, input: unknown) =>
    packAnswer(await (await promise)(event, name, input)),
  );
  return (answer) => {
    // electron-store adds a channel that reveals the data folder to any page.
    ipcMain.removeAllListeners('electron-store-get-data');
    resolve(answer);
  };
}
