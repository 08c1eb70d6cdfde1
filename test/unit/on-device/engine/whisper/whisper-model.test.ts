import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { EncoderThread } from '../../../../../electron/on-device/engine/thread/encoder-thread.ts';
import { Interrupt, InterruptedError } from '../../../../../electron/on-device/engine/whisper/interrupt.ts';
import { SpecialTokens } from '../../../../../electron/on-device/engine/whisper/special-tokens.ts';
import { WhisperModel } from '../../../../../electron/on-device/engine/whisper/whisper-model.ts';
import { workerUrl } from '../../../../../electron/workers/registry.ts';
import { kennedy, readTinyModelFile, readWav } from '../../../../support/speech/speech-audio.ts';

const special = new SpecialTokens(99);
let model: WhisperModel;
beforeAll(async () => {
  model = await WhisperModel.load((part) => readTinyModelFile(part), 1);
});
afterAll(() => model.release());

it('stops encoding when interrupted, and encodes the next window', async () => {
  const speech = readWav(kennedy.wav);
  const interrupt = new Interrupt();
  // Requested before the run for a deterministic test: the encoder stops at its first layer, like at any later one.
  interrupt.request();
  await expect(model.encode(speech, interrupt)).rejects.toThrow(InterruptedError);
  expect((await model.encode(speech, new Interrupt())).values).not.toHaveLength(0);
});

it('encodes the same in a thread of its own, which can be interrupted', async () => {
  const concurrent = await WhisperModel.load(
    (part) => readTinyModelFile(part),
    1,
    (files) => EncoderThread.open(workerUrl('encoder'), files),
  );
  onTestFinished(() => concurrent.release());
  expect(concurrent.encodesConcurrently).toBe(true);
  const interrupt = new Interrupt();
  interrupt.request();
  await expect(concurrent.encode(readWav(kennedy.wav), interrupt)).rejects.toThrow(InterruptedError);
  const [here, there] = await Promise.all(
    [model, concurrent].map(async (one) => one.encode(readWav(kennedy.wav), new Interrupt())),
  );
  expect(there).toEqual(here);
  expect(here?.dimensions).toEqual([1, 1500, 384]);
});

it('decodes several tokens in one run like one after the other', async () => {
  const heard = await model.firstState(await model.encode(readWav(kennedy.wav), new Interrupt()));
  const { state } = await model.decode(heard, special.startOfPrevious);
  const words = [400, 370, 452, 7177, 6280];
  const { state: atOnce } = await model.decode(state, ...words);
  let inTurn = state;
  for (const word of words) ({ state: inTurn } = await model.decode(inTurn, word));
  // A token that attended to later ones would differ from the second layer on.
  const [expected, actual] = [inTurn, atOnce].map(({ tensors }) => tensors['past_key_values.3.decoder.key']);
  expect(actual?.dims).toEqual(expected?.dims);
  const [turn, once] = [expected?.data, actual?.data].map((data) => [...(data as Float32Array)]);
  const size = Math.hypot(...turn!);
  expect(Math.hypot(...turn!.map((value, i) => value - once![i]!)) / size).toBeLessThan(0.2);
});

it('returns the attention of its alignment heads, in any number of runs', async () => {
  const heard = await model.firstState(await model.encode(readWav(kennedy.wav), new Interrupt()));
  const { state } = await model.decode(heard, special.startOfTranscript);
  const tokens = [50_259, special.transcribe, special.noTimestamps, 400, 370, 452, 7177, 6280];
  const whole = await model.attend(state, tokens);
  expect(whole).toMatchObject({ heads: 6, frames: 1500 });
  expect(whole.weights.length).toBe(6 * tokens.length * 1500);
  for (let row = 0; row < 6 * tokens.length; row++) {
    const sum = whole.weights.subarray(row * 1500, (row + 1) * 1500).reduce((a, b) => a + b, 0);
    expect(sum).toBeCloseTo(1, 3);
  }
  const begun = await model.attend(state, tokens.slice(0, 5));
  const rest = await model.attend(begun.state, tokens.slice(5));
  // The last head's attention to the audio of the last token.
  const [once, turn] = [whole, rest].map(({ weights }) => weights.subarray(-1500));
  expect(Math.abs(largest(once) - largest(turn))).toBeLessThan(10);
});

const largest = (row: Float32Array | undefined): number => row?.indexOf(Math.max(...row)) ?? -1;
