import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { jobIds } from '../../../../electron/contract/command.ts';
import { ServiceClient } from '../../../../electron/core/api/client.ts';
import { systemClock } from '../../../../electron/core/system.ts';

const never = new AbortController().signal;

/** Sends every request about a job. Returns the paths that the service received. */
async function pathsFor(jobId: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const client = new ServiceClient(`http://127.0.0.1:${port}`, 'key', systemClock);
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  await client.delete(jobId, never);
  await client.status(jobId, never);
  await client.record(jobId, never);
  await client.complete(jobId, null, never);
  return paths;
}

it.each(['', '.', '..', 'a/b', '../a', String.raw`..\\a`, '\n', 'lone \ud800', 'x'.repeat(257)])(
  'a job cannot have the ID %j, with which no request is sent',
  async (jobId) => {
    expect(await pathsFor(jobId)).toEqual([]);
    expect(jobIds.safeParse([jobId]).success).toBe(false);
  },
);

it.each(['job', '...', '%2e%2e', '?a', '#a', 'a b'])('the ID %j is one segment of a path', async (jobId) => {
  const path = `/api/v1/transcriptions/${encodeURIComponent(jobId)}`;
  expect(await pathsFor(jobId)).toEqual([path, path, path, `${path}/complete`]);
  expect(jobIds.safeParse([jobId]).success).toBe(true);
});
