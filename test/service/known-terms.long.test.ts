import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transcribe, type TranscriptionTask } from '../../electron/on-device/engine/transcriber.ts';
import { type Frame, frameSamples } from '../../electron/on-device/engine/voice/frame.ts';
import { VoiceDetector } from '../../electron/on-device/engine/voice/voice-detector.ts';
import { Interrupt } from '../../electron/on-device/engine/whisper/interrupt.ts';
import { WhisperModel } from '../../electron/on-device/engine/whisper/whisper-model.ts';
import { createWhisperSpeech } from '../../electron/on-device/engine/whisper/whisper-speech.ts';
import { bundledModelFolder, readModelFile } from '../../electron/on-device/models/model-files.ts';
import {
  inChunks,
  join16k,
  kennedy,
  modelsFolder,
  music,
  noise,
  readWav,
  silence,
  wordErrorRate,
} from '../support/speech/speech-audio.ts';

const terms = ['Aisling Wetherby', 'Okonkwo', 'Gdansk', 'Lindqvist', 'Brzezinski', 'Thessaloniki', 'Mbeki'];
const anyTerm = new RegExp(terms.join('|').replaceAll(' ', '|'), 'i');

/** Takes everything for voice, as the voice detector may do for a moment. */
const everythingIsVoice: TranscriptionTask['voiceDetector'] = {
  async *frames(chunks: AsyncIterable<Float32Array>): AsyncGenerator<Frame> {
    let start = 0;
    for await (const chunk of chunks) {
      for (let at = 0; at + frameSamples <= chunk.length; at += frameSamples) {
        yield { samples: chunk.subarray(at, at + frameSamples), start, voiced: true };
        start += frameSamples;
      }
    }
  },
};

describe.each(['tiny', 'base'] as const)('known terms, with the %s model', (name) => {
  let model: WhisperModel;
  let detector: VoiceDetector;
  beforeAll(async () => {
    const folder = bundledModelFolder(modelsFolder, name);
    model = await WhisperModel.load(
      (part) => readModelFile({ origin: 'bundled', model: name, folder }, part),
      2,
    );
    detector = await VoiceDetector.load();
  });
  afterAll(async () => {
    await model.release();
    await detector.release();
  });

  const textOf = async (
    samples: Float32Array,
    {
      voices = detector,
      list = terms,
    }: { voices?: TranscriptionTask['voiceDetector']; list?: readonly string[] } = {},
  ): Promise<string> => {
    const { segments } = await transcribe({
      model: createWhisperSpeech(model, () => model.release()),
      voiceDetector: voices,
      samples: inChunks(samples, frameSamples / 500),
      language: 'en',
      translateToEnglish: false,
      terms: list,
      onProgress: () => undefined,
      onWindow: () => undefined,
      checkpoint: null,
      interrupt: new Interrupt(),
    });
    return segments.map(({ text }) => text).join(' ');
  };

  it.each([
    ['silence', silence(9)],
    ['white noise', noise(9)],
    ['microphone noise', noise(9, 0.0005)],
    ['music', music(9)],
    ['a moment of noise', noise(1)],
    ['a moment of music', music(2)],
  ])('are not in %s, even if it is taken for voice', async (_, samples) => {
    expect(await textOf(samples, { voices: everythingIsVoice })).not.toMatch(anyTerm);
    expect(await textOf(samples)).toBe('');
  });

  it('are not in speech without them, nor in the pauses around it', async () => {
    const speech = readWav(kennedy.wav);
    const audio = join16k(silence(3), speech, music(8), noise(4, 0.05), speech, silence(12));
    expect(wordErrorRate(`${kennedy.text} ${kennedy.text}`, await textOf(audio))).toBeLessThanOrEqual(0.05);
  });

  it('decide how a word is spelled', async () => {
    const speech = readWav(kennedy.wav);
    expect(await textOf(speech, { list: [] })).toContain('fellow Americans');
    expect(await textOf(speech, { list: ['fellow-Americans'] })).toContain('fellow-Americans');
  });
});
