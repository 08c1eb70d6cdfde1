import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { chromiumSwitches, programEnvironment } from '../../support/built-program.ts';

/** Loaded before a program: reports when its first window is shown with the awaited element, and quits it. */
const reporter = `
  const { app } = require('electron');
  process.argv.splice(process.argv.indexOf('-r'), 2);
  const waiting = \`new Promise((resolve) => {
    const check = () => {
      if (document.querySelector(\${JSON.stringify(process.env.WAIT_FOR)}) === null) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(check);
    observer.observe(document, { childList: true, subtree: true });
    check();
  })\`;
  app.once('browser-window-created', (_event, window) => {
    const shown = new Promise((resolve) => window.once('show', resolve));
    const filled = new Promise((resolve) => {
      window.webContents.once('dom-ready', () => resolve(window.webContents.executeJavaScript(waiting)));
    });
    Promise.all([shown, filled]).then(() => {
      console.log('ready');
      app.quit();
    });
  });`;

/**
 * Returns the milliseconds from the start of an Electron program until its window is shown and has an element. Does not
 * use Playwright, which would lengthen each start.
 *
 * @param folder for a temporary file.
 */
export async function measureStartOf(
  folder: string,
  program: string,
  selector: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const script = join(folder, 'reporter.cjs');
  await writeFile(script, reporter);
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['-r', script, ...chromiumSwitches, program], {
    env: programEnvironment({ ...environment, WAIT_FOR: selector }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const ready = (async () => {
    for await (const line of createInterface(child.stdout)) {
      if (line === 'ready') return performance.now() - startedAt;
    }
    throw new Error(`${program} exited before it showed its window`);
  })();
  try {
    return await ready;
  } finally {
    await ended;
  }
}
