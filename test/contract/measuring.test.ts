import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import { openCore } from '../support/core.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { testFolder } from '../support/test-folder.ts';

vi.mock('../../electron/core/media/probe.ts', () => ({
  probeFileDuration: () => Promise.reject(new Error('what knows the formats cannot be loaded')),
}));

it('a recording that cannot be probed is added without a duration', async () => {
  const folder = await testFolder();
  const path = join(folder, 'talk.wav');
  await writeFile(path, silentWav(2));
  const longhand = openCore(join(folder, 'data'));
  const batch = longhand.queue.newAddSheet({
    service: () => 'https://cloud.example',
    options: defaultJobOptions,
    send: () => undefined,
  });
  onTestFinished(async () => {
    batch.close();
    await longhand.close();
  });
  await batch.add([path], []);
  const view = () => batch.view({ group: 'ready', offset: 0, limit: 1 });
  await expect.poll(() => view().summary.phase).toBe('ready');
  expect(view().rows).toMatchObject([{ durationSeconds: null, measuring: false }]);
});
