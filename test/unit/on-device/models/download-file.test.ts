import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as fc from 'fast-check';
import { Agent, interceptors, Pool } from 'undici';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  downloadFile,
  DownloadError,
  partialPath,
} from '../../../../electron/on-device/models/download-file.ts';
import type { Clock } from '../../../../electron/core/ports.ts';
import { eagerClock } from '../../../support/clocks/eager-clock.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { FileServer, type Behaviour } from '../../../support/servers/file-server.ts';

const content = randomBytes(300_000);
const sha256 = createHash('sha256').update(content).digest('hex');
const other = randomBytes(300_000);

let folder: string;
let target: string;
let servers: FileServer[];
let dispatcher: Agent;
/** Origins of servers that send nothing. */
const standingStill = new Set<string>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhand-download-'));
  target = join(folder, 'onnx', 'model.onnx');
  servers = [];
  standingStill.clear();
  dispatcher = new Agent({ factory: connectTo });
});
afterEach(async () => {
  await dispatcher.destroy();
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

/** Has a short time limit only for servers that send nothing, since others may be slow on a busy computer. */
function connectTo(origin: string | URL, options: object): Pool {
  const isStill = standingStill.has(new URL(origin).origin);
  return new Pool(origin, { ...options, ...(isStill && { headersTimeout: 100, bodyTimeout: 100 }) });
}

async function serve(behave?: (path: string, request: number) => Behaviour): Promise<FileServer> {
  const server = await FileServer.start({ '/model.onnx': content }, behave);
  servers.push(server);
  return server;
}

async function serveNothing(): Promise<FileServer> {
  const server = await serve(() => ({ stallAfter: 0 }));
  standingStill.add(server.origin);
  return server;
}

const urlOf = (server: FileServer): string => `${server.origin}/model.onnx`;

/** Downloads the file from the servers in turn; returns the reported progress. */
async function download(
  from: readonly (FileServer | string)[],
  signal: AbortSignal = new AbortController().signal,
  clock: Clock = eagerClock,
): Promise<readonly number[]> {
  const reported: number[] = [];
  await downloadFile(
    {
      sizeBytes: content.length,
      sha256,
      urls: from.map((one) => (typeof one === 'string' ? one : urlOf(one))),
    },
    target,
    {
      dispatcher: dispatcher.compose(interceptors.redirect({ maxRedirections: 3 })),
      clock,
      signal,
      onBytes: (bytes) => reported.push(bytes),
    },
  );
  return reported;
}

/** Asserts that the folder has the file and nothing else. */
async function expectFile(): Promise<void> {
  expect((await readFile(target)).equals(content)).toBe(true);
  expect(await readdir(join(folder, 'onnx'))).toEqual(['model.onnx']);
}

test('downloads a file and reports progress', async () => {
  const reported = await download([await serve()]);
  await expectFile();
  expect(reported.at(-1)).toBe(content.length);
  expect(reported).toEqual(reported.toSorted((a, b) => a - b));
});

test('a mirror that sends a byte now and then keeps no other from being tried', async () => {
  const clock = new ManualClock();
  const first = await serve(() => ({ trickle: true }));
  const second = await serve();
  const passing = setInterval(() => clock.advance(10_000), 2);
  onTestFinished(() => clearInterval(passing));
  await download([first, second], undefined, clock);
  await expectFile();
  expect(first.requests).toHaveLength(3);
});

describe('an interrupted download resumes', () => {
  test('immediately', async () => {
    const server = await serve((_, n) => (n < 3 ? { cutAfter: 70_000 } : {}));
    await download([server]);
    await expectFile();
    const starts = server.requests.map(({ from }) => from);
    expect(starts).toHaveLength(4);
    expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => a - b));
  });

  test('after the program was killed', async () => {
    const slow = await serve((_, n) => (n === 0 ? { stallAfter: 120_000 } : {}));
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'download-child.ts'), urlOf(slow), target, String(content.length), sha256],
      { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    for await (const line of createInterface({ input: child.stdout })) if (Number(line) >= 120_000) break;
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { size } = await stat(partialPath(target));
    expect(size).toBeGreaterThanOrEqual(120_000);
    await download([slow]);
    await expectFile();
    expect(slow.requests.map(({ from }) => from)).toEqual([0, size]);
  });

  test('after it was cancelled, from another mirror', async () => {
    const first = await serve(() => ({ stallAfter: 100_000 }));
    const abort = new AbortController();
    const stopped = download([first], abort.signal);
    await expect
      .poll(() =>
        stat(partialPath(target)).then(
          ({ size }) => size,
          () => 0,
        ),
      )
      .toBe(100_000);
    abort.abort(new Error('stopped by the user'));
    await expect(stopped).rejects.toThrow('stopped by the user');
    const second = await serve();
    await download([second]);
    await expectFile();
    expect(second.requests).toEqual([{ path: '/model.onnx', from: 100_000 }]);
  });

  test('from the beginning without range support', async () => {
    const server = await serve((_, n) => ({ ranges: false, ...(n === 0 && { cutAfter: 100_000 }) }));
    const reported = await download([server]);
    await expectFile();
    expect(server.requests).toHaveLength(2);
    expect(reported.filter((bytes) => bytes === content.length)).toHaveLength(1);
  });

  test('whatever the mirrors do, as long as one delivers the file in the end', async () => {
    const behavior = fc.record(
      {
        cutAfter: fc.integer({ min: 0, max: 300_000 }),
        ranges: fc.boolean(),
        status: fc.constantFrom(500, 503, 429),
        unknownLength: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(behavior, { maxLength: 6 }),
        fc.boolean(),
        async (behaviors, isWrongFirst) => {
          await rm(target, { force: true });
          await rm(partialPath(target), { force: true });
          const wrong = await serve(() => ({ content: other }));
          const flaky = await serve((_, n) => behaviors[n] ?? {});
          const good = await serve();
          await download([...(isWrongFirst ? [wrong] : []), flaky, good]);
          expect((await readFile(target)).equals(content)).toBe(true);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('mirrors are tried in turn', () => {
  test.each([
    ['one is unreachable', async () => 'http://127.0.0.1:9/model.onnx'],
    ['the file does not exist', async () => serve(() => ({ status: 404 }))],
    ['the service is down', async () => serve(() => ({ status: 503 }))],
    ['one sends a sign-in page', async () => serve(() => ({ content: Buffer.from('<html>') }))],
    ['one sends other bytes', async () => serve(() => ({ content: other }))],
    ['one sends too much', async () => serve(() => ({ content: randomBytes(400_000), unknownLength: true }))],
    ['one hangs', serveNothing],
    ['one redirects in a loop', async () => serve(() => ({ redirectTo: '/model.onnx' }))],
  ])('when %s', async (_, first) => {
    const good = await serve();
    await download([await first(), good]);
    await expectFile();
    expect(good.requests).toHaveLength(1);
  });

  test('and the second is not used when the first delivers the file', async () => {
    const [first, second] = [await serve(), await serve()];
    await download([first, second]);
    expect([first.requests.length, second.requests.length]).toEqual([1, 0]);
  });

  test('a mirror may redirect', async () => {
    const good = await serve();
    await download([await serve(() => ({ redirectTo: urlOf(good) }))]);
    await expectFile();
    expect(good.requests).toHaveLength(1);
  });
});

describe('content that is not the published file', () => {
  test('is discarded and reported as wrong', async () => {
    const error = await download([await serve(() => ({ content: other }))]).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(DownloadError);
    expect(error).toMatchObject({ isWrongContent: true });
    expect((await stat(partialPath(target))).size).toBe(0);
    await expect(stat(target)).rejects.toThrow('ENOENT');
  });

  test('from another mirror does not count against one that has the right file', async () => {
    await download([await serve()]);
    await rm(target);
    await writeFile(partialPath(target), other.subarray(0, 150_000));
    const good = await serve();
    await download([good]);
    await expectFile();
    expect(good.requests.map(({ from }) => from)).toEqual([150_000, 0]);
  });

  test('is distinguished from an unreachable mirror', async () => {
    const error = await download(['http://127.0.0.1:9/a']).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DownloadError);
    expect(error).toMatchObject({ isWrongContent: false, message: expect.stringContaining('127.0.0.1:9') });
  });
});

test.skipIf(process.platform !== 'linux')('a full disk ends the download with its error', async () => {
  await download([await serve()]);
  await rm(target);
  await symlink('/dev/full', partialPath(target));
  const server = await serve();
  await expect(download([server, await serve()])).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(server.requests).toHaveLength(1);
});
