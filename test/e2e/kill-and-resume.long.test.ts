import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startCountingProxy, type CountingProxy } from '../support/servers/counting-proxy.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { answerQuestions, dropFiles, startProgram } from '../support/built-program.ts';
import { silentWav } from '../support/speech/quick-speech.ts';

const partBytes = 64 * 1024;

let folder: TemporaryFolder;
let service: TestService;
let proxy: CountingProxy;

beforeEach(async () => {
  folder = await temporaryFolder();
  service = await startOnDevice({ dataFolder: join(folder.path, 'service'), limits: { partBytes } });
  proxy = await startCountingProxy(service.baseUrl, 50);
});

afterEach(async () => {
  await proxy.close();
  await service.stop();
  await folder.remove();
});

/** Returns the parts that have arrived, by address. */
const sentParts = (): readonly string[] =>
  proxy.passed.filter(({ method }) => method === 'PUT').map(({ url }) => url);

it('continues after a kill during the upload: one job each, one transcript, few parts sent twice', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `Interview ${index + 1}.wav`);
  const paths = names.map((name) => join(folder.path, name));
  // Different durations, so that no two are equal.
  const lengths = names.map((_, index) => 10 + index);
  for (const [index, seconds] of lengths.entries()) await writeFile(paths[index] ?? '', silentWav(seconds));
  const data = join(folder.path, 'data');

  const first = await startProgram(data);
  await answerQuestions(first.app, 'yes');
  await first.page.getByRole('radio', { name: 'Cloud account' }).check();
  await first.page.getByLabel('Address').fill(proxy.baseUrl);
  await first.page.getByLabel('API key').fill(service.key);
  await first.page.getByRole('button', { name: 'Check and connect' }).click();
  await first.page.getByRole('heading', { name: 'Queue' }).waitFor();
  await dropFiles(first.page, paths);
  await first.page.getByRole('button', { name: 'Start 9 recordings' }).click();
  await vi.waitUntil(() => sentParts().length >= 8, { timeout: 60_000 });
  await first.kill();
  const partCounts = lengths.map((seconds) => Math.ceil((44 + seconds * 32_000) / partBytes));
  const partCount = partCounts.reduce((sum, count) => sum + count, 0);
  expect(sentParts().length).toBeLessThan(partCount);

  const second = await startProgram(data);
  await second.page.getByRole('button', { name: 'Done 9' }).waitFor({ timeout: 120_000 });
  const library = await second.page.evaluate(() => window.longhand.invoke('library.counts', undefined));
  await second.close();

  expect(library).toMatchObject({ ok: true, value: { total: 9 } });
  const jobs = await fetch(`${service.baseUrl}/api/v1/transcriptions`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  expect(((await jobs.json()) as { data: unknown[] }).data).toHaveLength(9);
  // Two files upload at a time: one part of each may have been in flight.
  expect(sentParts().length).toBeLessThanOrEqual(partCount + 2);
  expect(new Set(sentParts()).size).toBe(partCount);
});
