import { dirname, resolve } from 'node:path';
import { clipboard, ipcMain, type BrowserWindow } from 'electron';
import { windowDialogs } from './window-dialogs.ts';
import { channels } from '../contract/bridge.ts';
import { ProblemError } from '../contract/problem.ts';
import { inspectLink } from '../core/media/inspect-files.ts';
import { invisible } from '../core/file-name.ts';
import type { ReplacedFiles } from '../core/library/export/export-task.ts';
import type { Translator } from '../core/translator.ts';
import { givenLinks } from './given-links.ts';
import { isOwnFrame } from './pages/pages.ts';

/** Maximum entries per question, so that the user sees everything they allow. */
const maxShown = 10;
/** UTF-16 units of the start of a line that are shown: enough for the longest host of a link. */
const shownFromStart = 280;
const shownFromEnd = 120;
/** Pasted and dropped texts that are remembered. */
const maxTexts = 20;

/** Makes invisible characters visible, and shortens a line to fit the dialog. */
function formatLine(line: string): string {
  const visible = line.replaceAll(invisible, '\ufffd');
  if (visible.length <= shownFromStart + shownFromEnd) return visible;
  return `${visible.slice(0, shownFromStart)}…${visible.slice(-shownFromEnd)}`;
}

/**
 * Returns the text on the clipboard; `null` if it cannot be read, for example while another Windows program has it
 * open.
 */
const readClipboard = async (): Promise<string | null> => {
  try {
    return await clipboard.readText();
  } catch {
    return null;
  }
};

/** A question to the user, and the button that gives consent. */
interface Question {
  readonly title: string;
  readonly button: string;
  readonly lines: readonly string[];
}

/**
 * Tracks which paths and links the user has supplied. Files and folders: those that were dropped, pasted, picked in a
 * dialog of the system or named at the start, and what is inside them. Links: those in texts that were pasted or
 * dropped. Anything else, a new service and the replacement of files need the answer to a question that the page cannot
 * give: a page that runs untrusted code could name every file and every address.
 */
export class UserConsent {
  readonly #paths = new Set<string>();
  /** UTF-16 units of the longest of them. */
  #maxPathLength = 0;
  /** The links of each text that the user pasted or dropped. */
  readonly #links: Promise<ReadonlySet<string>>[] = [];
  /**
   * The text that the clipboard got while another program was in front. Only the links in it are granted by a paste: the
   * page can change the clipboard only while its own window is in front.
   */
  #supplied = Promise.resolve('');
  /**
   * The clipboard when the user turned to another program; `null` if the page was copying at that time or has begun to
   * copy since. A page may never finish copying: the user is then asked about each link. Until the window is first in
   * front, the clipboard is not read, and nothing on it is from the page.
   */
  #clipboardAtBlur: Promise<string | null> | null = Promise.resolve('');
  /** How many changes of the clipboard the page has begun, and how many of them have ended. */
  #begunCopies = 0;
  #endedCopies = 0;
  /** The addresses of services that the user has allowed. */
  readonly #addresses = new Set<string>();
  readonly #window: BrowserWindow;
  readonly #translator: Translator;

  constructor(window: BrowserWindow, translator: Translator) {
    this.#window = window;
    this.#translator = translator;
    const { webContents } = window;
    // Only the preload script can send these.
    const onMessage = (channel: string, handle: (text: string) => void): void => {
      ipcMain.on(channel, ({ sender, senderFrame }, text: unknown) => {
        if (sender === webContents && isOwnFrame(senderFrame) && typeof text === 'string') handle(text);
      });
    };
    onMessage(channels.file, (path) => this.grant([path]));
    onMessage(channels.dropped, (text) => this.#remember(Promise.resolve(text)));
    onMessage(channels.pasted, () => this.#remember(this.#supplied));
    onMessage(channels.copying, () => this.#beginCopy());
    onMessage(channels.copied, () => this.#endCopy());
    webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) this.#forgetTexts();
    });
    window.on('blur', () => {
      this.#clipboardAtBlur = this.#begunCopies === this.#endedCopies ? readClipboard() : null;
    });
    window.on('focus', () => this.#onFocus());
    if (window.isFocused()) this.#onFocus();
  }

  #onFocus(): void {
    if (this.#clipboardAtBlur !== null)
      this.#supplied = this.#suppliedText(this.#supplied, this.#clipboardAtBlur);
  }

  #remember(text: Promise<string>): void {
    this.#links.push(text.then(givenLinks));
    if (this.#links.length > maxTexts) this.#links.shift();
  }

  /**
   * Forgets the texts that the user has supplied. A page can remove the listeners of the preload script, and then copy
   * unnoticed; but it has them again only in a new document.
   */
  #forgetTexts(): void {
    this.#supplied = Promise.resolve('');
    this.#clipboardAtBlur = null;
    this.#links.length = 0;
  }

  /**
   * Returns what the user supplies after returning from another program: the clipboard, or `textBefore` if it is unchanged
   * or cannot be read, or the page begins to copy meanwhile.
   */
  async #suppliedText(textBefore: Promise<string>, atBlur: Promise<string | null>): Promise<string> {
    const begunCopies = this.#begunCopies;
    const [before, now] = [await atBlur, await readClipboard()];
    const isSupplied = before !== null && now !== null && now !== before && begunCopies === this.#begunCopies;
    return isSupplied ? now : textBefore;
  }

