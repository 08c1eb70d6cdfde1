import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startCountingProxy, type CountingProxy } from '../support/counting-proxy.ts';
import { temporaryFolder } from '../support/core.ts';
import { startOnDevice, type TestService } from '../support/on-device.ts';
import { dropFiles, startProgram } from '../support/program.ts';
import { speechlessWave } from '../support/quick-speech.ts';

const partBytes = 64 * 1024;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
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

const sentParts = (): readonly number[] =>
  proxy.passed
    .filter(({ method }) => method === 'PUT')
    .map(({ url }) => Number(new URL(url, proxy.baseUrl).searchParams.get('part_number')));

it('goes on after a kill in mid-upload: one job, one transcript, one part sent twice at most', async () => {
  const recording = join(folder.path, 'interview.wav');
  await writeFile(recording, speechlessWave(100));
  const data = join(folder.path, 'data');

  const first = await startProgram(data);
  await first.page.getByRole('radio', { name: 'Cloud account' }).check();
  await first.page.getByLabel('Address').fill(proxy.baseUrl);
  await first.page.getByLabel('API key').fill(service.key);
  await first.page.getByRole('button', { name: 'Check and connect' }).click();
  await first.page.getByRole('heading', { name: 'Queue' }).waitFor();
  await dropFiles(first.page, [recording]);
  await first.page.getByRole('button', { name: 'Start 1 recording' }).click();
  while (sentParts().length < 5) await sleep(10);
  await first.kill();
  const sentBefore = sentParts().length;
  const partCount = Math.ceil((44 + 100 * 32_000) / partBytes);
  expect(sentBefore).toBeLessThan(partCount);

  const second = await startProgram(data);
  await second.page.getByText(/Done · .* words/).waitFor({ timeout: 60_000 });
  const library = await second.page.evaluate(() =>
    window.longhand.invoke('library.list', {
      query: '',
      tag: null,
      sort: 'relevance',
      trash: false,
      offset: 0,
      limit: 10,
      whole: false,
    }),
  );
  await second.close();

  expect(library).toMatchObject({ ok: true, value: { total: 1, rows: [{ name: 'interview.wav' }] } });
  const jobs = await fetch(`${service.baseUrl}/api/v1/transcriptions`, {
    headers: { authorization: `Bearer ${service.key}` },
  });
  expect(((await jobs.json()) as { data: unknown[] }).data).toHaveLength(1);
  expect(sentParts().length).toBeLessThanOrEqual(partCount + 1);
  expect(new Set(sentParts()).size).toBe(partCount);
});
