import { once } from 'node:events';
import { connect } from 'node:net';

/** Writes bytes to a service and reads whatever comes back until the connection ends. */
export async function sendRaw(baseUrl: string, bytes: string | Uint8Array): Promise<string> {
  const { port, hostname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.end(bytes);
  await closed;
  return Buffer.concat(chunks).toString('latin1');
}
