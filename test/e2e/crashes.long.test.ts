import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startProgram } from '../support/built-program.ts';
import { testFolder } from '../support/test-folder.ts';

describe('an error that nothing handles', () => {
  it('is shown with what to do and logged, ends the program, and does not prevent the next start', async () => {
    const folder = await testFolder();
    const data = join(folder, 'data');
    const { app } = await startProgram(data);
    const exited = once(app.process(), 'exit');
    const shown = join(folder, 'shown.txt');
    await app.evaluate(({ dialog }, file) => {
      const { writeFileSync } = process.getBuiltinModule('node:fs');
      dialog.showErrorBox = (title, text) => writeFileSync(file, `${title}: ${text}`);
      // In a later task, so that this call does not fail.
      setTimeout(() => {
        throw new Error('the error of a test');
      });
    }, shown);
    expect(await exited).toEqual([1, null]);
    const text = await readFile(shown, 'utf8');
    expect(text).toMatch(/^Longhand: Something went wrong inside Longhand\. Try again/);
    expect(text).toContain('the error of a test');
    expect(await readFile(join(data, 'logs/longhand.log'), 'utf8')).toContain('the program ends');

    const restarted = await startProgram(data);
    onTestFinished(() => restarted.close());
    await restarted.page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  });
});

describe('a problem that the user can solve', () => {
  it('is shown with a button that starts the program again', async () => {
    const folder = await testFolder();
    const { app } = await startProgram(join(folder, 'data'));
    const exited = once(app.process(), 'exit');
    const shown = join(folder, 'shown.json');
    await app.evaluate(({ app: program, dialog }, file) => {
      const { writeFileSync } = process.getBuiltinModule('node:fs');
      const record: unknown[] = [];
      dialog.showMessageBoxSync = (...given: unknown[]) => {
        record.push(given.at(-1));
        return 0;
      };
      program.relaunch = (options) => {
        record.push(options);
        writeFileSync(file, JSON.stringify(record));
      };
      setTimeout(() => {
        throw new Error('The database connection is not open');
      });
    }, shown);
    expect(await exited).toEqual([1, null]);
    expect(JSON.parse(await readFile(shown, 'utf8'))).toMatchObject([
      {
        message: expect.stringContaining('is using this data folder'),
        buttons: ['Try again', 'Quit Longhand'],
        cancelId: 1,
      },
      { args: expect.any(Array) },
    ]);
  });
});

describe('a page that crashes', () => {
  it('leaves its report in the data folder', async () => {
    const folder = await testFolder();
    const { app, close } = await startProgram(folder);
    onTestFinished(close);
    await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    const reports = async (): Promise<readonly string[]> =>
      (await readdir(join(folder, 'crashes'), { recursive: true })).filter((name) => name.endsWith('.dmp'));
    await expect.poll(async () => (await reports()).length).toBeGreaterThan(0);
  });
});

describe('a page that is to be closed', () => {
  it.each(['refuses', 'does not respond'])('cannot keep the program alive when it %s', async (how) => {
    const { app, page } = await startProgram(await testFolder());
    const child = app.process();
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    page.on('dialog', (question) => void question.dismiss().catch(() => undefined));
    await app.evaluate(
      ({ app: program, BrowserWindow }, code) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        // Chromium asks only pages that the user has used.
        void contents?.executeJavaScript(`addEventListener('beforeunload', (event) => { ${code} });`, true);
        setTimeout(() => program.quit(), 100);
      },
      how === 'refuses' ? 'event.preventDefault()' : 'for (;;);',
    );
    expect(await exited).toEqual([0, null]);
  });
});
