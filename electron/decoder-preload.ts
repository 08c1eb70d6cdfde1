import { ipcRenderer } from 'electron';
import { decoderChannel } from './contract/decoder-protocol.ts';

// Ports cannot cross the context bridge; the page's own message event can carry them.
ipcRenderer.on(decoderChannel, (event) => {
  window.postMessage(decoderChannel, window.location.origin, [...event.ports]);
});
