import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Dispatcher } from 'undici';
import { pause } from '../../core/pause.ts';
import type { Clock } from '../../core/ports.ts';
import { writeAll } from '../media/write-to-file.ts';
import { isDiskFull } from '../service-error.ts';

/** A file that is known before it is there. */
export interface ExpectedFile {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Where it is to be had; each is tried in turn. */
  readonly urls: readonly string[];
}

export interface DownloadContext {
  /** Follows redirects, and gives up on connections that stand still. */
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Is told how many bytes of the file there are, whenever there are more, or fewer. */
  readonly onBytes: (bytes: number) => void;
}

/** No place gave the file: nobody was there, or it was not the right one. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** Whether something came, but not what was published. */
  readonly isWrongContent: boolean;

  constructor(message: string, isWrongContent: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isWrongContent = isWrongContent;
  }
}

/** This place will not give the file, however often it is asked. */
class MirrorRefusedError extends Error {
  override readonly name: string = 'RefusalError';
}

/** What came is not what was published. */
class WrongContentError extends MirrorRefusedError {
  override readonly name = 'WrongContentError';
}

/** In a row, without a single byte in between. */
const maxFruitlessAttempts = 3;
const chunkBytes = 1024 ** 2;

/** What a file is called until it is whole and checked. */
export const partialPath = (target: string): string => `${target}.part`;

/**
 * Brings a file to `target`, going on with what an earlier attempt has left beside it. Only what is whole and has the
 * published digest gets the name `target`.
 *
 * @returns which of the addresses gave it.
 * @throws DownloadError when no place gives it; what the disk says; the signal's reason.
 */
export async function downloadFile(
  wanted: ExpectedFile,
  target: string,
  means: DownloadContext,
): Promise<number> {
  await mkdir(dirname(target), { recursive: true });
  const failures: unknown[] = [];
  for (const [place, url] of wanted.urls.entries()) {
    try {
      await downloadFrom(url, wanted, target, means);
      return place;
    } catch (error) {
      means.signal.throwIfAborted();
      if (isDiskFull(error)) throw error;
      failures.push(error);
    }
  }
  const reasons = failures.map((error, i) => `${hostOf(wanted.urls[i])}: ${reasonOf(error)}`);
  throw new DownloadError(reasons.join('; '), failures.some(isWrongContent), { cause: failures.at(-1) });
}

async function downloadFrom(
  url: string,
  wanted: ExpectedFile,
  target: string,
  means: DownloadContext,
): Promise<void> {
  let fruitless = 0;
  for (;;) {
    const file = await open(partialPath(target), constants.O_RDWR | constants.O_CREAT);
    let before = 0;
    try {
      before = (await file.stat()).size;
      await receive(url, wanted, file, means);
      await file.datasync();
      await file.close();
      await rename(partialPath(target), target);
      return;
    } catch (error) {
      means.signal.throwIfAborted();
      if (error instanceof MirrorRefusedError || isDiskFull(error)) throw error;
      const now = await file.stat().then(
        ({ size }) => size,
        () => 0,
      );
      fruitless = now > before ? 0 : fruitless + 1;
      if (fruitless === maxFruitlessAttempts) throw error;
    } finally {
      await file.close().catch(() => undefined);
    }
    await pause(means.clock, 1000 * 2 ** fruitless, means.signal);
  }
}

/** One request for what is missing; what is there already counts only if the whole has the right digest in the end. */
async function receive(
  url: string,
  { sizeBytes, sha256 }: ExpectedFile,
  file: FileHandle,
  { dispatcher, signal, onBytes }: DownloadContext,
): Promise<void> {
  let hash = createHash('sha256');
  const kept = await hashExisting(hash, file, sizeBytes, signal);
  let have = kept;
  let isAllFromHere = false;
  onBytes(have);
  if (have < sizeBytes) {
    const { origin, pathname, search } = new URL(url);
    const response = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method: 'GET',
      headers: {
        'user-agent': 'Longhand',
        'accept-encoding': 'identity',
        ...(have > 0 && { range: `bytes=${have}-` }),
      },
      signal,
    });
    try {
      if (!isContinuation(response, have, sizeBytes)) {
        if (have > 0) await file.truncate(0);
        hash = createHash('sha256');
        have = 0;
        isAllFromHere = true;
      }
      for await (const chunk of response.body) {
        const bytes: Uint8Array = chunk;
        if (have + bytes.length > sizeBytes) {
          await file.truncate(0);
          throw new WrongContentError('the file there is longer');
        }
        await writeAll(file, bytes, have);
        hash.update(bytes);
        have += bytes.length;
        onBytes(have);
      }
    } finally {
      response.body.on('error', () => undefined).destroy();
    }
    if (have < sizeBytes) throw new Error(`the connection ended after ${have} of ${sizeBytes} bytes`);
  }
  if (hash.digest('hex') === sha256) return;
  await file.truncate(0);
  onBytes(0);
  // What was kept may have come from elsewhere: this place gets a chance to give all of it.
  if (kept > 0 && !isAllFromHere) throw new Error('what was kept was not of this file');
  throw new WrongContentError('the file there is not the one that was published');
}

/** Reads what is there into the digest: how many bytes that is. More than there can be is thrown away. */
async function hashExisting(
  hash: Hash,
  file: FileHandle,
  maxBytes: number,
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
    position += bytesRead;
  }
  return position;
}

/**
 * Whether the answer is the rest of the file, rather than all of it.
 *
 * @throws RefusalError when this place will not give it; a plain error when it may do so later.
 */
function isContinuation(
  { statusCode, headers }: Dispatcher.ResponseData,
  have: number,
  sizeBytes: number,
): boolean {
  if (statusCode === 206) {
    const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(String(headers['content-range'])) ?? [];
    if (Number(start) === have && (total === '*' || Number(total) === sizeBytes)) return true;
    throw new MirrorRefusedError('it sends another piece than was asked for');
  }
  if (statusCode === 200) {
    const length = headers['content-length'];
    if (length === undefined || Number(length) === sizeBytes) return false;
    throw new WrongContentError(`the file there has ${String(length)} bytes instead of ${sizeBytes}`);
  }
  const words = `it answers ${statusCode}`;
  if (statusCode >= 500 || [408, 425, 429].includes(statusCode)) throw new Error(words);
  throw new MirrorRefusedError(words);
}

const isWrongContent = (error: unknown): boolean => error instanceof WrongContentError;
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const hostOf = (url = ''): string => (URL.canParse(url) ? new URL(url).host : url);
