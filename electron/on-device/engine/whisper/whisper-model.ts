import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelError, type ModelPart } from '../../models/model-catalog.ts';
import { free, loadSessions, sessionOptions } from '../onnx/sessions.ts';
import type { Interrupt } from './interrupt.ts';
import { Tokenizer } from './tokenizer.ts';
import {
  type AudioEncoder,
  type EncodedAudio,
  type EncoderFiles,
  WhisperEncoder,
} from './whisper-encoder.ts';
import {
  alignmentOutput,
  crossAttentionGraph,
  decoderGraph,
  encoderGraph,
  sizeOf,
} from './whisper-graphs.ts';

/** Tensors by the names of the decoder graph's inputs. */
type Tensors = Readonly<Record<string, Tensor>>;

/**
 * What the decoder knows between two tokens: the keys and values of the encoded audio and of the tokens so far (KV
 * cache). Immutable, so decoding can restart from any state.
 */
export interface DecoderState {
  readonly tensors: Tensors;
}

/** What the decoder returns for a token. */
export interface DecoderStep {
  /** A score (logit) for each possible next token. The caller owns the array. */
  readonly scores: Float32Array;
  readonly state: DecoderState;
}

/** Which frames of the audio tokens attend to. */
export interface Attention {
  /** [heads, tokens, frames], each row adding up to 1. A frame is 0.02 s of the window. */
  readonly weights: Float32Array;
  readonly heads: number;
  readonly frames: number;
  /** The decoder after the tokens. */
  readonly state: DecoderState;
}

/** A {@link WhisperModel} or its test double. */
export type WhisperRunner = Pick<
  WhisperModel,
  'tokenizer' | 'encodesConcurrently' | 'encode' | 'firstState' | 'decode' | 'attend'
>;

/** A Whisper model in memory. Each run of the decoder blocks the calling thread. */
export class WhisperModel {
  readonly tokenizer: Tokenizer;
  readonly #encoder: AudioEncoder;
  readonly #crossAttention: InferenceSession;
  readonly #decoder: InferenceSession;
  readonly #emptyCache: Tensors;
  readonly #stepOutputs: readonly string[];

  private constructor(
    tokenizer: Tokenizer,
    encoder: AudioEncoder,
    crossAttention: InferenceSession,
    decoder: InferenceSession,
  ) {
    this.tokenizer = tokenizer;
    this.#encoder = encoder;
    this.#crossAttention = crossAttention;
    this.#decoder = decoder;
    this.#emptyCache = emptyCache(decoder);
    this.#stepOutputs = decoder.outputNames.filter((name) => name !== alignmentOutput);
  }

  /**
   * Loads one part after the other, so that no two parts are held in memory twice at the same time.
   *
   * @param read reads one of the model's files into its own buffer, which is freed
   * @param threads how many cores the encoder may use
   * @param openEncoder opens the encoder, in this thread unless another one is given
   * @throws ModelError when the parts do not belong together
   */
  static async load(
    read: (part: ModelPart) => Promise<Uint8Array>,
    threads: number,
    openEncoder: (files: EncoderFiles) => Promise<AudioEncoder> = (files) => WhisperEncoder.open(files),
  ): Promise<WhisperModel> {
    return loadSessions(async (open) => {
      const tokenizer = new Tokenizer(await read('vocabulary'), await read('generation'));
      const publishedEncoder = await read('encoder');
      const { melBands, heads } = sizeOf(publishedEncoder);
      const encoder = encoderGraph(publishedEncoder, heads);
      free(publishedEncoder);
      const publishedDecoder = await read('decoder');
      const crossAttentionBytes = crossAttentionGraph(publishedDecoder);
      const decoderBytes = decoderGraph(publishedDecoder, heads, tokenizer.alignmentHeads);
      free(publishedDecoder);
      // A step is too short to divide: two threads need a third more processor time and save none.
      const decoder = await open(decoderBytes, sessionOptions(1));
      assertTokenCount(decoder, tokenizer.special.vocabularySize);
      const crossAttention = await open(crossAttentionBytes, {
        ...sessionOptions(threads),
        // It runs once per window, so it need not keep the memory for its large outputs until the next one.
        enableCpuMemArena: false,
      });
      const opened = await openEncoder({ encoder, melBands, threads });
      return new WhisperModel(tokenizer, opened, crossAttention, decoder);
    });
  }

  /** Whether {@link encode} works while this thread decodes. */
  get encodesConcurrently(): boolean {
    return this.#encoder.isConcurrent;
  }

  /**
   * Encodes the audio of a window of at most 30 s.
   *
   * @throws InterruptedError when it is interrupted
   */
  encode(samples: Float32Array, interrupt: Interrupt): Promise<EncodedAudio> {
    return this.#encoder.encode(samples, interrupt);
  }

