import { afterAll, describe, expect, it, vi } from 'vitest';
import { ParakeetModel } from '../../../../../electron/on-device/engine/parakeet/parakeet-model.ts';
import {
  type EmittedToken,
  maxTokensPerFrame,
} from '../../../../../electron/on-device/engine/parakeet/tdt-decoding.ts';
import { Interrupt, InterruptedError } from '../../../../../electron/on-device/engine/whisper/interrupt.ts';
import { ModelError, type ModelPart } from '../../../../../electron/on-device/models/model-catalog.ts';
import { kennedy, noise, readWav } from '../../../../support/speech/speech-audio.ts';
import {
  standInDecoder,
  standInEncoder,
  standInParakeet,
  standInPieces,
} from '../../../../support/speech/stand-in-parakeet.ts';
// What parakeet.js finds: npm run bench -- larger-models --compare --write
import expected from './decoding.json' with { type: 'json' };

const speech = readWav(kennedy.wav);
const model = await ParakeetModel.load(standInParakeet(), 2);
afterAll(() => model.release());

describe('a Parakeet model', () => {
  it('finds the tokens, frames, durations and probabilities that parakeet.js finds with the same graphs', async () => {
    const all: EmittedToken[] = [];
    for (const { from, to, tokens, frames, durations, logProbabilities } of expected) {
      const found = await model.recognize(speech.subarray(from, to), new Interrupt());
      expect(found.map(({ token }) => token)).toEqual(tokens);
      expect(found.map(({ frame }) => frame)).toEqual(frames);
      expect(found.map(({ duration }) => duration)).toEqual(durations);
      for (const [i, { probability }] of found.entries())
        expect(Math.log(probability)).toBeCloseTo(logProbabilities[i]!, 2);
      all.push(...found);
    }
    // Nothing is compared that does not happen: all durations, several tokens and too many in a frame.
    expect(new Set(all.map(({ duration }) => duration))).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(all.filter(({ duration }) => duration === 0).length).toBeGreaterThan(maxTokensPerFrame);
    expect(new Set(all.map(({ token }) => token)).size).toBeGreaterThan(5);
  });

  it('gives the same result again, whatever it has heard before', async () => {
    const piece = speech.subarray(0, 32_000);
    const first = await model.recognize(piece, new Interrupt());
    await model.recognize(noise(1, 0.2), new Interrupt());
    expect(await model.recognize(piece, new Interrupt())).toEqual(first);
  });

  it('finds nothing in no audio', async () => {
    expect(await model.recognize(new Float32Array(0), new Interrupt())).toEqual([]);
    expect(await model.recognize(new Float32Array(159), new Interrupt())).toEqual([]);
  });

  it('stops between two tokens, and within a run of the encoder', async () => {
    const interrupt = new Interrupt();
    interrupt.request();
    await expect(model.recognize(speech, interrupt)).rejects.toThrow(InterruptedError);

    // The invalid shape makes the encoder itself fail, not only the check after it.
    const fails = vi.spyOn(interrupt, 'throwIfRequested').mockReturnValue();
    await expect(model.recognize(speech, interrupt)).rejects.toThrow(/Reshape/u);
    fails.mockRestore();
    const plain = await ParakeetModel.load(standInParakeet({ withoutNormalization: true }), 1);
    await expect(plain.recognize(speech, interrupt)).rejects.toThrow(InterruptedError);
    await plain.release();
  });

  it.each([
    ['an encoder for other bands', { bands: 80 }, /"audio_signal" is .* 80 .* instead of .* 128/u],
    ['a decoder without durations', { scores: standInPieces.length }, /"outputs" is .* instead of/u],
  ])('is refused in words with %s', async (_, changes, message) => {
    const loading = ParakeetModel.load(standInParakeet(changes), 1);
    await expect(loading).rejects.toThrow(ModelError);
    await expect(loading).rejects.toThrow(message);
  });

  it.each([
    ['a decoder for an encoder of another width', { decoder: standInDecoder({ width: 512 }) }],
    ['an encoder instead of the decoder', { decoder: standInEncoder() }],
    ['a decoder instead of the encoder', { encoder: standInDecoder() }],
    ['an encoder that is not a model', { encoder: Uint8Array.of(1, 2, 3) }],
    ['an empty decoder', { decoder: new Uint8Array(0) }],
    ['a vocabulary of other size', { vocabulary: new TextEncoder().encode('a 0\n<blk> 1\n') }],
  ])('is refused with %s', async (_, files: { readonly [part in ModelPart]?: Uint8Array }) => {
    const read = async (part: ModelPart): Promise<Uint8Array> =>
      files[part]?.slice() ?? standInParakeet()(part);
    await expect(ParakeetModel.load(read, 1)).rejects.toThrow(ModelError);
  });
});
