import { MessageChannel } from 'node:worker_threads';
import type { PagePort } from '../../../electron/on-device/decode/page-port.ts';
import { serveRecording } from '../../../renderer/decoder/serve-recording.ts';

/**
 * A port to the code of the decoder page, run in this process: it reads every container, but decodes PCM sound alone,
 * since Node has no decoders.
 */
export async function connectPage(): Promise<PagePort> {
  const { port1, port2 } = new MessageChannel();
  serveRecording(port1 as unknown as MessagePort);
  return asPagePort(port2);
}

/** A port of a thread as Electron's main process would see it. */
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
