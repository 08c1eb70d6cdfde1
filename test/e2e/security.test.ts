import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { channels } from '../../electron/contract/bridge.ts';
import { commands, type CommandName } from '../../electron/contract/commands.ts';
import { selfSigned } from '../service/support/certificate.ts';
import { answerQuestions, invokeIn, startProgram } from '../support/built-program.ts';
import { testFolder } from '../support/test-folder.ts';
import { useProgram } from '../support/use-program.ts';

const project = resolve(import.meta.dirname, '../..');
const program = useProgram('once');

beforeAll(() => program.page.getByRole('button', { name: 'Start' }).waitFor());

const names = Object.keys(commands) as readonly CommandName[];
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
  it.each(names)('%s is refused with invalid input', async (name) => {
    const wrong = malformed.filter((input) => !commands[name].input.safeParse(input).success);
    expect(wrong.length).toBeGreaterThan(0);
    for (const input of wrong) {
      expect(await program.invoke(name, input)).toMatchObject({
        ok: false,
        problem: { code: 'input_refused' },
      });
    }
  });

  it.each(['', 'queue', 'constructor', '__proto__', 'toString', 'queue.add ', 'electron-store-get-data'])(
    'that does not exist (%j) is refused',
    async (name) => {
      expect(await program.invoke(name, undefined)).toMatchObject({ ok: false });
    },
  );

  it('with any number of faults is refused with a short reason, which is all that is logged', async () => {
    const inputs = {
      'library.trash': () => ({ ids: Array.from({ length: 100_000 }, () => 'x') }),
      ['x'.repeat(1_000_000)]: () => undefined,
    };
    for (const [name, makeInput] of Object.entries(inputs)) {
      const refused = await program.page.evaluate(
        `longhand.invoke(${JSON.stringify(name)}, (${String(makeInput)})())`,
      );
      const { problem } = refused as { readonly problem: { readonly detail: string } };
      expect(problem.detail.length).toBeLessThan(500);
    }
    const log = await readFile(join(program.data, 'logs', 'longhand.log'), 'utf8');
    expect(Math.max(...log.split('\n').map(({ length }) => length))).toBeLessThan(1000);
  });

  it('from another page of the program is refused', async () => {
    const response = await program.app.evaluate(
      async ({ BrowserWindow }, preload) => {
        const other = new BrowserWindow({
          show: false,
          webPreferences: { preload, sandbox: true, contextIsolation: true },
        });
        await other.loadURL('app://longhand/decoder/index.html');
        const response: unknown = await other.webContents.executeJavaScript(
          "longhand.invoke('settings.get')",
        );
        other.destroy();
        return response;
      },
      resolve(project, 'out/preload/preload.cjs'),
    );
    expect(response).toMatchObject({ ok: false, problem: { code: 'internal' } });
  });
});

describe('the IPC handlers of the main process', () => {
  /** Electron's internal map of the channels with handlers. */
  type Handlers = ReadonlyMap<string, (event: unknown, ...given: unknown[]) => Promise<unknown>>;

  it('exist only for the channels of the program', async () => {
    const handlers = await program.app.evaluate(({ ipcMain }) => [
      ...(Reflect.get(ipcMain, '_invokeHandlers') as Handlers).keys(),
      ...ipcMain.eventNames().map(String),
    ]);
    // Electron's own channels are in capitals.
    const ours = handlers.filter((name) => name !== 'error' && !/^[A-Z_]+$/.test(name));
    const { command, file, dropped, pasted, copying, copied } = channels;
    expect(ours).toStrictEqual([command, file, dropped, pasted, copying, copied]);
  });

  it('reject every frame except the window’s main frame', async () => {
    const serialized = await program.app.evaluate(async ({ BrowserWindow, ipcMain }, channel) => {
      const sender = BrowserWindow.getAllWindows()[0]?.webContents;
      const own = sender?.mainFrame;
      const frames = [
        own,
        null,
        { url: own?.url, parent: own },
        { url: 'https://example.com/', parent: null },
      ];
      const handler = (Reflect.get(ipcMain, '_invokeHandlers') as Handlers).get(channel);
      return Promise.all(frames.map((senderFrame) => handler?.({ sender, senderFrame }, 'app.info')));
    }, channels.command);
    const responses = serialized.map((response) => JSON.parse(String(response)) as unknown);
    expect(responses).toMatchObject([{ ok: true }, { ok: false }, { ok: false }, { ok: false }]);
  });
});

