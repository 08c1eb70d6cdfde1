import { expect, test } from 'vitest';
import { measureDuration } from '../../../../electron/on-device/decode/decoder.ts';
import { ServiceError } from '../../../../electron/on-device/service-error.ts';

const never = new AbortController().signal;
const maxSeconds = 2 * 3600;

/** A recording whose stated and actual durations differ. Counts how much of it was read. */
function recording(durationSeconds: number | null, seconds: number) {
  const read = { seconds: 0 };
  return {
    read,
    durationSeconds,
    async *samples() {
      for (; read.seconds < seconds; read.seconds++) yield new Float32Array(16_000);
    },
  };
}

test('uses a stated duration up to the maximum without reading the audio', async () => {
  const stated = recording(61.2345, 10);
  expect(await measureDuration(stated, maxSeconds, never)).toBe(61.235);
  expect(await measureDuration(recording(maxSeconds, 10), maxSeconds, never)).toBe(maxSeconds);
  expect(stated.read.seconds).toBe(0);
});

test.each([null, 0, Infinity, Number.NaN, maxSeconds + 1, 1_342_177_279])(
  'measures the audio when the stated duration is invalid: %s',
  async (claimed) => {
    expect(await measureDuration(recording(claimed, 10), maxSeconds, never)).toBe(10);
  },
);

test('rejects a recording that is too long, and stops reading at the maximum', async () => {
  const endless = recording(null, Infinity);
  const refusal = await measureDuration(endless, maxSeconds, never).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ServiceError);
  expect(refusal).toMatchObject({
    code: 'file_too_large',
    message: 'Recordings of more than 2 hours are not accepted. Split it into shorter ones.',
  });
  expect(endless.read.seconds).toBe(maxSeconds);
});

test('aborts the measurement', async () => {
  const abort = new AbortController();
  const counting = measureDuration(recording(null, Infinity), Infinity, abort.signal);
  abort.abort(new Error('cancelled'));
  await expect(counting).rejects.toThrow('cancelled');
});
