import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Clock } from '../../electron/core/ports.ts';
import { add, openCore, waitUntilSettled } from '../support/core.ts';
import { startOnDevice } from '../support/servers/on-device.ts';
import { silentWav } from '../support/speech/quick-speech.ts';
import { testFolder } from '../support/test-folder.ts';

/** Time passes twenty times as fast, and each reading of this clock takes half a second. */
function slowClock(): Clock {
  let looks = 0;
  return {
    now: () => Date.now() * 20 + 500 * (looks += 1),
    schedule: (delayMs, callback) => {
      const timer = setTimeout(callback, delayMs / 20);
      return () => clearTimeout(timer);
    },
  };
}

it('a poll that falls due while the queue collects due requests is not forgotten', async () => {
  const folder = await testFolder();
  const service = await startOnDevice({ dataFolder: join(folder, 'service') });
  const longhand = openCore(join(folder, 'data'), { clock: slowClock() });
  longhand.services.openOnDevice(service.baseUrl, service.key);
  longhand.start();
  for (let n = 1; n <= 5; n += 1) {
    const path = join(folder, `${n}.wav`);
    await writeFile(path, silentWav(n));
    await add(longhand, [path]);
    const rows = await waitUntilSettled(longhand, 'done');
    expect(rows).toHaveLength(n);
  }
  await longhand.close();
  await service.stop();
});