describe('the page', () => {
  it('cannot navigate and cannot open windows', async () => {
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

  it('resolves no names, and has no spelling dictionary', async () => {
    const results = await program.app.evaluate(async ({ session }) => ({
      // A name that resolves on every computer.
      resolved: await session.defaultSession
        .resolveHost('localhost')
        .catch((error: unknown) => String(error)),
      languages: session.defaultSession.getSpellCheckerLanguages(),
    }));
    expect(results).toEqual({ resolved: expect.stringContaining('ERR_NAME_NOT_RESOLVED'), languages: [] });
  });

  it('cannot download', async () => {
    await program.app.evaluate(({ session }) => {
      const downloads: unknown[] = [];
      Object.assign(globalThis, { downloads });
      session.defaultSession.on('will-download', (event, item) =>
        downloads.push([item.getFilename(), event.defaultPrevented]),
      );
    });
    await program.page.evaluate(() => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['text']));
      link.download = 'unwanted.txt';
      link.click();
    });
    // The page's download does not begin. One that begins anyway arrives, is prevented, and is the first.
    await program.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.downloadURL('app://longhand/index.html'),
    );
    const downloads = (): Promise<unknown> =>
      program.app.evaluate(() => (globalThis as { downloads?: readonly unknown[] }).downloads);
    await expect.poll(downloads).toEqual([['index.html', true]]);
  });

  it('can open neither dialogs nor windows of the system, nor speak, nor outlive its document', async () => {
    const { app, page } = program;
    const found = await page.evaluate(() =>
      [
        'showSaveFilePicker',
        'showOpenFilePicker',
        'showDirectoryPicker',
        'documentPictureInPicture',
        'EyeDropper',
        'PresentationRequest',
        'RemotePlayback',
        'speechSynthesis',
        'webkitSpeechRecognition',
        'HTMLFencedFrameElement',
        'fetchLater',
        'SharedWorker',
      ].filter((name) => name in globalThis),
    );
    expect(found).toStrictEqual([]);
    // Playwright would answer dialogs of the page itself, so the main process asks.
    const answers = app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
        '[alert("text"), confirm("text"), print()].map(String)',
        true,
      ),
    );
    expect(await answers).toStrictEqual(['undefined', 'false', 'undefined']);
  });

  it('has no permissions', async () => {
    const outcomes = await program.page.evaluate(async () => {
      const asked: readonly Promise<unknown>[] = [
        navigator.mediaDevices.getUserMedia({ audio: true }),
        new Promise((done, fail) => navigator.geolocation.getCurrentPosition(done, fail)),
        navigator.clipboard.readText(),
      ];
      const settled = await Promise.allSettled(asked);
      return [...settled.map(({ status }) => status), await Notification.requestPermission()];
    });
    expect(outcomes).toStrictEqual(['rejected', 'rejected', 'rejected', 'denied']);
  });

  it('is denied every permission that it requests', async () => {
    const granted = await program.page.evaluate(async () => {
      const names = [
        'geolocation',
        'notifications',
        'camera',
        'microphone',
        'midi',
        'clipboard-read',
        'persistent-storage',
        'screen-wake-lock',
        'window-management',
        'local-fonts',
        'idle-detection',
      ];
      const states = await Promise.all(
        names.map((name) => navigator.permissions.query({ name: name as PermissionName })),
      );
      return states.filter(({ state }) => state === 'granted').map(({ name }) => name);
    });
    expect(granted).toStrictEqual([]);
  });

  it('runs no scripts except its own', async () => {
    const { page } = program;
    const title = await page.title();
    await page.evaluate(async () => {
      const sources = [
        'data:text/javascript,document.title=1',
        URL.createObjectURL(new Blob(['document.title=2'])),
      ];
      const scripts = sources.map((source) =>
        Object.assign(document.createElement('script'), { src: source }),
      );
      const ended = scripts.map((script) => new Promise((done) => (script.onload = script.onerror = done)));
      const inline = Object.assign(document.createElement('script'), { textContent: 'document.title=3' });
      document.head.append(...scripts, inline);
      await Promise.all(ended);
      for (const script of [...scripts, inline]) script.remove();
    });
    expect(await page.title()).toBe(title);
  });

  describe('with servers around it', () => {
    const connections: string[] = [];
    const tcp = createServer((socket) => {
      connections.push('tcp');
      socket.destroy();
    });
    const udp = createSocket('udp4').on('message', () => connections.push('udp'));
    let ports: { readonly tcp: number; readonly udp: number };

    beforeAll(async () => {
      await once(tcp.listen(0, '127.0.0.1'), 'listening');
      await once(udp.bind(0, '127.0.0.1'), 'listening');
      ports = { tcp: (tcp.address() as AddressInfo).port, udp: udp.address().port };
    });

    afterAll(() => {
      tcp.close();
      udp.close();
    });

    it('cannot reach any of them', async () => {
      const { app, page } = program;
      const reached = await page.evaluate(async ({ tcp: port, udp: stunPort }) => {
        const address = `http://127.0.0.1:${port}/`;
        const reached: string[] = [];
        const recordEvent = (name: string, target: EventTarget, good: string): Promise<void> =>
          new Promise((done) => {
            target.addEventListener(good, () => reached.push(name));
            for (const end of [good, 'error']) target.addEventListener(end, () => done());
          });
        const recordResponse = (name: string, response: Promise<unknown>): Promise<unknown> =>
          response.then(
            () => reached.push(name),
            () => undefined,
          );
        const image = new Image();
        const link = (rel: string): void => {
          document.head.append(Object.assign(document.createElement('link'), { rel, href: address }));
        };
        for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'stylesheet', 'icon']) link(rel);
        navigator.sendBeacon(address, 'text');
        const call = new RTCPeerConnection({
          iceServers: [{ urls: `stun:127.0.0.1:${stunPort}` }],
        });
        call.createDataChannel('any');
        const gathered = new Promise<void>((done) =>
          call.addEventListener('icegatheringstatechange', () => {
            if (call.iceGatheringState === 'complete') done();
          }),
        );
        await call.setLocalDescription(await call.createOffer());
        const loaded = recordEvent('image', image, 'load');
        image.src = address;
        await Promise.all([
          loaded,
          recordEvent('events', new EventSource(address), 'open'),
          recordEvent('socket', new WebSocket(address.replace('http', 'ws')), 'open'),
          recordResponse('fetch', fetch(address, { mode: 'no-cors' })),
          recordResponse('transport', new WebTransport(address.replace('http', 'https')).ready),
        ]);
        await gathered;
        call.close();
        return reached;
      }, ports);
      expect(reached).toStrictEqual([]);
      // Nor from where the page's policy does not apply.
      const fetched = await app.evaluate(
        ({ session }, address) =>
          session.defaultSession.fetch(address).then(
            () => 'reached',
            () => 'refused',
          ),
        `http://127.0.0.1:${ports.tcp}/`,
      );
      expect(fetched).toBe('refused');

      // The servers do listen: the last request arrives, and is the first.
      connect(ports.tcp, '127.0.0.1').on('error', () => undefined);
      udp.send('knock', ports.udp, '127.0.0.1');
      await expect.poll(() => connections.length).toBeGreaterThanOrEqual(2);
      expect(connections.toSorted()).toStrictEqual(['tcp', 'udp']);
    });
  });

  it('has no access to Node or Electron', async () => {
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

/** Returns how many databases and how many positions the page has stored; runs in the page. */
const countStored = async (): Promise<readonly number[]> => [
  (await indexedDB.databases()).length,
  Object.keys(localStorage).length,
];

/** Stores a database and a position; runs in the page. */
const storeInPage = (): Promise<void> =>
  new Promise((resolve, reject) => {
    localStorage.setItem('positions', '1');
    const request = indexedDB.open('more');
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error ?? new Error('not stored')));
  });

