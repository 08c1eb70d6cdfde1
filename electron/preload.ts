import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels, type Bridge } from './contract/bridge.ts';

/** Those who hear what the main process tells, by the names of its events. */
const listeners = new Map<unknown, Set<(payload: never) => void>>();

// One for all of the page: a listener of its own for each of them would make Node warn of a leak.
ipcRenderer.on(channels.event, (_event, name: unknown, payload: unknown) => {
  // The main process sends what `Events` says, under the event's own name.
  for (const listener of listeners.get(name) ?? []) listener(payload as never);
});

const bridge: Bridge = {
  invoke: (name, input) => ipcRenderer.invoke(channels.command, name, input),
  on: (name, listener) => {
    const those = listeners.get(name) ?? new Set();
    listeners.set(name, those.add(listener));
    return () => those.delete(listener);
  },
  pathForFile: (file) => webUtils.getPathForFile(file),
};

contextBridge.exposeInMainWorld('longhand', bridge);
