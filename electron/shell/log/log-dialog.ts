import { basename } from 'node:path';
import { app, dialog, type BrowserWindow } from 'electron';
import { saveLog } from './log-report.ts';

/** Asks where to, and saves the log for the user to send. @throws the system's error when it cannot be written. */
export async function saveLogThroughDialog(
  window: BrowserWindow,
  dataFolder: string,
): Promise<{ readonly name: string | null }> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: 'longhand-log.txt' });
  if (canceled || filePath === '') return { name: null };
  await saveLog(dataFolder, filePath, app.getVersion());
  return { name: basename(filePath) };
}
