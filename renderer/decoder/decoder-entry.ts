/** The off-screen page that decodes recordings for the on-device service. Each recording has its own port. */
import { decoderChannel } from '../../electron/contract/decoder-protocol.ts';
import { serveRecording } from './serve-recording.ts';

window.addEventListener('message', (event) => {
  const [port] = event.ports;
  if (event.source !== window || event.data !== decoderChannel || port === undefined) return;
  serveRecording(port);
});
