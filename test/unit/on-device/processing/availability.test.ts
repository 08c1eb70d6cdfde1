import { expect, test } from 'vitest';
import type { JobOptions } from '../../../../electron/contract/options.ts';
import { Availability } from '../../../../electron/on-device/processing/availability.ts';

const options: JobOptions = { language: 'auto', accuracy: 'fast', translateToEnglish: false };
const hour = 60 * 60 * 1000;

test('an engine that keeps crashing is paused for a minute, and no longer when the clock is set back', async () => {
  let now = 100 * hour;
  const clock = { now: () => now, schedule: () => () => undefined };
  const availability = new Availability(
    { missingModel: async () => null, freeBytes: async () => Infinity },
    clock,
  );
  for (let stop = 0; stop < 3; stop++) availability.recordEngineStop();
  await expect(availability.assertEngineReady(options)).rejects.toMatchObject({
    code: 'provider_unavailable',
    retryAfterSeconds: 60,
  });
  now -= hour;
  await expect(availability.assertEngineReady(options)).resolves.toBeUndefined();
});
