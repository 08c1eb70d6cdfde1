import { CustomAudioDecoder, registerDecoder } from 'mediabunny';
import { afterAll, expect, test } from 'vitest';
import { openRecording } from '../../renderer/decoder/recording.ts';

/** An ADTS frame of zeros, of 23 ms. */
const frame = Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x01, 0x9f, 0xfc, 0, 0, 0, 0, 0]);

let attempts = 0;
let isRegistered = true;
/** Fails at each packet, as a decoder does when all of them are damaged. */
class FailingDecoder extends CustomAudioDecoder {
  static override supports(): boolean {
    return isRegistered;
  }
  init(): void {
    attempts++;
  }
  decode(): void {
    this.onError(new Error('The packet cannot be decoded.'));
  }
  flush(): void {}
  close(): void {}
}
registerDecoder(FailingDecoder);
afterAll(() => {
  isRegistered = false;
});

test('a recording is not decoded again once all of it was skipped', async () => {
  const file = Buffer.concat(Array.from({ length: 4 }, () => frame));
  const read = async (start: number, end: number): Promise<Uint8Array> => file.subarray(start, end);
  await expect(openRecording(file.length, read, new AbortController().signal)).rejects.toThrow(
    'its sound cannot be decoded',
  );
  expect(attempts).toBe(1);
});
