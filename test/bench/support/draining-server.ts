import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that reads every body and keeps none, in a process of its own; prints its port. */
const server = createServer((request, response) => {
  request.on('end', () => response.end('{}')).resume();
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
