import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, it } from 'vitest';
import { framesGraph } from '../../../../../electron/on-device/engine/voice/voice-graph.ts';
import { kennedy, readWav } from '../../../../support/speech/speech-audio.ts';

const path = createRequire(import.meta.url).resolve('@ricky0123/vad-web/dist/silero_vad_v5.onnx');
const frameLength = 576;

it('returns for a batch of frames what the published model returns frame by frame', async () => {
  const published = await readFile(path);
  const samples = readWav(kennedy.wav).subarray(0, 200 * frameLength);
  const nothing = new Tensor('float32', new Float32Array(256), [2, 1, 128]);

  const single = await InferenceSession.create(published);
  const sr = new Tensor('int64', BigInt64Array.of(16_000n), []);
  const expected: unknown[] = [];
  let state: Tensor = nothing;
  for (let start = 0; start < samples.length; start += frameLength) {
    const input = new Tensor('float32', samples.slice(start, start + frameLength), [1, frameLength]);
    const { output, stateN }: InferenceSession.ReturnType = await single.run({ input, state, sr });
    if (!(stateN instanceof Tensor)) throw new Error('The detector gave no state.');
    expected.push(output?.data[0]);
    state = stateN;
  }

  const whole = await InferenceSession.create(framesGraph(published));
  const input = new Tensor('float32', samples.slice(), [samples.length / frameLength, frameLength]);
  const { output, stateN } = await whole.run({ input, state: nothing });
  expect([...(output?.data ?? [])]).toEqual(expected);
  expect(stateN?.data).toEqual(state.data);
  expect(new Set(expected).size).toBeGreaterThan(100);
});

it('rejects any other model', () => {
  expect(() => framesGraph(new Uint8Array(0))).toThrow(RangeError);
});
