import type { FromDecoder, ToDecoder } from '../../electron/contract/decoder-protocol.ts';
import { errorMessage } from '../../electron/contract/errors.ts';
import { RecordingError } from './open-track.ts';
import { openRecording, type OpenRecording } from './recording.ts';

/** This page's end of a message port. */
export type DecoderPort = Pick<MessagePort, 'postMessage' | 'addEventListener' | 'start' | 'close'>;

const noDamage = { unreadableSeconds: 0, omittedSeconds: 0 };

/** Decodes the recording whose bytes come through the port, as fast as the other end asks for audio. */
export function serveRecording(port: DecoderPort): void {
  const reads = new Map<number, PromiseWithResolvers<Uint8Array>>();
  let lastRequest = 0;
  let recording: OpenRecording | null = null;
  const closing = new AbortController();

  const post = (message: FromDecoder): void => {
    if (!closing.signal.aborted) port.postMessage(message);
  };
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    closing.signal.throwIfAborted();
    const request = ++lastRequest;
    const answer = Promise.withResolvers<Uint8Array>();
    reads.set(request, answer);
    post({ kind: 'read', request, start, end });
    return answer.promise;
  };
  const open = async (sizeBytes: number): Promise<void> => {
    recording = await openRecording(sizeBytes, read, closing.signal);
    if (closing.signal.aborted) recording.close();
    const { durationSeconds, hasVideo, codec } = recording;
    post({ kind: 'opened', durationSeconds, hasVideo, codec });
  };
  const sendNext = async (): Promise<void> => {
    const piece = await recording?.pieces.next();
    if (piece === undefined || piece.done === true)
      post({ kind: 'end', ...(recording?.damage() ?? noDamage) });
    else post({ kind: 'samples', ...piece.value });
  };
  const fail = (error: unknown): void => {
    const reason = error instanceof RecordingError ? error.reason : 'broken';
    post({ kind: 'failed', reason, message: errorMessage(error) });
  };
  const close = (): void => {
    closing.abort(new Error('The recording was closed.'));
    for (const answer of reads.values()) answer.reject(closing.signal.reason);
    reads.clear();
    recording?.close();
    port.close();
  };

  port.addEventListener('message', (event: MessageEvent<ToDecoder>) => {
    const message = event.data;
    switch (message.kind) {
      case 'open':
        open(message.sizeBytes).catch(fail);
        break;
      case 'bytes':
        reads.get(message.request)?.resolve(message.bytes);
        reads.delete(message.request);
        break;
      case 'read-failed':
        reads.get(message.request)?.reject(new Error(message.message));
        reads.delete(message.request);
        break;
      case 'next':
        sendNext().catch(fail);
        break;
      case 'close':
        close();
        break;
    }
  });
  // The service may have gone away without closing the port.
  port.addEventListener('close', close);
  port.start();
}
