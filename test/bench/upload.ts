import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { UploadSession } from '../../electron/core/api/answers.ts';
import { ServiceClient } from '../../electron/core/api/client.ts';
import { partCountOf, partOf } from '../../electron/core/api/part-plan.ts';
import type { FileSource } from '../../electron/core/queue/item.ts';
import { openSource, partBody } from '../../electron/core/queue/source-file.ts';
import { systemClock } from '../../electron/core/system.ts';
import { temporaryFolder } from '../support/core.ts';

/**
 * How fast a file of 2 GiB leaves, beside `curl -T` for each of the same parts to the same server, and how much memory
 * it takes; then the memory for a sparse file of 50 GB. `npm run bench -- upload`
 */

const gigabyte = 1024 ** 3;
const partSize = 8 * 1024 ** 2;
const perSecond = (bytes: number, seconds: number): string => `${(bytes / seconds / 1e9).toFixed(2)} GB/s`;

const folder = await temporaryFolder();
const server = spawn(process.execPath, [resolve(import.meta.dirname, 'support/draining-server.ts')], {
  env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [port] = (await once(server.stdout, 'data')) as [Buffer];
const baseUrl = `http://127.0.0.1:${port.toString().trim()}`;

try {
  const large = await sparseFile('2 GiB.wav', 2 * gigabyte);
  await upload(large, 16);
  const ours = await upload(large);
  const curl = await uploadByCurl(large);
  const huge = await sparseFile('50 GB.wav', 50e9);
  const hugeRun = await upload(huge, 1500);
  console.log(
    `2 GiB, Longhand: ${perSecond(large.sizeBytes, ours.seconds)}, ${ours.extraMiB} MiB above idle`,
  );
  console.log(`2 GiB, curl -T per part: ${perSecond(large.sizeBytes, curl)}`);
  console.log(`times curl: ${(curl / ours.seconds).toFixed(1)}`);
  console.log(
    `first ${(1500 * partSize) / 1e9} GB of a sparse file of 50 GB: ${hugeRun.extraMiB} MiB above idle`,
  );
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

async function upload(
  file: FileSource,
  most = Infinity,
): Promise<{ readonly seconds: number; readonly extraMiB: number }> {
  const client = new ServiceClient(baseUrl, 'key', systemClock);
  const partCount = partCountOf(file.sizeBytes, partSize);
  const session: UploadSession = { partSize, partCount, partPath: '/upload', completePath: '/complete' };
  const { signal } = new AbortController();
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const startedAt = performance.now();
  for (let number = 1; number <= Math.min(most, partCount); number += 1) {
    const handle = await openSource(file);
    const part = partOf(file.sizeBytes, partSize, number);
    const answer = await client.sendPart(
      session,
      number,
      partBody(handle, file.path, part, () => undefined),
      signal,
    );
    await handle.close();
    if (!answer.ok) throw new Error(JSON.stringify(answer.fault));
  }
  clearInterval(watch);
  await client.close();
  return {
    seconds: (performance.now() - startedAt) / 1000,
    extraMiB: Math.round((peak - idle) / 1024 ** 2),
  };
}

/** Each part on its own, as the API wants it, by a curl that reads the part's bytes from a file of that size. */
async function uploadByCurl(file: FileSource): Promise<number> {
  const part = await sparseFile('part.bin', partSize);
  const target = `${baseUrl}/upload`;
  const count = partCountOf(file.sizeBytes, partSize);
  const startedAt = performance.now();
  // One curl for all parts keeps its connection, which is to its advantage.
  const uploads = Array.from({ length: count }, () => ['-T', part.path, target]).flat();
  execFileSync('curl', ['--silent', '--output', '/dev/null', ...uploads]);
  return (performance.now() - startedAt) / 1000;
}
