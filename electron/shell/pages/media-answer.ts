import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import { parseByteRange } from '../../core/media/byte-range.ts';
import { extensionOf, mimeTypeOf } from '../../core/media/media-type.ts';
import { openRegularFile } from '../../core/media/open-file.ts';

/** Bytes per read: a player requests the rest of a file and stops when it has enough. */
const chunkBytes = 256 * 1024;

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
 * Answers a request for a recording, in part or as a whole.
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
  const file = await openRegularFile(path).catch(() => null);
  if (file === null) return refusal(404);
  const response = await respondWithFile(file, path, request.headers.get('range'), origin).catch(() => null);
  // A stream closes the file at its end.
  if ((response?.body ?? null) === null) await file.close().catch(() => undefined);
  return response ?? refusal(404);
}

/** Answers with a range of an open file; without a body, the file stays open. */
async function respondWithFile(
  file: FileHandle,
  path: string,
  requestedRange: string | null,
  origin: string,
): Promise<Response> {
  const { size } = await file.stat();
  const range = parseByteRange(requestedRange, size);
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
  return new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, {
    status: range === null ? 200 : 206,
    headers,
  });
}
