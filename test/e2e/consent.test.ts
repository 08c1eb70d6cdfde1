import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { channels } from '../../electron/contract/bridge.ts';
import { defaultExportScope } from '../../electron/contract/choices.ts';
import { defaultExportChoices } from '../../electron/contract/export.ts';
import {
  answerOpenDialog,
  answerQuestions,
  askedQuestions,
  copyInOtherProgram,
  giveFiles,
} from '../support/built-program.ts';
import { useProgram } from '../support/use-program.ts';

const program = useProgram('once');

beforeAll(() => program.page.getByRole('button', { name: 'Start' }).waitFor());

const asked = () => askedQuestions(program.app);

const copyElsewhere = (text: string) => copyInOtherProgram(program.app, text);

describe('a page that opens dialogs', () => {
  it('gets one at a time', async () => {
    await program.app.evaluate(({ dialog }) => {
      const closed = Promise.withResolvers<void>();
      Object.assign(globalThis, { closeDialog: closed.resolve });
      dialog.showOpenDialog = (async () => {
        await closed.promise;
        return { canceled: true, filePaths: [] };
      }) as typeof dialog.showOpenDialog;
    });
    const first = program.invoke('queue.pick', { what: 'files' });
    expect(await program.invoke('queue.pick', { what: 'folder' })).toMatchObject({
      problem: { code: 'dialog_open' },
    });
    await program.app.evaluate(() => (Reflect.get(globalThis, 'closeDialog') as () => void)());
    expect(await first).toMatchObject({ ok: true });
    expect(await program.invoke('queue.pick', { what: 'folder' })).toMatchObject({ ok: true });
  });
});

describe('a page that names files which the user has not given', () => {
  it.each(['library.import', 'queue.add'])('gets nothing from %s unless the user agrees', async (name) => {
    const secret = program.path(`${name}.txt`);
    await writeFile(secret, 'secret words');
    const rest = name === 'library.import' ? { task: 'one' } : { links: [] };
    const send = (path: string) => program.invoke(name, { paths: [path], ...rest });
    await answerQuestions(program.app, 'no');
    for (const path of [secret, `${program.path('given')}/../${name}.txt`])
      expect(await send(path)).toMatchObject({ ok: false, problem: { code: 'not_allowed' } });
    expect(await asked()).toHaveLength(2);
    // The question shows what it is about, whatever the name contains.
    await send('/etc/\n\u202epasswd');
    expect(await asked()).toContain('/etc/\ufffd\ufffdpasswd');
    // A file that the page has made has no path.
    await program.page.evaluate(() => window.longhand.pathForFile(new File(['x'], '/etc/passwd')));
    expect(await send('/etc/passwd')).toMatchObject({ ok: false });
    await answerQuestions(program.app, 'yes');
    expect(await send(secret)).toMatchObject({ ok: true });
    expect(await asked()).toEqual([secret]);
  });

  it('gets only what a question has named', async () => {
    await answerQuestions(program.app, 'yes');
    const paths = Array.from({ length: 25 }, (_, number) => program.path(`private-${number}.txt`));
    await program.invoke('library.import', { paths, task: 'many' });
    expect(((await asked()) as readonly string[]).flatMap((lines) => lines.split('\n'))).toEqual(paths);
    const hidden = `${program.path('given')}/${'a/'.repeat(200)}${'../'.repeat(201)}private.txt`;
    await answerQuestions(program.app, 'no');
    await program.invoke('library.import', { paths: [hidden], task: 'hidden' });
    expect(await asked()).toEqual([program.path('private.txt')]);
  });

  it('may name what the user has dropped, and what is inside it', async () => {
    await answerQuestions(program.app, 'no');
    const given = program.path('given');
    await mkdir(given);
    await writeFile(join(given, 'talk.txt'), 'words that were dropped');
    await giveFiles(program.page, [given]);
    const report = await program.invoke('library.import', { paths: [join(given, 'talk.txt')], task: 'two' });
    expect(report).toMatchObject({ ok: true });
    expect(await asked()).toEqual([]);
  });
});

