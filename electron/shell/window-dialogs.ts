import { dialog, type BrowserWindow } from 'electron';
import { ProblemError } from '../contract/problem.ts';

/** The windows with an open dialog. */
const busy = new WeakSet<BrowserWindow>();

/** Shows a dialog unless the window has one. @throws ProblemError `dialog_open`. */
async function showAlone<T>(window: BrowserWindow, show: () => Promise<T>): Promise<T> {
  if (busy.has(window)) throw new ProblemError({ code: 'dialog_open' });
  busy.add(window);
  try {
    return await show();
  } finally {
    busy.delete(window);
  }
}

/**
 * The native dialogs that the page can cause. A window has one at a time: each is modal, so only a compromised page
 * asks for another one, and it could ask for any number.
 */
export const windowDialogs = {
  showOpenDialog: (window: BrowserWindow, options: Electron.OpenDialogOptions) =>
    showAlone(window, () => dialog.showOpenDialog(window, options)),
  showSaveDialog: (window: BrowserWindow, options: Electron.SaveDialogOptions) =>
    showAlone(window, () => dialog.showSaveDialog(window, options)),
  showMessageBox: (window: BrowserWindow, options: Electron.MessageBoxOptions) =>
    showAlone(window, () => dialog.showMessageBox(window, options)),
};
