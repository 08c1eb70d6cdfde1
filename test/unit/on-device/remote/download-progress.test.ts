import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredDownload } from '../../../../electron/on-device/jobs/download-store.ts';
import { DownloadProgress } from '../../../../electron/on-device/remote/download-progress.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhand-download-'));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

/** How a server identifies versions and handles range requests. */
const servers = fc.record({
  naming: fc.constantFrom('tag', 'time', 'young time', 'weak tag', 'nothing'),
  rests: fc.constantFrom(
    'evaluates the condition',
    'ignores the condition but names the version',
    'none',
    'refuses',
  ),
  sendsLength: fc.boolean(),
  /** Maximum bytes per partial response. */
  pieceBytes: fc.integer({ min: 10, max: 80 }),
});
type Server = typeof servers extends fc.Arbitrary<infer Value> ? Value : never;

/** What happens during one response and after it. */
const steps = fc.record({
  /** The version of the file from now on; a replaced one may return. */
  version: fc.nat(2),
  /** The connection breaks after this many bytes of the response. */
  breaksAfter: fc.integer({ min: 0, max: 70 }),
  afterwards: fc.constantFrom('continues', 'service stops', 'power fails'),
  /** How many of the unflushed bytes a power failure leaves. */
  unsynced: fc.constantFrom('lost', 'zeros', 'there'),
});

/** Versions of equal length are the hardest to distinguish. */
const versions = fc
  .tuple(fc.integer({ min: 20, max: 60 }), fc.integer({ min: 1, max: 60 }))
  .chain(([length, other]) => fc.tuple(...[length, length, other].map(bytesOf)));
function bytesOf(length: number): fc.Arbitrary<Uint8Array> {
  return fc.uint8Array({ minLength: length, maxLength: length });
}

const dateOf = (version: number): string => new Date(Date.UTC(2020, 0, 1, 0, version)).toUTCString();

function namesOf({ naming }: Server, version: number): Record<string, string> {
  switch (naming) {
    case 'tag':
      return { etag: `"${version}"` };
    case 'time':
      return { 'last-modified': dateOf(version), date: dateOf(1000) };
    case 'young time':
      // It has changed again within the same second.
      return { 'last-modified': dateOf(0), date: dateOf(0) };
    case 'weak tag':
      return { etag: `W/"${version}"` };
    case 'nothing':
      return {};
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Returns the server's response to a request with the headers `asked`. */
function answer(
  server: Server,
  file: Uint8Array,
  version: number,
  asked: Readonly<Record<string, string>>,
): Answer {
  const names = namesOf(server, version);
  const [, from] = /^bytes=(\d+)-$/.exec(asked['range'] ?? '') ?? [];
  const start = Number(from);
  const isSame = Object.values(names).includes(asked['if-range'] ?? '');
  const isConditional = server.rests === 'evaluates the condition' || server.rests === 'refuses';
  if (from === undefined || server.rests === 'none' || (isConditional && !isSame)) {
    const length = server.sendsLength ? { 'content-length': String(file.length) } : {};
    return { status: 200, headers: new Headers({ ...names, ...length }), body: file };
  }
  if (server.rests === 'refuses' || start >= file.length) {
    return { status: 416, headers: new Headers(names), body: new Uint8Array() };
  }
  const body = file.subarray(start, start + server.pieceBytes);
  const range = `bytes ${start}-${start + body.length - 1}/${file.length}`;
  return { status: 206, headers: new Headers({ ...names, 'content-range': range }), body };
}

async function* breaking(body: Uint8Array, after: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < Math.min(body.length, after); at += 7)
    yield body.subarray(at, Math.min(at + 7, after));
  if (after < body.length) throw new Error('the connection broke');
}

test('a complete file is always a single version, whatever breaks and changes', async () => {
  const property = fc.asyncProperty(
    servers,
    versions,
    fc.array(steps, { minLength: 1, maxLength: 6 }),
    async (server, files, troubles) => {
      const path = join(folder, 'file');
      await rm(path, { force: true });
      const file = await open(path, 'w+');
      let stored: StoredDownload | null = null;
      const resume = (): Promise<DownloadProgress> =>
        DownloadProgress.resume(
          {
            file,
            stored,
            record: (now) => {
              stored = now;
            },
            forget: () => {
              stored = null;
            },
          },
          10,
        );
      try {
        let progress = await resume();
        let version = 0;
        /** Sends one request; returns whether the file is complete after it. */
        const ask = async (breaksAfter: number): Promise<boolean> => {
          const { status, headers, body } = answer(
            server,
            files[version] ?? new Uint8Array(),
            version,
            progress.requestHeaders(),
          );
          try {
            if (status === 416) {
              progress.dropValidator();
              return false;
            }
            await progress.prepareFor(status, headers);
            const bytes = Readable.from(breaking(body, breaksAfter));
            await progress.append(bytes, new AbortController().signal, () => undefined);
            return true;
          } catch {
            return false;
          }
        };

        let isComplete = false;
        for (const { breaksAfter, afterwards, unsynced, ...trouble } of troubles) {
          version = trouble.version;
          isComplete = await ask(breaksAfter);
          if (isComplete) break;
          if (afterwards === 'service stops') await progress.record();
          if (afterwards === 'power fails') {
            const { size } = await file.stat();
            const safe = (stored as StoredDownload | null)?.bytes ?? 0;
            if (unsynced !== 'there') await file.truncate(safe);
            if (unsynced === 'zeros') await file.truncate(size);
          }
          if (afterwards !== 'continues') {
            progress = await resume();
            isComplete = progress.isComplete;
            if (isComplete) break;
          }
        }
        // From here on nothing fails. A file of 60 bytes takes at most 6 responses, and one may be useless.
        for (let attempt = 0; !isComplete && attempt < 8; attempt++) isComplete = await ask(Infinity);
        expect(isComplete).toBe(true);
        const bytes = await readFile(path);
        expect(files.some((one) => bytes.equals(one))).toBe(true);
      } finally {
        await file.close();
      }
    },
  );
  await fc.assert(property, { numRuns: 150 });
});

test('the record is removed before a file is started over', async () => {
  const file = await open(join(folder, 'file'), 'w+');
  await file.write(Buffer.alloc(50, 'x'));
  const seen: string[] = [];
  const progress = await DownloadProgress.resume(
    {
      file,
      stored: { validator: '"1"', totalBytes: 80, bytes: 50 },
      record: () => undefined,
      forget: () => void seen.push('forgotten'),
    },
    10,
  );
  expect(progress.requestHeaders()).toEqual({ range: 'bytes=50-', 'if-range': '"1"' });
  await progress.prepareFor(200, new Headers({ etag: '"2"' }));
  expect(seen).toEqual(['forgotten']);
  expect((await file.stat()).size).toBe(0);
  expect(progress.requestHeaders()).toEqual({});
  await file.close();
});
