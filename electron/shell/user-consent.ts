import { dirname, resolve } from 'node:path';
import { dialog, ipcMain, type BrowserWindow } from 'electron';
import { channels } from '../contract/bridge.ts';
import { ProblemError } from '../contract/problem.ts';
import { invisible } from '../core/file-name.ts';
import type { Words } from '../core/words.ts';
import { isOwnFrame } from './pages/pages.ts';

/** Lines that a question shows. */
const maxShown = 5;
/** UTF-16 units of a line from each of its ends. */
const shownFromEnd = 120;
/** Pasted and dropped texts that are remembered. */
const maxTexts = 20;

/** Returns a line that shows what it is: nothing in it is invisible or out of sight. */
function shownLine(line: string): string {
  const visible = line.replaceAll(invisible, '\ufffd');
  if (visible.length <= 2 * shownFromEnd) return visible;
  return `${visible.slice(0, shownFromEnd)}…${visible.slice(-shownFromEnd)}`;
}

/** A question with a button that allows what it names. */
interface Question {
  readonly title: string;
  readonly button: string;
  readonly lines: readonly string[];
}

/**
 * What the user allows the page to name. Files and folders: those that were dropped, pasted, picked in a dialog of the
 * system or named at the start, and what is inside them. Links: those in texts that were pasted or dropped. Anything
 * else, a new service and the replacement of files need the answer to a question that the page cannot give: a page that
 * runs foreign code could name every file and every address.
 */
export class UserConsent {
  readonly #paths = new Set<string>();
  readonly #texts: string[] = [];
  readonly #addresses = new Set<string>();
  readonly #window: BrowserWindow;
  readonly #words: Words;

  constructor(window: BrowserWindow, words: Words) {
    this.#window = window;
    this.#words = words;
    // Only the preload script can send these.
    const onGiven = (channel: string, take: (given: string) => void): void => {
      ipcMain.on(channel, ({ sender, senderFrame }, given: unknown) => {
        if (sender === window.webContents && isOwnFrame(senderFrame) && typeof given === 'string')
          take(given);
      });
    };
    onGiven(channels.file, (path) => this.grant([path]));
    onGiven(channels.text, (text) => {
      this.#texts.push(text);
      if (this.#texts.length > maxTexts) this.#texts.shift();
    });
  }

  /** @param paths absolute. */
  grant(paths: readonly string[]): void {
    for (const path of paths) this.#paths.add(resolve(path));
  }

  /** @throws ProblemError `not_allowed` for a path that the user has not given, and does not allow now. */
  async assertPaths(paths: readonly string[]): Promise<void> {
    const foreign = paths.filter((path) => !this.#isGranted(resolve(path)));
    if (foreign.length === 0) return;
    await this.#ask({
      title: this.#words.say('consent.files'),
      button: this.#words.say('consent.allow'),
      lines: foreign,
    });
    this.grant(foreign);
  }

  /** @throws ProblemError `not_allowed` for a link that the user has not pasted or dropped, and does not allow now. */
  async assertLinks(links: readonly string[]): Promise<void> {
    const foreign = links.filter((link) => !this.#texts.some((text) => text.includes(link)));
    if (foreign.length === 0) return;
    await this.#ask({
      title: this.#words.say('consent.links'),
      button: this.#words.say('consent.allow'),
      lines: foreign,
    });
  }

  /**
   * Asks once whether a service may be contacted.
   *
   * @throws ProblemError `not_allowed`.
   */
  async assertService(address: string): Promise<void> {
    if (this.#addresses.has(address)) return;
    await this.#ask({
      title: this.#words.say('consent.service'),
      button: this.#words.say('consent.connect'),
      lines: [address],
    });
    this.#addresses.add(address);
  }

  /**
   * Asks whether files may be replaced.
   *
   * @param examples some of their names
   * @throws ProblemError `not_allowed`.
   */
  async assertReplacing(count: number, examples: readonly string[]): Promise<void> {
    if (count === 0) return;
    await this.#ask({
      title: this.#words.say('consent.replace', { count }),
      button: this.#words.say('consent.replaceButton'),
      lines: count > examples.length ? [...examples, '…'] : examples,
    });
  }

  async #ask({ title, button, lines }: Question): Promise<void> {
    const { response } = await dialog.showMessageBox(this.#window, {
      type: 'question',
      message: title,
      detail: [...lines.slice(0, maxShown).map(shownLine), ...(lines.length > maxShown ? ['…'] : [])].join(
        '\n',
      ),
      buttons: [this.#words.say('consent.cancel'), button],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 0) throw new ProblemError({ code: 'not_allowed' });
  }

  #isGranted(path: string): boolean {
    return this.#paths.has(path) || (dirname(path) !== path && this.#isGranted(dirname(path)));
  }
}
