import { expect, test } from 'vitest';
import type { SpeechOptions } from '../../../../electron/contract/options.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import {
  Availability,
  type HostEnvironment,
} from '../../../../electron/on-device/processing/availability.ts';

const options: SpeechOptions = { language: 'auto', accuracy: 'fast', translateToEnglish: false, terms: [] };
const computer: HostEnvironment = {
  missingModel: async () => null,
  freeBytes: async () => Infinity,
  isBusy: () => false,
  onDiskFull: () => undefined,
  onFault: () => undefined,
};

test('nothing is accepted while the engine pauses', async () => {
  const clock = new ManualClock();
  const availability = new Availability(computer, clock);
  for (const job of ['a', 'b', 'c']) availability.engineFaults.record(job);
  await expect(availability.assertEngineReady(options)).rejects.toMatchObject({
    code: 'provider_unavailable',
    retryAfterSeconds: 60,
  });
  clock.advance(60_000);
  await expect(availability.assertEngineReady(options)).resolves.toBeUndefined();
});

test('a disk that only the user can free is reported until there is space again', async () => {
  const clock = new ManualClock();
  const reports: boolean[] = [];
  let freeBytes = 0;
  let isBusy = true;
  const availability = new Availability(
    {
      ...computer,
      freeBytes: async () => freeBytes,
      isBusy: () => isBusy,
      onDiskFull: (isFull) => reports.push(isFull),
    },
    clock,
  );
  const accept = () => availability.assertFreeSpace(1_000_000_000);
  // Work in progress frees space when it is done.
  await expect(accept()).rejects.toMatchObject({ code: 'queue_unavailable' });
  expect(reports).toEqual([]);
  isBusy = false;
  await expect(accept()).rejects.toMatchObject({ code: 'queue_unavailable' });
  await expect(accept()).rejects.toMatchObject({ code: 'queue_unavailable' });
  clock.advance(5_000);
  await expect.poll(() => clock.nextAt).not.toBeNull();
  expect(reports).toEqual([true]);
  freeBytes = 2_000_000_000;
  clock.advance(5_000);
  await expect.poll(() => reports).toEqual([true, false]);
  await accept();
});
