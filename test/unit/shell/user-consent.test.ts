import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { channels } from '../../../electron/contract/bridge.ts';
import { UserConsent } from '../../../electron/shell/user-consent.ts';
import { Translator } from '../../../electron/core/translator.ts';

const electron = await vi.hoisted(async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  return { text: '', reads: 0, questions: 0, detail: '', ipcMain: new Emitter() };
});

vi.mock('electron', () => ({
  ipcMain: electron.ipcMain,
  clipboard: {
    readText: async () => {
      electron.reads += 1;
      return electron.text;
    },
  },
  dialog: {
    showMessageBox: async (...given: readonly { readonly detail?: string }[]) => {
      electron.questions += 1;
      electron.detail = given.at(-1)?.detail ?? '';
      return { response: 0 };
    },
  },
}));
vi.mock('../../../electron/shell/pages/pages.ts', () => ({ isOwnFrame: () => true }));

const link = 'https://media.example.org/talk.mp3';
const webContents = new EventEmitter();
let window: EventEmitter;
let consent: UserConsent;

const send = (channel: string): boolean =>
  electron.ipcMain.emit(channel, { sender: webContents, senderFrame: null }, '');

beforeEach(async () => {
  Object.assign(electron, { text: link, reads: 0, questions: 0 });
  electron.ipcMain.removeAllListeners();
  window = Object.assign(new EventEmitter(), {
    webContents,
    isDestroyed: () => false,
    isFocused: () => false,
  });
  consent = new UserConsent(window as unknown as BrowserWindow, await Translator.load());
});

it('reads the clipboard only once the window is in front, and then grants what was there before', async () => {
  await Promise.resolve();
  expect(electron.reads).toBe(0);
  window.emit('focus');
  send(channels.pasted);
  await consent.confirmLinks([link]);
  expect(electron.reads).toBe(1);
  expect(electron.questions).toBe(0);
});

it('grants nothing that the page may have copied before the window was in front', async () => {
  send(channels.copying);
  send(channels.copied);
  window.emit('focus');
  send(channels.pasted);
  await expect(consent.confirmLinks([link])).rejects.toMatchObject({ problem: { code: 'not_allowed' } });
  expect(electron.questions).toBe(1);
});

it('names the folders of the files to replace, and says how many more there are', async () => {
  const one = { count: 2, examples: ['a.srt', 'a.txt'], folders: ['/talks/Interviews'], folderCount: 1 };
  await expect(consent.confirmReplacing(one)).rejects.toMatchObject({ problem: { code: 'not_allowed' } });
  expect(electron.detail).toBe('a.srt\na.txt\n\nIn “/talks/Interviews”');
  const many = { count: 9, examples: ['a.srt'], folders: ['/a', '/b'], folderCount: 9 };
  await expect(consent.confirmReplacing(many)).rejects.toMatchObject({ problem: { code: 'not_allowed' } });
  expect(electron.detail).toBe('a.srt\n…\n\nIn “/a”\nIn “/b”\nand in 7 more folders');
});
