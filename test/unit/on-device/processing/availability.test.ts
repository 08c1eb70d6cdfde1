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
};
const hour = 60 * 60 * 1000;

test('an engine that keeps crashing is paused for a minute, and no longer when the clock is set back', async () => {
  let now = 100 * hour;
  const clock = { now: () => now, schedule: () => () => undefined };
  const availability = new Availability(computer, clock);
  for (let stop = 0; stop < 3; stop++) availability.recordEngineStop();
  await expect(availability.assertEngineReady(options)).rejects.toMatchObject({
    code: 'provider_unavailable',
    retryAfterSeconds: 60,
  });
  now -= hour;
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
