import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels, type Bridge, type PackedAnswer } from './contract/bridge.ts';

/** The listeners to events of the main process, by event name. */
const listeners = new Map<unknown, Set<(payload: string) => void>>();

// One listener for the whole page: with one per subscription, Node would warn of a leak.
ipcRenderer.on(channels.event, (_event, name: unknown, payload: unknown) => {
  // The main process sends the payloads of `Events` as JSON, with the event's name as the channel.
  for (const listener of listeners.get(name) ?? []) listener(payload as string);
});

/** The API from which the page's world builds its bridge. */
const transport = {
  invoke: (name: string, input: unknown) =>
    ipcRenderer.invoke(channels.command, name, input) as Promise<PackedAnswer>,
  on: (name: string, listener: (payload: string) => void) => {
    const those = listeners.get(name) ?? new Set();
    listeners.set(name, those.add(listener));
    return () => those.delete(listener);
  },
  pathForFile: (file: File) => {
    // The system fills it in: it is empty for a file that the page has made.
    const path = webUtils.getPathForFile(file);
    if (path !== '') ipcRenderer.send(channels.file, path);
    return path;
  },
};

/** Maximum UTF-16 units of a text that is passed on. */
const maxText = 2_000_000;

/** Passes on what the user pastes or drops, so that commands may name the links in it. */
function giveText(event: Event, data: DataTransfer | null): void {
  // The page can make such events as well, but no trusted ones.
  if (!event.isTrusted || data === null) return;
  for (const text of [data.getData('text/uri-list'), data.getData('text/plain')])
    if (text.includes('://')) ipcRenderer.send(channels.text, text.slice(0, maxText));
}
addEventListener('paste', (event) => giveText(event, event.clipboardData), true);
addEventListener('drop', (event) => giveText(event, event.dataTransfer), true);

contextBridge.executeInMainWorld({
  // Passed as source, so it cannot use anything from this file.
  func: (given: typeof transport) => {
    const bridge: Bridge = Object.freeze({
      invoke: async (name, input) => {
        const packed = await given.invoke(name, input);
        return typeof packed === 'string' ? JSON.parse(packed) : packed;
      },
      on: (name, listener) => given.on(name, (payload) => listener(JSON.parse(payload))),
      pathForFile: given.pathForFile,
    } satisfies Bridge);
    Object.defineProperty(globalThis, 'longhand', { value: bridge, enumerable: true });
  },
  args: [transport],
});
