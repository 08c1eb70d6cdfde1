import { dirname, resolve } from 'node:path';
import { dialog, ipcMain, type BrowserWindow } from 'electron';
import { channels } from '../contract/bridge.ts';
import { ProblemError } from '../contract/problem.ts';
import type { Words } from '../core/words.ts';
import { isOwnFrame } from './pages/pages.ts';

/** Paths that a confirmation names. */
const maxShown = 5;

/**
 * The files and folders that the user gave to the window: dropped, pasted, picked in a dialog of the system or named at
 * the start. The page may name these, and what is inside them. For any other path the user is asked in a dialog that the
 * page cannot answer: a page that runs foreign code could name every file of the user.
 */
export class GrantedPaths {
  readonly #paths = new Set<string>();
  readonly #window: BrowserWindow;
  readonly #words: Words;

  constructor(window: BrowserWindow, words: Words) {
    this.#window = window;
    this.#words = words;
    // Only the preload script can send this; see `pathForFile` there.
    ipcMain.on(channels.file, ({ sender, senderFrame }, path: unknown) => {
      if (sender === window.webContents && isOwnFrame(senderFrame) && typeof path === 'string')
        this.grant([path]);
    });
  }

  /** @param paths absolute. */
  grant(paths: readonly string[]): void {
    for (const path of paths) this.#paths.add(resolve(path));
  }

  /** @throws ProblemError `path_unreadable` for a path that the user has not given, and does not now. */
  async assertGranted(paths: readonly string[]): Promise<void> {
    const foreign = paths.filter((path) => !this.#isGranted(resolve(path)));
    if (foreign.length === 0) return;
    const { response } = await dialog.showMessageBox(this.#window, {
      type: 'question',
      message: this.#words.say('grant.title'),
      detail: [...foreign.slice(0, maxShown), ...(foreign.length > maxShown ? ['…'] : [])].join('\n'),
      buttons: [this.#words.say('grant.cancel'), this.#words.say('grant.allow')],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 0)
      throw new ProblemError({ code: 'path_unreadable', params: { path: foreign[0] ?? '' } });
    this.grant(foreign);
  }

  #isGranted(path: string): boolean {
    return this.#paths.has(path) || (dirname(path) !== path && this.#isGranted(dirname(path)));
  }
}
