/** The thread that parses one large response of a service. */
import { serveWorker } from '../../workers/worker-server.ts';
import { parseBody, type ParsedBody, type ReaderName } from './response-body.ts';

const handlers = {
  parse({
    bytes,
    reader,
  }: {
    readonly bytes: Uint8Array;
    readonly reader: ReaderName;
  }): ParsedBody<ReaderName> {
    return parseBody(bytes, reader);
  },
};
export type ResponseHandlers = typeof handlers;

serveWorker(handlers);
