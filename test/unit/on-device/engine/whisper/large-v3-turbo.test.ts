import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../../../../../electron/core/transcript/word-times.ts';
import { transcribe } from '../../../../../electron/on-device/engine/transcriber.ts';
import { VoiceDetector } from '../../../../../electron/on-device/engine/voice/voice-detector.ts';
import { Interrupt } from '../../../../../electron/on-device/engine/whisper/interrupt.ts';
import { WhisperModel } from '../../../../../electron/on-device/engine/whisper/whisper-model.ts';
import { createWhisperSpeech } from '../../../../../electron/on-device/engine/whisper/whisper-speech.ts';
import { ModelError, type ModelPart } from '../../../../../electron/on-device/models/model-catalog.ts';
import {
  inChunks,
  kennedy,
  readTinyModelFile,
  readWav,
  wordErrorRate,
} from '../../../../support/speech/speech-audio.ts';
import { buildStandInTurbo } from '../../../../support/speech/stand-in-turbo.ts';

let files: Readonly<Record<ModelPart, Uint8Array>>;
beforeAll(async () => {
  files = await buildStandInTurbo();
});
const load = (part: ModelPart): Promise<Uint8Array> => Promise.resolve(files[part].slice());

describe('a model with the inputs and outputs of large-v3-turbo', () => {
  let model: WhisperModel;
  let voices: VoiceDetector;
  beforeAll(async () => {
    model = await WhisperModel.load(load, 2);
    voices = await VoiceDetector.load();
  });
  afterAll(async () => {
    await model.release();
    await voices.release();
  });

  it('transcribes speech in the language that it detects, with times of segments and words', async () => {
    const { language, segments } = await transcribe({
      model: createWhisperSpeech(model, () => model.release()),
      voiceDetector: voices,
      samples: inChunks(readWav(kennedy.wav)),
      language: 'auto',
      translateToEnglish: false,
      terms: ['Americans'],
      onProgress: () => undefined,
      onWindow: () => undefined,
      checkpoint: null,
      interrupt: new Interrupt(),
    });
    const text = segments.map((segment) => segment.text).join(' ');
    expect(language).toBe('en');
    expect(wordErrorRate(kennedy.text, text)).toBeLessThan(0.1);
    expect(segments[0]?.start).toBeCloseTo(0.3, 0);
    const [first] = segments;
    const said = (first && wordsOf(first))?.map(({ from, to, start }) => [first.text.slice(from, to), start]);
    expect(said?.[4]).toEqual(['Americans', expect.closeTo(1.6, 0)]);
  });
});

describe('parts that do not belong together are refused', () => {
  it('with the settings of another model', async () => {
    const loading = WhisperModel.load(
      (part) => (part === 'generation' ? readTinyModelFile(part) : load(part)),
      1,
    );
    await expect(loading).rejects.toThrow(ModelError);
    await expect(loading).rejects.toThrow('51866 tokens');
  });
});
