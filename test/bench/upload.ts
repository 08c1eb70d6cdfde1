import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { ServiceClient } from '../../electron/core/api/client.ts';
import { partCountOf, partOf } from '../../electron/core/api/part-plan.ts';
import type { FileSource, UploadSession } from '../../electron/core/item/item.ts';
import { openSource, partBody } from '../../electron/core/queue/scheduling/source-file.ts';
import { systemClock } from '../../electron/core/system.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { saveResults } from './support/results.ts';

/**
 * Measures the upload of a file of 2 GiB compared with curl, in parts of the same size to the same server, and its
 * memory; then the memory for a sparse file of 50 GB. Needs curl and python3. `npm run bench -- upload`
 */

const gibibyte = 1024 ** 3;
const partSize = 8 * 1024 ** 2;
const rounded = (value: number): number => Number(value.toFixed(2));
const gigabytesPerSecond = (bytes: number, seconds: number): number => rounded(bytes / seconds / 1e9);

interface UploadCost {
  readonly seconds: number;
  /** The peak of the resident memory in excess of that before the first upload. */
  readonly extraMiB: number;
}

const folder = await temporaryFolder();
const server = spawn('python3', [resolve(import.meta.dirname, 'support/draining_server.py')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [port] = (await once(server.stdout, 'data')) as [Buffer];
const baseUrl = `http://127.0.0.1:${port.toString().trim()}`;
const idleBytes = process.memoryUsage.rss();

try {
  const large = await sparseFile('2 GiB.wav', 2 * gibibyte);
  // The first run fills the page cache, which contains curl's small file from the start.
  await upload(large);
  const runs: { readonly ours: UploadCost; readonly curl: number; readonly oneCurl: number }[] = [];
  for (let run = 0; run < 3; run += 1)
    runs.push({
      ours: await upload(large),
      curl: await uploadByCurl(large, 'one process per part'),
      oneCurl: await uploadByCurl(large, 'one process for all parts'),
    });
  const seconds = {
    longhand: Math.min(...runs.map(({ ours }) => ours.seconds)),
    curlForEachPart: Math.min(...runs.map(({ curl }) => curl)),
    oneCurlForAll: Math.min(...runs.map(({ oneCurl }) => oneCurl)),
  };
  const huge = await upload(await sparseFile('50 GB.wav', 50e9), 1500);
  const results = {
    longhandGBPerSecond: gigabytesPerSecond(large.sizeBytes, seconds.longhand),
    curlForEachPartGBPerSecond: gigabytesPerSecond(large.sizeBytes, seconds.curlForEachPart),
    oneCurlForAllGBPerSecond: gigabytesPerSecond(large.sizeBytes, seconds.oneCurlForAll),
    timesCurlForEachPart: rounded(seconds.curlForEachPart / seconds.longhand),
    timesOneCurlForAll: rounded(seconds.oneCurlForAll / seconds.longhand),
    mibAboveIdle: Math.max(...runs.map(({ ours }) => ours.extraMiB)),
    mibAboveIdleInFirst12GBOf50: huge.extraMiB,
  };
  console.table(results);
  saveResults('upload', results);
} finally {
  server.kill();
  await folder.remove();
}

async function sparseFile(name: string, size: number): Promise<FileSource> {
  const path = join(folder.path, name);
  const handle = await open(path, 'w');
  await handle.truncate(size);
  await handle.close();
  const { mtimeMs, ino } = await stat(path);
  return {
    kind: 'file',
    path,
    sizeBytes: size,
    mtimeMs,
    inode: String(ino),
    mimeType: 'audio/wav',
    fingerprint: '',
  };
}

/** Uploads a file, or its first `maxParts` parts, as the queue does. */
async function upload(file: FileSource, maxParts = Infinity): Promise<UploadCost> {
  const client = new ServiceClient(baseUrl, 'key', systemClock);
  const partCount = partCountOf(file.sizeBytes, partSize);
  const session: UploadSession = { partSize, partCount, partPath: '/upload', completePath: '/complete' };
  const { signal } = new AbortController();
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const startedAt = performance.now();
  for (let number = 1; number <= Math.min(maxParts, partCount); number += 1) {
    const handle = await openSource(file);
    const part = partOf(file.sizeBytes, partSize, number);
    const result = await client.sendPart(
      session,
      number,
      partBody(handle, file.path, part, () => undefined),
      signal,
    );
    await handle.close();
    if (!result.ok) throw new Error(JSON.stringify(result.fault));
  }
  clearInterval(timer);
  await client.close();
  return {
    seconds: (performance.now() - startedAt) / 1000,
    extraMiB: Math.round((peak - idleBytes) / 1024 ** 2),
  };
}

/** Uploads the parts in sequence with curl, which reads a file of the part size. */
async function uploadByCurl(
  file: FileSource,
  processes: 'one process per part' | 'one process for all parts',
): Promise<number> {
  const part = await sparseFile('part.bin', partSize);
  const uploads = Array.from({ length: partCountOf(file.sizeBytes, partSize) }, () => [
    '-T',
    part.path,
    `${baseUrl}/upload`,
  ]);
  const calls = processes === 'one process per part' ? uploads : [uploads.flat()];
  const startedAt = performance.now();
  for (const call of calls) execFileSync('curl', ['--silent', '--output', '/dev/null', ...call]);
  return (performance.now() - startedAt) / 1000;
}
