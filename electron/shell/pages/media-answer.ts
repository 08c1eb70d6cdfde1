import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import { parseByteRange } from '../../core/media/byte-range.ts';
import { extensionOf, mimeTypeOf } from '../../core/media/media-type.ts';
import { openRegularFile } from '../../core/media/open-file.ts';

/** Bytes per read: a player requests the rest of a file and stops when it has enough. */
const chunkBytes = 256 * 1024;

/**
 * The most recordings that are open at once, far more than a window plays: each holds a file and two chunks until its
 * response was read or dropped.
 */
const maxOpen = 48;
let openCount = 0;

/** What a recording belongs to. */
export type RecordingOwner =
  | { readonly kind: 'transcript'; readonly id: TranscriptId }
  /** An item of the queue. */
  | { readonly kind: 'item'; readonly id: ItemId };

/**
 * Returns the address of a recording. It names only the owner, so that no path can be requested, and the stamp of the
 * file: Chromium caches media by address, and would not read a recording that has replaced a broken one.
 *
 * @param stamp of the file; see `fileStamp`.
 */
export const recordingUrl = ({ kind, id }: RecordingOwner, stamp: string): string =>
  `media://${kind}/${id}?${stamp}`;

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status, headers });

/**
 * Answers a request for a recording, in part or as a whole; 503 while too many responses are not read.
 *
 * @param pathOf the path of an owner's recording; `null` when it has none.
 * @param origin the page that may read what it gets.
 */
export async function respondWithMedia(
  request: Request,
  pathOf: (owner: RecordingOwner) => string | null,
  origin: string,
): Promise<Response> {
  const [, kind, id] =
    /^media:\/\/(transcript|item)\/([1-9]\d{0,14})(?:\?[\da-f]{32})?$/.exec(request.url) ?? [];
  if (request.method !== 'GET' || kind === undefined) return refusal(404);
  const path = pathOf({ kind: kind === 'item' ? 'item' : 'transcript', id: Number(id) });
  if (path === null) return refusal(404);
  if (openCount >= maxOpen) return refusal(503);
  openCount += 1;
  const onClose = (): void => {
    openCount -= 1;
  };
  const file = await openRegularFile(path).catch(() => null);
  const response =
    file && (await respondWithFile(file, path, { request, origin, onClose }).catch(() => null));
  if ((response?.body ?? null) === null) {
    await file?.close().catch(() => undefined);
    onClose();
  }
  return response ?? refusal(404);
}

/**
 * Answers with a range of an open file. Without a body, the file stays open; otherwise `onClose` is called once the stream
 * has closed it.
 */
async function respondWithFile(
  file: FileHandle,
  path: string,
  { request, origin, onClose }: { readonly request: Request; readonly origin: string; onClose(): void },
): Promise<Response> {
  const { size } = await file.stat();
  const range = parseByteRange(request.headers.get('range'), size);
  const common = {
    'accept-ranges': 'bytes',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'content-range',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  if (range === 'unsatisfiable') return refusal(416, { ...common, 'content-range': `bytes */${size}` });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const headers = {
    ...common,
    'content-type': mimeTypeOf(extensionOf(path)) ?? 'application/octet-stream',
    'content-length': String(end - start + 1),
    ...(range !== null && { 'content-range': `bytes ${start}-${end}/${size}` }),
  };
  if (size === 0) return new Response(null, { status: 200, headers });
  const bytes = file.createReadStream({ start, end, highWaterMark: chunkBytes });
  // A file that is truncated or removed ends the response, not the program.
  bytes.on('error', () => bytes.destroy());
  bytes.once('close', onClose);
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, {
    status: range === null ? 200 : 206,
    headers,
  });
}
