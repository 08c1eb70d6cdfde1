import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels, type Bridge, type PackedAnswer } from './contract/bridge.ts';

/** The listeners to events of the main process, by event name. */
const listeners = new Map<unknown, Set<(payload: string) => void>>();

// One listener for the whole page: with one per subscription, Node would warn of a leak.
ipcRenderer.on(channels.event, (_event, name: unknown, payload: unknown) => {
  // The main process sends the payloads of `Events` as JSON, with the event's name as the channel.
  for (const listener of listeners.get(name) ?? []) listener(payload as string);
});

/** The functions from which the page's own context builds its bridge. */
const transport = {
  invoke: (name: string, input: unknown) =>
    ipcRenderer.invoke(channels.command, name, input) as Promise<PackedAnswer>,
  on: (name: string, listener: (payload: string) => void) => {
    const eventListeners = listeners.get(name) ?? new Set();
    listeners.set(name, eventListeners.add(listener));
    return () => eventListeners.delete(listener);
  },
  pathForFile: (file: File) => {
    // The path comes from the system: it is empty for a file that the page has created.
    const path = webUtils.getPathForFile(file);
    if (path !== '') ipcRenderer.send(channels.file, path);
    return path;
  },
};

/** The maximum length of a text that is sent, in UTF-16 units. */
const maxTextLength = 2_000_000;

/** Whether the drag in progress began in the page, which then chose its data. */
let isOwnDrag = false;

// The page can create such events too, but they are not trusted.
const listen = <Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
): void => addEventListener(name, (event) => event.isTrusted && listener(event), true);

// Sends no text: a page can forge it, and the main process reads the clipboard itself.
listen('paste', () => ipcRenderer.send(channels.pasted, ''));
listen('drop', (event) => {
  if (isOwnDrag || event.dataTransfer === null) return;
  for (const type of ['text/uri-list', 'text/plain']) {
    const text = event.dataTransfer.getData(type);
    if (text.includes('://')) ipcRenderer.send(channels.dropped, text.slice(0, maxTextLength));
  }
});
listen('dragstart', () => (isOwnDrag = true));
for (const name of ['dragend', 'pointerdown'] as const) listen(name, () => (isOwnDrag = false));
// The clipboard changes after the event, which the page can prolong.
for (const name of ['copy', 'cut'] as const)
  listen(name, () => {
    ipcRenderer.send(channels.copying, '');
    setTimeout(() => ipcRenderer.send(channels.copied, ''), 0);
  });

contextBridge.executeInMainWorld({
  // Passed as source, so it cannot use anything from this file.
  func: (pageTransport: typeof transport) => {
    const bridge: Bridge = Object.freeze({
      invoke: async (name, input) => {
        const packed = await pageTransport.invoke(name, input);
        return typeof packed === 'string' ? JSON.parse(packed) : packed;
      },
      on: (name, listener) => pageTransport.on(name, (payload) => listener(JSON.parse(payload))),
      pathForFile: pageTransport.pathForFile,
    } satisfies Bridge);
    Object.defineProperty(globalThis, 'longhand', { value: bridge, enumerable: true });
  },
  args: [transport],
});
