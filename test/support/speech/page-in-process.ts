import { MessageChannel } from 'node:worker_threads';
import type { PagePort } from '../../../electron/on-device/decode/page-port.ts';
import { serveRecording } from '../../../renderer/decoder/serve-recording.ts';

/**
 * Connects to the code of the decoder page in this process. It reads every container, but decodes only PCM, since Node
 * has no decoders.
 */
export async function connectPage(): Promise<PagePort> {
  const { port1, port2 } = new MessageChannel();
  serveRecording(port1 as unknown as MessagePort);
  return asPagePort(port2);
}

/** Wraps a port of a worker thread as a port of Electron's main process. */
export function asPagePort(port: InstanceType<typeof MessageChannel>['port1']): PagePort {
  return {
    postMessage: (message) => port.postMessage(message),
    on: (event: 'message' | 'close', listener: (event: { readonly data: unknown }) => void) =>
      event === 'message'
        ? port.on('message', (data: unknown) => listener({ data }))
        : port.on('close', () => listener({ data: undefined })),
    start: () => port.start(),
    close: () => port.close(),
  };
}