  /**
   * Returns the decoder's state for encoded audio, without any token, and frees the audio. The state is eight times as large
   * (tiny) to 24 times (small), so only a window that is decoded has one.
   */
  async firstState({ values, dimensions }: EncodedAudio): Promise<DecoderState> {
    const audio = new Tensor('float32', values, dimensions);
    const keysAndValues = await this.#crossAttention.run({ encoder_hidden_states: audio });
    free(values);
    return { tensors: { ...this.#emptyCache, ...toPast(keysAndValues) } };
  }

  /** Feeds the decoder the next tokens and returns the scores of the token after the last of them. */
  async decode(state: DecoderState, ...tokens: readonly number[]): Promise<DecoderStep> {
    const { logits, ...cache } = await this.#decoder.run(stepInputs(state, tokens), this.#stepOutputs);
    const scores = logits?.data;
    if (!(scores instanceof Float32Array)) throw new Error('The decoder returned no scores.');
    const { vocabularySize } = this.tokenizer.special;
    // Some exports return the scores after each of the tokens.
    const lastScores = scores.length > vocabularySize ? scores.slice(-vocabularySize) : scores;
    return { scores: lastScores, state: { tensors: { ...state.tensors, ...toPast(cache) } } };
  }

  /**
   * Feeds the decoder the next tokens and returns the cross-attention of its alignment heads.
   *
   * @throws Error when the model names no alignment heads
   */
  async attend(state: DecoderState, tokens: readonly number[]): Promise<Attention> {
    // All outputs: ONNX Runtime's binding for Node names the results after the first outputs, whichever are requested.
    const {
      [alignmentOutput]: alignment,
      logits: _logits,
      ...cache
    } = await this.#decoder.run(stepInputs(state, tokens));
    const weights = alignment?.data;
    if (!(weights instanceof Float32Array)) throw new Error('The decoder returned no attention.');
    const [heads = 0, , frames = 0] = alignment?.dims ?? [];
    return { weights, heads, frames, state: { tensors: { ...state.tensors, ...toPast(cache) } } };
  }

  async release(): Promise<void> {
    await Promise.all([this.#encoder, this.#crossAttention, this.#decoder].map((part) => part.release()));
  }
}

/**
 * Frees the keys and values of a state's tokens, but not those of the audio; decoding cannot continue from this state. The
 * garbage collector would free them only after many steps, which together are as large as the model.
 */
export function freeCache(state: DecoderState): void {
  freeTensors(state, '.decoder.');
}

/** Frees the keys and values of encoded audio: all states that follow from this one become invalid. */
export function freeAudio(state: DecoderState): void {
  freeTensors(state, '.encoder.');
}

function freeTensors({ tensors }: DecoderState, part: '.encoder.' | '.decoder.'): void {
  for (const [name, { data }] of Object.entries(tensors)) {
    if (name.includes(part) && ArrayBuffer.isView(data)) free(data);
  }
}

/** The inputs of the decoder for its next tokens. */
function stepInputs(state: DecoderState, tokens: readonly number[]): Tensors {
  return {
    ...state.tensors,
    input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
    mask: maskFor(tokens.length, cachedTokenCount(state)),
  };
}

/** Renames a graph's outputs to the inputs of its next run. */
function toPast(present: Tensors): Tensors {
  return Object.fromEntries(
    Object.entries(present).map(([name, tensor]) => [name.replace('present', 'past_key_values'), tensor]),
  );
}

/** Counts the tokens in the decoder's cache. */
function cachedTokenCount({ tensors }: DecoderState): number {
  return tensors['past_key_values.0.decoder.key']?.dims[2] ?? 0;
}

/** The causal mask: each new token attends to the cached ones, to itself and to the new ones before it. */
function maskFor(tokens: number, cached: number): Tensor {
  const width = cached + tokens;
  const mask = new Float32Array(tokens * width);
  for (let i = 0; i < tokens; i++) mask.fill(-Infinity, i * width + cached + i + 1, (i + 1) * width);
  return new Tensor('float32', mask, [tokens, width]);
}

/** The cache before the first token: of length zero in each layer. */
function emptyCache(decoder: InferenceSession): Tensors {
  return Object.fromEntries(
    cacheShapes(decoder).map(({ name, heads, width }) => [
      name,
      new Tensor('float32', new Float32Array(0), [1, heads, 0, width]),
    ]),
  );
}

/** @throws ModelError when the decoder has other tokens than the settings describe. */
function assertTokenCount(decoder: InferenceSession, expected: number): void {
  const scores = decoder.outputMetadata.find(({ name }) => name === 'logits');
  const count = scores?.isTensor === true ? scores.shape.at(-1) : undefined;
  if (count === expected || typeof count === 'string') return;
  throw new ModelError(`The decoder has ${count} tokens, but the model's settings are for ${expected}.`);
}

interface CacheShape {
  readonly name: string;
  readonly heads: number;
  readonly width: number;
}

function cacheShapes(decoder: InferenceSession): readonly CacheShape[] {
  const inputs = decoder.inputMetadata.filter((input) => input.name.includes('.decoder.'));
  return inputs.map((input) => {
    const [, heads, , width] = input.isTensor ? input.shape : [];
    if (typeof heads !== 'number' || typeof width !== 'number') {
      throw new Error(`The decoder's input ${input.name} is not the expected one.`);
    }
    return { name: input.name, heads, width };
  });
}
