import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { InferenceSession, Tensor, type TypedTensor } from 'onnxruntime-node';
import { expect, it } from 'vitest';
import { framesGraph, stateWidth } from '../../../../../electron/on-device/engine/voice/voice-graph.ts';
import { kennedy, readWav } from '../../../../support/speech/speech-audio.ts';

const path = createRequire(import.meta.url).resolve('@ricky0123/vad-web/dist/silero_vad_v5.onnx');
const frameLength = 576;

it('returns for a batch of two streams what the published model returns for each frame of each', async () => {
  const published = await readFile(path);
  const loud = readWav(kennedy.wav).subarray(0, 200 * frameLength);
  const streams = [loud, loud.map((sample) => sample / 20)];
  const frameCount = loud.length / frameLength;

  const single = await InferenceSession.create(published);
  const sr = new Tensor('int64', BigInt64Array.of(16_000n), []);
  const expected = await Promise.all(
    streams.map(async (samples) => {
      const probabilities: number[] = [];
      let state = new Tensor('float32', new Float32Array(2 * stateWidth), [2, 1, stateWidth]);
      for (let start = 0; start < samples.length; start += frameLength) {
        const input = new Tensor('float32', samples.slice(start, start + frameLength), [1, frameLength]);
        const { output, stateN }: InferenceSession.ReturnType = await single.run({ input, state, sr });
        probabilities.push(Number(output?.data[0]));
        state = floats(stateN);
      }
      return { probabilities, state: [...state.data] };
    }),
  );

  const whole = await InferenceSession.create(framesGraph(published, streams.length));
  const frames = Array.from({ length: frameCount }, (_, i) =>
    streams.flatMap((samples) => [...samples.subarray(i * frameLength, (i + 1) * frameLength)]),
  );
  const { output, stateN } = await whole.run({
    input: new Tensor('float32', Float32Array.from(frames.flat()), [
      frameCount * streams.length,
      frameLength,
    ]),
    state: new Tensor('float32', new Float32Array(4 * stateWidth), [2, streams.length, stateWidth]),
  });

  const probabilities = [...floats(output).data];
  const states = [...floats(stateN).data];
  for (const [i, stream] of expected.entries()) {
    expectClose(
      probabilities.filter((_, at) => at % streams.length === i),
      stream.probabilities,
    );
    // Short-term and long-term state, each of both streams.
    const ofStream = states.filter((_, at) => Math.floor(at / stateWidth) % streams.length === i);
    expectClose(ofStream, stream.state);
    expect(new Set(stream.probabilities).size).toBeGreaterThan(100);
  }
});

/** The sums are added up in another order, so the last digits differ. */
function expectClose(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 3);
}

function floats(tensor: Tensor | undefined): TypedTensor<'float32'> {
  if (tensor?.type !== 'float32') throw new Error('The detector returned no numbers.');
  return tensor as TypedTensor<'float32'>;
}

it('rejects any other model', () => {
  expect(() => framesGraph(new Uint8Array(0), 2)).toThrow(RangeError);
});
