import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openRecording } from '../../renderer/decoder/recording.ts';
import { noise, wavFile } from '../support/speech/speech-audio.ts';

test('a failed read-ahead ends the recording only where the bytes are needed', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): unknown => unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  onTestFinished(() => void process.off('unhandledRejection', onUnhandled));

  const file = wavFile(noise(60));
  const readable = 1_000_000;
  let refused = 0;
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    await nextTick();
    if (end <= readable) return file.subarray(start, end);
    refused += 1;
    throw new Error('the drive is gone');
  };
  const recording = await openRecording(file.length, read, new AbortController().signal);
  let seconds = 0;
  for await (const { samples } of recording.pieces) {
    seconds += samples.length / 16_000;
    // Slower than the decoder, so that there is time to read ahead.
    for (let ticks = 0; ticks < 5; ticks += 1) await nextTick();
  }
  recording.close();

  expect(seconds).toBeGreaterThan(10);
  expect(seconds).toBeLessThan(readable / 32_000);
  expect(refused).toBeGreaterThan(0);
  expect(unhandled).toEqual([]);
});