  #beginCopy(): void {
    this.#begunCopies += 1;
    this.#clipboardAtBlur = null;
  }

  #endCopy(): void {
    this.#endedCopies += 1;
  }

  /** Puts a text of the page on the clipboard. Pasting it gives the page no links. */
  async copy(text: string): Promise<void> {
    this.#beginCopy();
    try {
      await clipboard.writeText(text);
    } finally {
      this.#endCopy();
    }
  }

  /**
   * Records paths that the user has supplied. Paths inside of folders that were granted before are not stored: a page
   * may name any number.
   *
   * @param paths absolute.
   */
  grant(paths: readonly string[]): void {
    for (const path of paths.map((one) => resolve(one))) {
      if (this.#isGranted(path)) continue;
      this.#paths.add(path);
      this.#maxPathLength = Math.max(this.#maxPathLength, path.length);
    }
  }

  /**
   * Returns the paths in the normalized form that was checked. Open only this form: in another one, the system would follow
   * a symbolic link before a `..` after it, and open another file.
   *
   * @throws ProblemError `not_allowed` for a path that the user has not given, and does not allow now.
   */
  async allowedPaths(paths: readonly string[]): Promise<readonly string[]> {
    const resolved = paths.map((path) => resolve(path));
    const ungranted = resolved.filter((path) => !this.#isGranted(path));
    await this.#askAll(ungranted, (lines) => ({
      title: this.#translator.translate('consent.files'),
      button: this.#translator.translate('consent.allow'),
      lines,
    }));
    this.grant(ungranted);
    return resolved;
  }

  /**
   * Checks links. Does not ask about those that are rejected anyway, before any request.
   *
   * @throws ProblemError `not_allowed` for a link that the user has not pasted or dropped, and does not allow now.
   */
  async confirmLinks(links: readonly string[]): Promise<void> {
    const linksOfTexts = await Promise.all(this.#links);
    const ungranted = links.filter(
      (link) => inspectLink(link).kind === 'link' && !linksOfTexts.some((ofText) => ofText.has(link)),
    );
    await this.#askAll(ungranted, (lines) => ({
      title: this.#translator.translate('consent.links', { count: lines.length }),
      button: this.#translator.translate('consent.fetch'),
      lines,
    }));
  }

  /**
   * Asks once whether a service may be contacted.
   *
   * @throws ProblemError `not_allowed`.
   */
  async confirmService(address: string): Promise<void> {
    if (this.#addresses.has(address)) return;
    await this.#ask({
      title: this.#translator.translate('consent.service'),
      button: this.#translator.translate('consent.connect'),
      lines: [address],
    });
    this.#addresses.add(address);
  }

  /** Asks again the next time that a service is to be contacted. */
  forgetService(address: string): void {
    this.#addresses.delete(address);
  }

  /**
   * Asks whether the key of an account may be replaced.
   *
   * @throws ProblemError `not_allowed`.
   */
  confirmNewKey(address: string): Promise<void> {
    return this.#ask({
      title: this.#translator.translate('consent.newKey'),
      button: this.#translator.translate('consent.replaceKey'),
      lines: [address],
    });
  }

  /**
   * Asks whether files may be replaced.
   *
   * @throws ProblemError `not_allowed`.
   */
  async confirmReplacing({
    count,
    examples,
    folders,
    folderCount,
  }: Omit<ReplacedFiles, 'digest'>): Promise<void> {
    if (count === 0) return;
    const moreFolders = folderCount - folders.length;
    await this.#ask({
      title: this.#translator.translate('consent.replace', { count }),
      button: this.#translator.translate('consent.replaceButton'),
      lines: [
        ...examples,
        ...(count > examples.length ? ['…'] : []),
        '',
        ...folders.map((folder) => this.#translator.translate('consent.replaceIn', { folder })),
        ...(moreFolders > 0
          ? [this.#translator.translate('consent.replaceInMore', { count: moreFolders })]
          : []),
      ],
    });
  }

  /** Asks about everything in `lines`, in as many questions as it takes to show it. */
  async #askAll(lines: readonly string[], question: (lines: readonly string[]) => Question): Promise<void> {
    for (let from = 0; from < lines.length; from += maxShown)
      await this.#ask(question(lines.slice(from, from + maxShown)));
  }

  async #ask({ title, button, lines }: Question): Promise<void> {
    const { response } = await windowDialogs.showMessageBox(this.#window, {
      type: 'question',
      message: title,
      detail: lines.map(formatLine).join('\n'),
      buttons: [this.#translator.translate('consent.cancel'), button],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 0) throw new ProblemError({ code: 'not_allowed' });
  }

  /** Parents longer than every granted path are not looked up: a page may name paths of thousands of folders. */
  #isGranted(path: string): boolean {
    for (let parent = path; ; parent = dirname(parent)) {
      if (parent.length <= this.#maxPathLength && this.#paths.has(parent)) return true;
      if (dirname(parent) === parent) return false;
    }
  }
}
