import type { EncodedAudio } from '../../../../electron/on-device/engine/whisper/whisper-encoder.ts';
import type { Transcription } from '../../../../electron/on-device/engine/speech-engine.ts';
import { transcribe, type TranscriptionTask } from '../../../../electron/on-device/engine/transcriber.ts';
import { frameSamples, type Frame } from '../../../../electron/on-device/engine/voice/frame.ts';
import { Interrupt } from '../../../../electron/on-device/engine/whisper/interrupt.ts';
import { Tokenizer } from '../../../../electron/on-device/engine/whisper/tokenizer.ts';
import type {
  Attention,
  DecoderState,
  WhisperRunner,
  DecoderStep,
} from '../../../../electron/on-device/engine/whisper/whisper-model.ts';
import { createWhisperSpeech } from '../../../../electron/on-device/engine/whisper/whisper-speech.ts';
import { readTinyModelFile } from '../../../support/speech/speech-audio.ts';

/** The tiny model's. */
export const tokenizer = new Tokenizer(
  await readTinyModelFile('vocabulary'),
  await readTinyModelFile('generation'),
);

const { special } = tokenizer;

/** The tokens of " And", " so", " my", " fellow", " Americans" */
export const [and, so, my, fellow, americans] = [400, 370, 452, 7177, 6280] as const;
/** The token of a time in seconds. */
export const at = (seconds: number): number => special.timestampAt(seconds);

/** The model's output for a window, its certainty, and its probability of no speech. */
export interface ScriptedOutput {
  readonly tokens: readonly number[];
  /** The score of the output token above all others; 0 is a guess. */
  readonly margin?: number;
  readonly noSpeech?: number;
  readonly language?: string;
  /** The differences when the prompt contains previous text. */
  readonly withContext?: Omit<Partial<ScriptedOutput>, 'withContext'>;
}

/** Start, language, task, and no timestamps. */
const promptLength = 4;

/** A model that returns scripted outputs and records its inputs. */
export class ScriptedModel implements WhisperRunner {
  readonly tokenizer: Tokenizer = tokenizer;
  readonly encodesConcurrently: boolean = false;
  /** Seconds of audio of each window that was encoded. */
  readonly windows: number[] = [];
  /** The prompt of each decoding: the previous text, if any, then start, language and task. */
  readonly prompts: (readonly number[])[] = [];
  /** The tokens of each run for word times, with the prompt. */
  readonly aligned: (readonly number[])[] = [];
  readonly #outputs: readonly ScriptedOutput[];
  readonly #tokensOf = new WeakMap<DecoderState, readonly number[]>();
  /** The number of each window that was decoded, by all of its states. */
  readonly #windowOf = new WeakMap<DecoderState, number>();
  #decodedWindows = 0;

  constructor(...outputs: readonly ScriptedOutput[]) {
    this.#outputs = outputs;
  }

  async encode(samples: Float32Array): Promise<EncodedAudio> {
    this.windows.push(samples.length / 16_000);
    return { values: new Float32Array(0), dimensions: [1, 0, 0] };
  }

  async firstState(): Promise<DecoderState> {
    return this.#stateAfter([]);
  }

  async decode(state: DecoderState, ...newTokens: readonly number[]): Promise<DecoderStep> {
    const tokens = [...(this.#tokensOf.get(state) ?? []), ...newTokens];
    const transcript = tokens.slice(tokens.indexOf(special.startOfTranscript));
    const isPrompted = transcript.length === 3 && transcript[0] === special.startOfTranscript;
    if (isPrompted) this.prompts.push(tokens);
    const window = this.#windowOf.get(state) ?? (this.#decodedWindows += 1);
    this.#windowOf.set(state, window);
    const all = this.#outputs[Math.min(window, this.#outputs.length) - 1] ?? { tokens: [] };
    const hasContext = tokens[0] === special.startOfPrevious;
    const output = hasContext ? { ...all, ...all.withContext } : all;
    const scores = new Float32Array(special.vocabularySize);
    if (transcript.length === 1) {
      scores[tokenizer.languages.get(output.language ?? 'en') ?? 0] = 20;
      // Against 51,864 others with a score of 0 each.
      const likely = output.noSpeech ?? 0.01;
      scores[special.noSpeech] = Math.log((likely / (1 - likely)) * (special.vocabularySize + Math.exp(20)));
    } else {
      scores[output.tokens[transcript.length - 3] ?? special.endOfText] = output.margin ?? 30;
    }
    const next = this.#stateAfter(tokens);
    this.#windowOf.set(next, window);
    return { scores, state: next };
  }

  /** Each token attends to its own half second: the first text token, which the prompt predicts, to the first. */
  async attend(state: DecoderState, newTokens: readonly number[]): Promise<Attention> {
    const tokens = this.#tokensOf.get(state) ?? [];
    const [heads, frames] = [tokenizer.alignmentHeads.length, 1500];
    const weights = new Float32Array(heads * newTokens.length * frames).fill(0.001);
    for (let head = 0; head < heads; head++) {
      for (let i = 0; i < newTokens.length; i++) {
        const word = tokens.length + i - promptLength + 1;
        const row = (head * newTokens.length + i) * frames;
        if (word >= 0) weights.fill(1, row + word * 25, row + (word + 1) * 25);
      }
    }
    this.aligned.push([...tokens, ...newTokens]);
    return { weights, heads, frames, state: this.#stateAfter([...tokens, ...newTokens]) };
  }

  #stateAfter(tokens: readonly number[]): DecoderState {
    const state: DecoderState = { tensors: {} };
    this.#tokensOf.set(state, tokens);
    return state;
  }
}

/** A {@link ScriptedModel} that encodes the next window while one is decoded, with the same outputs. */
export class ConcurrentModel extends ScriptedModel {
  override readonly encodesConcurrently = true;
}

/** A recording of continuous speech after a silence. */
export function speaking(seconds: number, silentSeconds = 0): TranscriptionTask['voiceDetector'] {
  return {
    async *frames(): AsyncGenerator<Frame> {
      for (let start = 0; start < (silentSeconds + seconds) * 16_000; start += frameSamples) {
        yield { samples: new Float32Array(frameSamples), start, voiced: start >= silentSeconds * 16_000 };
      }
    },
  };
}

async function* noSamples(): AsyncGenerator<Float32Array> {}

/** Transcribes continuous speech with a model. */
export function run(
  model: WhisperRunner,
  seconds: number,
  changes: Partial<TranscriptionTask> = {},
): Promise<Transcription> {
  return transcribe({
    model: createWhisperSpeech(model, async () => undefined),
    voiceDetector: speaking(seconds),
    samples: noSamples(),
    language: 'en',
    translateToEnglish: false,
    terms: [],
    onProgress: () => undefined,
    onWindow: () => undefined,
    checkpoint: null,
    interrupt: new Interrupt(),
    ...changes,
  });
}

/** "And so my fellow Americans", within four seconds. */
export const sentence = [at(0), and, so, my, fellow, americans, at(4)];
