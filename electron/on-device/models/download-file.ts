import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Dispatcher } from 'undici';
import { errorMessage, isDiskFull } from '../../contract/errors.ts';
import { delay } from '../../core/delay.ts';
import type { Clock } from '../../core/ports.ts';
import { StallWatch } from '../../core/stall-watch.ts';
import { writeAll } from '../media/write-to-file.ts';

/** A file with known content. */
export interface ExpectedFile {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Its addresses, tried in order. */
  readonly urls: readonly string[];
}

export interface DownloadContext {
  /** Follows redirects and has time limits for idle connections. */
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the number of bytes that are on the disk, whenever it changes. */
  readonly onBytes: (bytes: number) => void;
}

/** No address delivered the file: unreachable, refused or wrong content. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** Whether a server delivered another file than the published one. */
  readonly isWrongContent: boolean;

  constructor(message: string, isWrongContent: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isWrongContent = isWrongContent;
  }
}

/** This address permanently refuses the file. */
class MirrorRefusedError extends Error {
  override readonly name: string = 'MirrorRefusedError';
}

/** The content is not the published one. */
class WrongContentError extends MirrorRefusedError {
  override readonly name = 'WrongContentError';
}

/** Consecutive attempts without progress. */
const maxAttemptsWithoutProgress = 3;
const chunkBytes = 1024 ** 2;

/** The path of a file until it is complete and verified. */
export const partialPath = (target: string): string => `${target}.part`;

/**
 * Downloads a file to `target` and resumes an earlier attempt. Only a complete file with the published digest gets the name
 * `target`.
 *
 * @returns the index of the address that delivered it.
 * @throws DownloadError when no address delivers it; an error of the disk; the signal's reason.
 */
export async function downloadFile(
  expected: ExpectedFile,
  target: string,
  context: DownloadContext,
): Promise<number> {
  await mkdir(dirname(target), { recursive: true });
  const failures: unknown[] = [];
  for (const [index, url] of expected.urls.entries()) {
    try {
      await downloadFrom(url, expected, target, context);
      return index;
    } catch (error) {
      context.signal.throwIfAborted();
      if (isDiskFull(error)) throw error;
      failures.push(error);
    }
  }
  const reasons = failures.map((error, i) => `${hostOf(expected.urls[i])}: ${errorMessage(error)}`);
  throw new DownloadError(reasons.join('; '), failures.some(isWrongContent), { cause: failures.at(-1) });
}

async function downloadFrom(
  url: string,
  expected: ExpectedFile,
  target: string,
  context: DownloadContext,
): Promise<void> {
  let attemptsWithoutProgress = 0;
  for (;;) {
    const file = await open(partialPath(target), constants.O_RDWR | constants.O_CREAT);
    const watch = new StallWatch(context.clock);
    let sizeBefore = 0;
    try {
      sizeBefore = (await file.stat()).size;
      await receive(url, expected, file, watch, context);
      await file.datasync();
      await file.close();
      await rename(partialPath(target), target);
      return;
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof MirrorRefusedError || isDiskFull(error)) throw error;
      const sizeNow = await file.stat().then(
        ({ size }) => size,
        () => 0,
      );
      attemptsWithoutProgress = watch.isProgress(sizeNow - sizeBefore) ? 0 : attemptsWithoutProgress + 1;
      if (attemptsWithoutProgress === maxAttemptsWithoutProgress) throw error;
    } finally {
      watch.stop();
      await file.close().catch(() => undefined);
    }
    await delay(context.clock, 1000 * 2 ** attemptsWithoutProgress, context.signal);
  }
}

/** Requests the bytes that are missing, and verifies the digest of the whole file. */
async function receive(
  url: string,
  { sizeBytes, sha256 }: ExpectedFile,
  file: FileHandle,
  watch: StallWatch,
  { dispatcher, signal, onBytes }: DownloadContext,
): Promise<void> {
  let hash = createHash('sha256');
  const existingBytes = await hashExisting(hash, file, sizeBytes, watch, signal);
  let receivedBytes = existingBytes;
  let isRestarted = false;
  onBytes(receivedBytes);
  if (receivedBytes < sizeBytes) {
    const { origin, pathname, search } = new URL(url);
    const response = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method: 'GET',
      headers: {
        'user-agent': 'Longhand',
        'accept-encoding': 'identity',
        ...(receivedBytes > 0 && { range: `bytes=${receivedBytes}-` }),
      },
      signal: AbortSignal.any([signal, watch.signal]),
    });
    try {
      if (!isContinuation(response, receivedBytes, sizeBytes)) {
        if (receivedBytes > 0) await file.truncate(0);
        hash = createHash('sha256');
        receivedBytes = 0;
        isRestarted = true;
      }
      for await (const chunk of response.body) {
        const bytes: Uint8Array = chunk;
        if (receivedBytes + bytes.length > sizeBytes) {
          await file.truncate(0);
          throw new WrongContentError('the file on the server is longer');
        }
        await writeAll(file, bytes, receivedBytes);
        hash.update(bytes);
        receivedBytes += bytes.length;
        watch.onProgress(bytes.length);
        onBytes(receivedBytes);
      }
    } finally {
      response.body.on('error', () => undefined).destroy();
    }
    if (receivedBytes < sizeBytes)
      throw new Error(`the connection ended after ${receivedBytes} of ${sizeBytes} bytes`);
  }
  if (hash.digest('hex') === sha256) return;
  await file.truncate(0);
  onBytes(0);
  // The earlier bytes may come from another address: download all of it from this one.
  if (existingBytes > 0 && !isRestarted)
    throw new Error('the bytes downloaded earlier do not belong to this file');
  throw new WrongContentError('the file on the server is not the published one');
}

/** Adds existing bytes to the digest and returns their number. Discards a file that is too long. */
async function hashExisting(
  hash: Hash,
  file: FileHandle,
  maxBytes: number,
  watch: StallWatch,
  signal: AbortSignal,
): Promise<number> {
  const { size } = await file.stat();
  if (size > maxBytes) {
    await file.truncate(0);
    return 0;
  }
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let position = 0;
  while (position < size) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - position), position);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    watch.onProgress(bytesRead);
    position += bytesRead;
  }
  return position;
}

/**
 * Whether the response is the rest of the file rather than all of it.
 *
 * @throws MirrorRefusedError when this address refuses permanently; a plain error when it may succeed later.
 */
function isContinuation(
  { statusCode, headers }: Dispatcher.ResponseData,
  receivedBytes: number,
  sizeBytes: number,
): boolean {
  if (statusCode === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(headers['content-range'])) ?? [];
    if (Number(start) === receivedBytes && (total === '*' || Number(total) === sizeBytes)) return true;
    throw new MirrorRefusedError('the server sent another range than was requested');
  }
  if (statusCode === 200) {
    const length = headers['content-length'];
    if (length === undefined || Number(length) === sizeBytes) return false;
    throw new WrongContentError(`the file on the server has ${String(length)} bytes instead of ${sizeBytes}`);
  }
  const reason = `the server answered ${statusCode}`;
  if (statusCode >= 500 || [408, 425, 429].includes(statusCode)) throw new Error(reason);
  throw new MirrorRefusedError(reason);
}

const isWrongContent = (error: unknown): boolean => error instanceof WrongContentError;
const hostOf = (url = ''): string => (URL.canParse(url) ? new URL(url).host : url);
