import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandSchemas, type CommandName } from '../../electron/contract/commands.ts';
import { useProgram } from '../support/used-program.ts';

const project = resolve(import.meta.dirname, '../..');
const program = useProgram('once');

beforeAll(() => program.page.getByRole('button', { name: 'Start' }).waitFor());

const names = Object.keys(commandSchemas) as readonly CommandName[];
const malformed: readonly unknown[] = [
  null,
  0,
  'text',
  [],
  [1, 2],
  { surplus: true },
  { ids: ['1'] },
  { id: -1 },
  { id: 1.5, ids: {}, paths: [0] },
];

describe('a command', () => {
  it.each(names)('%s is refused with what it does not take', async (name) => {
    const wrong = malformed.filter((input) => !commandSchemas[name].safeParse(input).success);
    expect(wrong.length).toBeGreaterThan(0);
    for (const input of wrong) {
      expect(await program.invoke(name, input)).toMatchObject({ ok: false, problem: { code: 'internal' } });
    }
  });

  it.each(['', 'queue', 'constructor', '__proto__', 'toString', 'queue.add ', 'electron-store-get-data'])(
    'that does not exist (%j) is refused',
    async (name) => {
      expect(await program.invoke(name, undefined)).toMatchObject({ ok: false });
    },
  );

  it('from another page of the program is refused', async () => {
    const answer = await program.app.evaluate(
      async ({ BrowserWindow }, preload) => {
        const other = new BrowserWindow({
          show: false,
          webPreferences: { preload, sandbox: true, contextIsolation: true },
        });
        await other.loadURL('app://longhand/decoder/index.html');
        const told: unknown = await other.webContents.executeJavaScript("longhand.invoke('settings.get')");
        other.destroy();
        return told;
      },
      resolve(project, 'out/preload/preload.cjs'),
    );
    expect(answer).toMatchObject({ ok: false, problem: { code: 'internal' } });
  });
});

describe('the page', () => {
  it('goes nowhere and opens nothing', async () => {
    const { app, page } = program;
    const opened = await page.evaluate(() => {
      const other = window.open('https://example.com/');
      location.href = 'https://example.com/';
      location.assign('file:///etc/passwd');
      const link = document.createElement('a');
      link.href = 'https://example.com/';
      link.target = '_blank';
      document.body.append(link);
      link.click();
      link.remove();
      return other === null;
    });
    expect(opened).toBe(true);
    expect(page.url()).toBe('app://longhand/index.html');
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  it('is given no permission', async () => {
    const answers = await program.page.evaluate(async () => {
      const asked: readonly Promise<unknown>[] = [
        navigator.mediaDevices.getUserMedia({ audio: true }),
        new Promise((done, fail) => navigator.geolocation.getCurrentPosition(done, fail)),
        navigator.clipboard.readText(),
      ];
      const settled = await Promise.allSettled(asked);
      return [...settled.map(({ status }) => status), await Notification.requestPermission()];
    });
    expect(answers).toStrictEqual(['rejected', 'rejected', 'rejected', 'denied']);
  });

  it('reaches no network, also where its policy does not bind', async () => {
    const failed = await program.app.evaluate(async ({ session }) => {
      const reach = (url: string): Promise<boolean> =>
        session.defaultSession.fetch(url).then(
          () => false,
          () => true,
        );
      return Promise.all(['https://example.com/', 'http://127.0.0.1:9/', 'file:///etc/hosts'].map(reach));
    });
    expect(failed).toStrictEqual([true, true, true]);
  });

  it('has nothing of Node or Electron', async () => {
    const found = await program.page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter(
        (name) => name in globalThis,
      ),
    );
    expect(found).toStrictEqual([]);
    expect(await program.page.evaluate(() => Object.keys(window.longhand).toSorted())).toStrictEqual([
      'invoke',
      'on',
      'pathForFile',
    ]);
  });
});
