import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { channels } from '../contract/bridge.ts';
import type { Problem } from '../contract/problem.ts';

export type CommandAnswer =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: Problem };

/** Answers a command; never rejects. */
export type AnswerCommand = (
  event: IpcMainInvokeEvent,
  name: unknown,
  input: unknown,
) => Promise<CommandAnswer>;

/**
 * Takes the commands of pages from now on. They wait until there is somebody to answer them: a page may ask before all
 * that it asks about is open.
 *
 * @returns to be told who answers.
 */
export function openCommandDoor(): (answer: AnswerCommand) => void {
  const { promise, resolve } = Promise.withResolvers<AnswerCommand>();
  ipcMain.handle(channels.command, async (event, name: unknown, input: unknown) =>
    (await promise)(event, name, input),
  );
  return (answer) => {
    // electron-store brings a door of its own, which tells any page where data is kept.
    ipcMain.removeAllListeners('electron-store-get-data');
    resolve(answer);
  };
}
