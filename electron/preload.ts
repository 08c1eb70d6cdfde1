import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels, type Bridge, type PackedAnswer } from './contract/bridge.ts';

/** The listeners to events of the main process, by event name. */
const listeners = new Map<unknown, Set<(payload: string) => void>>();

// One listener for the whole page: with one per subscription, Node would warn of a leak.
ipcRenderer.on(channels.event, (_event, name: unknown, payload: unknown) => {
  // The main process sends what `Events` says, under the event's own name, as text.
  for (const listener of listeners.get(name) ?? []) listener(payload as string);
});

/** What the page's own world builds its bridge on. */
const transport = {
  invoke: (name: string, input: unknown) =>
    ipcRenderer.invoke(channels.command, name, input) as Promise<PackedAnswer>,
  on: (name: string, listener: (payload: string) => void) => {
    const those = listeners.get(name) ?? new Set();
    listeners.set(name, those.add(listener));
    return () => those.delete(listener);
  },
  pathForFile: (file: File) => webUtils.getPathForFile(file),
};

contextBridge.executeInMainWorld({
  // Sent as source: it can use nothing of this file.
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
