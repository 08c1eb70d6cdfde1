import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startProgram, type RunningProgram } from '../support/built-program.ts';

// Where the window opens, as seen by a user from the first moment on.

const recorder = resolve(import.meta.dirname, '../support/window-record.cjs');

/** Starts the program with a stored window state; `null` for a first start. */
async function startWith(state: unknown): Promise<RunningProgram & { readonly data: string }> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const data = join(folder.path, 'data');
  await mkdir(data);
  if (state !== null) await writeFile(join(data, 'window.json'), JSON.stringify(state));
  const program = await startProgram(data, { preload: recorder });
  onTestFinished(() => program.close());
  await expect.poll(() => recordOf(program)).toContain('show');
  return { ...program, data };
}

const recordOf = ({ app }: RunningProgram): Promise<readonly string[]> =>
  app.evaluate(() => (globalThis as unknown as { windowRecord: readonly string[] }).windowRecord);

const boundsOf = ({ app }: RunningProgram): Promise<Electron.Rectangle> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBounds());

/** Returns the displays as the program sees them. */
const displaysOf = ({ app }: RunningProgram): Promise<readonly Electron.Rectangle[]> =>
  app.evaluate(({ screen }) => screen.getAllDisplays().map(({ workArea }) => workArea));

it('opens at its previous position, and does not move once it is visible', async () => {
  const bounds = { x: 140, y: 90, width: 900, height: 600 };
  const program = await startWith({ bounds });
  expect(await boundsOf(program)).toEqual(bounds);
  await program.page.getByRole('button', { name: 'Start' }).waitFor();
  const record = await recordOf(program);
  expect(record.slice(record.indexOf('show') + 1)).toEqual([]);
});

it('opens on an existing display when its own was disconnected', async () => {
  const program = await startWith({ bounds: { x: 9000, y: 90, width: 900, height: 600 } });
  const { x, y, width, height } = await boundsOf(program);
  expect([width, height]).toEqual([900, 600]);
  const around = (await displaysOf(program)).filter(
    (area) =>
      x >= area.x && y >= area.y && x + width <= area.x + area.width && y + height <= area.y + area.height,
  );
  expect(around).toHaveLength(1);
});

it('has its previous size before it is visible', async () => {
  const program = await startWith({ bounds: null, maximised: true });
  const record = await recordOf(program);
  expect(record.indexOf('maximize')).toBeGreaterThanOrEqual(0);
  expect(record.indexOf('maximize')).toBeLessThan(record.indexOf('show'));
  expect(record).not.toContain('setFullScreen');
});

it('opens at the default position for any file content, and replaces the file with a valid one', async () => {
  const program = await startWith({
    bounds: { x: 'left' },
    maximised: 7,
    fullScreen: {},
    closeNoticeShown: [],
  });
  await program.page.getByRole('button', { name: 'Start' }).waitFor();
  expect(await recordOf(program)).not.toContain('maximize');
  await program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setSize(1000, 700));
  const readWindowFile = (): Promise<string> => readFile(join(program.data, 'window.json'), 'utf8');
  await expect.poll(readWindowFile).toMatch(/"width": 1000,\s*"height": 700/);
  expect(JSON.parse(await readWindowFile())).toMatchObject({ maximised: false, fullScreen: false });
});
