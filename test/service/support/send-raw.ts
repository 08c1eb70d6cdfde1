import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Reads everything until the connection ends or is reset. */
export function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

/** Writes bytes to a service and reads the response until the connection ends. */
export async function sendRaw(baseUrl: string, bytes: string | Uint8Array): Promise<string> {
  const { port, hostname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const received = readToEnd(socket);
  socket.end(bytes);
  return received;
}
