import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels, type Bridge } from './contract/bridge.ts';
import type { Events } from './contract/events.ts';

const bridge: Bridge = {
  invoke: (name, input) => ipcRenderer.invoke(channels.command, name, input),
  on: (name, listener) => {
    const hear = (_event: unknown, told: unknown, payload: unknown): void => {
      // The main process sends what `Events` says, under the event's own name.
      if (told === name) listener(payload as Events[typeof name]);
    };
    ipcRenderer.on(channels.event, hear);
    return () => ipcRenderer.off(channels.event, hear);
  },
  pathForFile: (file) => webUtils.getPathForFile(file),
};

contextBridge.exposeInMainWorld('longhand', bridge);