it('keeps nothing that a page stores but its reading positions', async () => {
  const data = join(await testFolder(), 'data');
  const first = await startProgram(data);
  onTestFinished(first.close);
  await first.page.evaluate(storeInPage);
  const before = await first.page.evaluate(countStored);
  expect(before[0]).toBe(1);
  await first.close();
  const second = await startProgram(data);
  onTestFinished(second.close);
  await expect.poll(() => second.page.evaluate(countStored)).toStrictEqual([0, before[1]]);
});

it('takes from its environment neither trust in any certificate nor programs, and tells dependencies to send nothing', async () => {
  const server = createSecureServer(selfSigned(['127.0.0.1']));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { app, page, close } = await startProgram(join(await testFolder(), 'data'), {
    environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0', NAPI_RS_FORCE_WASI: '1', CHOKIDAR_INTERVAL: '0' },
  });
  onTestFinished(close);
  await answerQuestions(app, 'yes');
  expect(await invokeIn(page, 'service.connect', { baseUrl, key: 'key', use: true })).toMatchObject({
    problem: { code: 'certificate_untrusted' },
  });
  // Windows reads the first from the process that starts a program, and the processes for speech inherit both.
  const environment = await app.evaluate(() => process.env);
  expect(environment).toMatchObject({ NoDefaultCurrentDirectoryInExePath: '1', ORT_DISABLE_TELEMETRY: '1' });
  expect(Object.keys(environment).filter((name) => /^(?:NAPI_RS|CHOKIDAR)_/.test(name))).toStrictEqual([]);
});

it('says in its window that it was started without a sandbox', async () => {
  const { page, close } = await startProgram(join(await testFolder(), 'data'), {
    // The start script of a package decides itself.
    needs: 'checkout',
    environment: { LONGHAND_NO_SANDBOX: '1' },
  });
  onTestFinished(close);
  await expect.poll(() => page.getByText('no sandbox can be set up here').isVisible()).toBe(true);
});
