import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { TranscriptId } from '../../contract/identifiers.ts';
import { parseByteRange } from '../../core/media/byte-range.ts';
import { extensionOf, mimeTypeOf } from '../../core/media/media-type.ts';

/** Bytes that are read at once: a player asks for the rest of a file and stops when it has enough. */
const chunkBytes = 256 * 1024;

/**
 * The address of a transcript's recording. It names the transcript alone: no path can be asked for. Behind it stands
 * which file it is now: what the window's player keeps of one address it takes for the next player as well, so that a
 * recording that was put in the place of a broken one would not be read at all.
 *
 * @param stamp of the file; see `fileStamp`.
 */
export const recordingUrl = (id: TranscriptId, stamp: string): string => `media://recording/${id}?${stamp}`;

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers });

/**
 * Answers a request for a recording, in part or as a whole.
 *
 * @param pathOf the path of a transcript's recording; `null` when it has none.
 * @param origin the page that may read what it gets.
 */
export async function answerMedia(
  request: Request,
  pathOf: (id: TranscriptId) => string | null,
  origin: string,
): Promise<Response> {
  const id = /^media:\/\/recording\/([1-9]\d{0,14})(?:\?[\da-f]{32})?$/.exec(request.url)?.[1];
  if (request.method !== 'GET' || id === undefined) return refusal(404);
  const path = pathOf(Number(id));
  if (path === null) return refusal(404);
  const file = await stat(path).catch(() => null);
  if (file === null || !file.isFile()) return refusal(404);
  const range = parseByteRange(request.headers.get('range'), file.size);
  const common = {
    'accept-ranges': 'bytes',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'content-range',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  if (range === 'unsatisfiable') return refusal(416, { ...common, 'content-range': `bytes */${file.size}` });
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  const headers = {
    ...common,
    'content-type': mimeTypeOf(extensionOf(path)) ?? 'application/octet-stream',
    'content-length': String(end - start + 1),
    ...(range !== null && { 'content-range': `bytes ${start}-${end}/${file.size}` }),
  };
  if (file.size === 0) return new Response(null, { status: 200, headers });
  const bytes = createReadStream(path, { start, end, highWaterMark: chunkBytes });
  // A file that ends early or goes away ends the answer, not the program.
  bytes.on('error', () => bytes.destroy());
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, {
    status: range === null ? 200 : 206,
    headers,
  });
}
