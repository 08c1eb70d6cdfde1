import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openUpdater } from '../../../electron/shell/updates/open-updater.ts';
import { quietLogger } from '../../support/core.ts';
import { testFolder } from '../../support/test-folder.ts';

const chunk = Buffer.alloc(1024 ** 2, '# comment\n');
const allBytes = 100 * chunk.length;

/** Serves a feed that is much too long; `sent` resolves with the number of bytes that were sent until it was closed. */
async function startLongFeed(status: number) {
  const sent = Promise.withResolvers<number>();
  const server = createServer((_, response) => {
    let bytes = 0;
    response.once('close', () => sent.resolve(bytes));
    response.writeHead(status, { 'content-type': 'text/yaml' });
    const send = (): void => {
      while (!response.destroyed && bytes < allBytes) {
        bytes += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', send);
      }
      response.end();
    };
    send();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { url: `http://127.0.0.1:${address.port}`, sent: sent.promise };
}

it.each([
  [200, /is longer than/],
  [404, /404/],
  [500, /is longer than/],
])('an endless feed is not read to its end: status %i', async (status, message) => {
  const feed = await startLongFeed(status);
  const cacheFolder = await testFolder();
  const configPath = join(cacheFolder, 'app-update.yml');
  await writeFile(configPath, `provider: generic\nurl: ${feed.url}\n`);
  const updater = await openUpdater({
    configPath,
    version: '0.1.0',
    cacheFolder,
    platform: 'linux',
    logger: quietLogger,
  });
  await expect(updater.check()).rejects.toThrow(message);
  expect(await feed.sent).toBeLessThan(allBytes / 2);
});