it('a link in a given folder, followed by `..`, leads to no file outside of it', async () => {
  await answerQuestions(program.app, 'no');
  const given = program.path('with-link');
  const outside = program.path('elsewhere', 'folder');
  await mkdir(given);
  await mkdir(outside, { recursive: true });
  await symlink(outside, join(given, 'link'), 'junction');
  await writeFile(program.path('elsewhere', 'private.txt'), 'words of someone else');
  await giveFiles(program.page, [given]);
  const path = `${given}/link/../private.txt`;
  expect(await program.invoke('library.import', { paths: [path], task: 'link' })).toMatchObject({
    ok: true,
    value: { added: [], rejected: [{ problem: { code: 'path_missing' } }] },
  });
  expect(await program.invoke('backup.open', { path, task: 'open' })).toMatchObject({
    ok: false,
    problem: { code: 'backup_missing', params: { path: join(given, 'private.txt') } },
  });
  expect(await asked()).toEqual([]);
});

describe('a page that runs foreign code', () => {
  it('cannot contact an address that the user has not confirmed', async () => {
    const requests: unknown[] = [];
    const service = createServer((socket) => requests.push(socket.destroy()));
    await once(service.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void service.close());
    const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const connectTo = () => program.invoke('service.connect', { baseUrl, key: 'key', use: false });
    await answerQuestions(program.app, 'no');
    expect(await connectTo()).toMatchObject({ ok: false, problem: { code: 'not_allowed' } });
    expect(await asked()).toEqual([baseUrl]);
    expect(requests).toHaveLength(0);
    await answerQuestions(program.app, 'yes');
    expect(await connectTo()).toMatchObject({ ok: false, problem: { code: 'service_unavailable' } });
    expect(requests.length).toBeGreaterThan(0);
  });

  it('cannot add a link that the user has not pasted, nor paste one itself', async () => {
    const link = 'https://media.example.org/secret-words.mp3';
    const addLink = () => program.invoke('queue.add', { paths: [], links: [link] });
    await answerQuestions(program.app, 'no');
    await program.page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: clipboardData, bubbles: true }));
    }, link);
    expect(await addLink()).toMatchObject({ ok: false, problem: { code: 'not_allowed' } });
    await answerQuestions(program.app, 'no');
    await copyElsewhere(`Listen: ${link}`);
    await program.page.locator('body').press('ControlOrMeta+v');
    expect(await addLink()).toMatchObject({ ok: true });
    expect(await asked()).toEqual([]);
    await program.invoke('addSheet.close');
  });

  it('asks nothing about links that cannot be fetched', async () => {
    await answerQuestions(program.app, 'no');
    const links = ['http://media.example.org/a.mp3', 'https://youtu.be/a', 'hello'];
    expect(await program.invoke('queue.add', { paths: [], links })).toMatchObject({ ok: true });
    expect(await asked()).toEqual([]);
    await program.invoke('addSheet.close');
  });

  it('cannot use part of a pasted link as a link', async () => {
    await answerQuestions(program.app, 'no');
    await copyElsewhere('https://media.example.community/a.mp3');
    await program.page.locator('body').press('ControlOrMeta+v');
    const part = { paths: [], links: ['https://media.example.com'] };
    expect(await program.invoke('queue.add', part)).toMatchObject({ problem: { code: 'not_allowed' } });
    await program.invoke('addSheet.close');
  });

  it.each(['a command', 'a command with half a character', 'the copy event', 'the selection', 'a drag'])(
    'cannot let the user paste or drop a link of its own: by %s',
    async (way) => {
      const copied = `https://media.example.org/${encodeURIComponent(way)}.mp3`;
      // The clipboard replaces half a character.
      const isHalved = way === 'a command with half a character';
      const link = isHalved ? `${copied}\ufffd` : copied;
      await answerQuestions(program.app, 'no');
      await copyElsewhere(`a text before ${way}`);
      const remove = await program.page.evaluateHandle((text) => {
        const style = 'position: fixed; top: 0; width: 200px; height: 200px; z-index: 99999; left: ';
        const from = Object.assign(document.createElement('div'), { draggable: true, textContent: text });
        const to = document.createElement('div');
        from.style.cssText = `${style}0`;
        to.style.cssText = `${style}300px`;
        from.addEventListener('dragstart', (event) => event.dataTransfer?.setData('text/plain', text));
        to.addEventListener('dragover', (event) => event.preventDefault());
        document.body.append(from, to);
        const onCopy = (event: ClipboardEvent): void => {
          event.clipboardData?.setData('text/plain', text);
          event.clipboardData?.setData('text/uri-list', text);
          event.preventDefault();
        };
        document.addEventListener('copy', onCopy);
        return () => {
          document.removeEventListener('copy', onCopy);
          for (const one of [from, to]) one.remove();
        };
      }, copied);
      const { keyboard, mouse } = program.page;
      if (way === 'a command') await program.invoke('transcript.copy', { text: link });
      if (isHalved) await program.invoke('transcript.copy', { text: `${copied}\ud800` });
      if (way === 'the copy event') {
        await program.page.evaluate(() => getSelection()?.selectAllChildren(document.body));
        await keyboard.press('ControlOrMeta+c');
      }
      if (way === 'the selection') {
        await program.page.evaluate((text) => {
          const field = Object.assign(document.createElement('input'), { value: text });
          field.style.cssText =
            'position: fixed; top: 0; left: 300px; width: 200px; height: 200px; z-index: 100000';
          field.addEventListener('mousedown', () => field.select());
          field.addEventListener('paste', () => field.remove());
          document.body.append(field);
        }, copied);
        await mouse.click(350, 60, { button: 'middle' });
      } else if (way === 'a drag') {
        await mouse.move(50, 50);
        await mouse.down();
        for (const x of [100, 350, 360]) await mouse.move(x, 60);
        await mouse.up();
      } else {
        const read = () => program.app.evaluate(({ clipboard }) => clipboard.readText());
        await vi.waitUntil(async () => (await read()) === link);
        await program.page.locator('body').press('ControlOrMeta+v');
      }
      await program.page.evaluate((undo) => undo(), remove);
      const response = await program.invoke('queue.add', { paths: [], links: [link] });
      await program.invoke('addSheet.close');
      expect(response).toMatchObject({ ok: false, problem: { code: 'not_allowed' } });
      expect(await asked()).toContain(link);
    },
  );

  it('asks nothing about a link that the user copied in another program after the page had copied', async () => {
    const link = 'https://media.example.org/from-elsewhere.mp3';
    await answerQuestions(program.app, 'no');
    await program.invoke('transcript.copy', { text: link.toUpperCase() });
    await copyElsewhere(link);
    await program.page.locator('body').press('ControlOrMeta+v');
    expect(await program.invoke('queue.add', { paths: [], links: [link] })).toMatchObject({ ok: true });
    expect(await asked()).toEqual([]);
    await program.invoke('addSheet.close');
  });

  it('cannot replace a file when it exports', async () => {
    const folder = program.path('exports');
    const words = program.path('words.txt');
    await mkdir(folder);
    await writeFile(words, 'words of a transcript');
    await answerOpenDialog(program.app, folder);
    await program.invoke('export.chooseFolder');
    await giveFiles(program.page, [words]);
    await program.invoke('library.import', { paths: [words], task: 'three' });
    const listed = (await program.invoke('library.ids', {
      query: '',
      tag: null,
      sort: 'newest',
      trash: false,
    })) as { readonly value: readonly number[] };
    const request = {
      ...defaultExportChoices,
      ids: listed.value,
      formats: ['txt'],
      template: 'diary',
      where: 'folder',
      existing: 'replace',
      scope: defaultExportScope,
    };
    const diary = join(folder, 'diary.txt');
    await writeFile(diary, 'private');
    // While the question is open, the page changes which files would be replaced.
    await writeFile(join(folder, 'words.txt'), 'words');
    await answerQuestions(program.app, 'yes');
    await program.app.evaluate(({ dialog, BrowserWindow }, ids) => {
      const showMessageBox = dialog.showMessageBox;
      dialog.showMessageBox = (async (
        window: Electron.BrowserWindow,
        options: Electron.MessageBoxOptions,
      ) => {
        const code = `longhand.invoke('library.rename', { id: ${ids[0]}, name: 'diary' })`;
        await BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code);
        return showMessageBox(window, options);
      }) as typeof dialog.showMessageBox;
    }, listed.value);
    const renamed = await program.invoke('export.run', { ...request, template: '{name}' });
    expect(await asked()).toEqual([`words.txt\n\nIn “${folder}”`]);
    expect(renamed).toMatchObject({ ok: false, problem: { code: 'files_changed' } });
    expect(await readFile(diary, 'utf8')).toBe('private');
    await answerQuestions(program.app, 'no');
    expect(await program.invoke('export.run', request)).toMatchObject({
      ok: false,
      problem: { code: 'not_allowed' },
    });
    expect(await asked()).toEqual([`diary.txt\n\nIn “${folder}”`]);
    expect(await readFile(diary, 'utf8')).toBe('private');
    await answerQuestions(program.app, 'yes');
    expect(await program.invoke('export.run', request)).toMatchObject({ ok: true });
    expect(await readFile(diary, 'utf8')).not.toBe('private');
  });

  it('cannot let the user paste in a new document what was copied before, when it could copy unnoticed', async () => {
    const link = 'https://media.example.org/before-the-reload.mp3';
    await answerQuestions(program.app, 'no');
    await copyElsewhere(link);
    await program.page.reload();
    await program.page.locator('#root > *').first().waitFor({ state: 'attached' });
    await program.page.locator('body').press('ControlOrMeta+v');
    expect(await program.invoke('queue.add', { paths: [], links: [link] })).toMatchObject({
      problem: { code: 'not_allowed' },
    });
    expect(await asked()).toContain(link);
  });

  // After the others, because what it does to its timers leaves the copy unfinished: then every link is asked about.
  it('cannot let the user paste a link of its own that it copies when another program comes to the front', async () => {
    const link = 'https://media.example.org/prolonged.mp3';
    await answerQuestions(program.app, 'no');
    await copyElsewhere('a text before the prolonged copy');
    await program.app.evaluate(({ BrowserWindow, ipcMain }, channel) => {
      const [window] = BrowserWindow.getAllWindows();
      ipcMain.once(channel, () => window?.emit('blur'));
    }, channels.copying);
    await program.page.evaluate((text) => {
      document.addEventListener('copy', (event) => {
        for (const end = performance.now() + 1000; performance.now() < end;);
        event.clipboardData?.setData('text/plain', text);
        event.preventDefault();
      });
      document.execCommand('copy');
      const last = window.setTimeout(() => undefined);
      for (let timer = 0; timer <= last; timer += 1) clearTimeout(timer);
    }, link);
    await vi.waitUntil(
      async () => (await program.app.evaluate(({ clipboard }) => clipboard.readText())) === link,
    );
    await program.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('focus'));
    await program.page.locator('body').press('ControlOrMeta+v');
    expect(await program.invoke('queue.add', { paths: [], links: [link] })).toMatchObject({
      problem: { code: 'not_allowed' },
    });
    expect(await asked()).toContain(link);
  });

  // The last one: Playwright cannot use a page that has crashed.
  it('is closed when it adds a frame, where it could copy unnoticed', async () => {
    const closed = program.page.waitForEvent('crash');
    const addFrame = 'document.body.append(document.createElement("iframe"))';
    await program.page.evaluate(addFrame).catch(() => undefined);
    expect(await closed).toBe(program.page);
  });
});
