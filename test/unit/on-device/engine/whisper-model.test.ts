import { afterAll, beforeAll, expect, it } from 'vitest';
import { Interrupt, InterruptedError } from '../../../../electron/on-device/engine/interrupt.ts';
import { readModelPart } from '../../../../electron/on-device/engine/models.ts';
import { WhisperModel } from '../../../../electron/on-device/engine/whisper-model.ts';
import { kennedy, modelsFolder, readWav } from '../../../support/speech-audio.ts';

let model: WhisperModel;
beforeAll(async () => {
  model = await WhisperModel.load((part) => readModelPart(modelsFolder, 'tiny', part), 1);
});
afterAll(() => model.release());

it('that is interrupted while it listens stops, and listens to the next window', async () => {
  const speech = readWav(kennedy.wav);
  const interrupt = new Interrupt();
  // Before the run, so that no clock decides: the encoder finds it at its first layer, as it would at any later one.
  interrupt.request();
  await expect(model.listen(speech, interrupt)).rejects.toThrow(InterruptedError);
  expect(Object.keys((await model.listen(speech, new Interrupt())).tensors)).not.toHaveLength(0);
});
