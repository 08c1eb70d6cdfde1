import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelPart } from '../../models/model-catalog.ts';
import { stateDimensions, type Interrupt } from './interrupt.ts';
import { logMelSpectrogram, melBands, melFrames } from './mel-spectrogram.ts';
import { Tokenizer } from './tokenizer.ts';
import { encoderGraph, soundMemoryGraph, stepGraph } from './whisper-graphs.ts';

/** Tensors by the names of the step graph's inputs. */
type Tensors = Readonly<Record<string, Tensor>>;

/**
 * What the decoder knows between two tokens: the sound of the window and the tokens so far. It never changes, so a
 * decoding can start again from any of them.
 */
export interface DecoderState {
  readonly tensors: Tensors;
}

/** What the decoder says after a token. */
export interface Step {
  /** A score (logit) for each token to come next. The caller owns the array. */
  readonly scores: Float32Array;
  readonly state: DecoderState;
}

/** What listens and writes down: a {@link WhisperModel}, or what a test puts in its place. */
export type SpeechModel = Pick<WhisperModel, 'tokenizer' | 'listen' | 'step'>;

/** A Whisper model in memory. Its work blocks the thread that it is called on, one graph at a time. */
export class WhisperModel {
  readonly tokenizer: Tokenizer;
  readonly #encoder: InferenceSession;
  readonly #soundMemory: InferenceSession;
  readonly #step: InferenceSession;
  readonly #nothingSaid: Tensors;

  private constructor(
    tokenizer: Tokenizer,
    encoder: InferenceSession,
    soundMemory: InferenceSession,
    step: InferenceSession,
  ) {
    this.tokenizer = tokenizer;
    this.#encoder = encoder;
    this.#soundMemory = soundMemory;
    this.#step = step;
    this.#nothingSaid = emptyMemory(step);
  }

  /**
   * Loads one part after the other, so that there is never memory for all of them twice.
   *
   * @param read gives the contents of one of the model's files
   * @param threads how many cores to use
   */
  static async load(read: (part: ModelPart) => Promise<Uint8Array>, threads: number): Promise<WhisperModel> {
    const open = (graph: Uint8Array): Promise<InferenceSession> =>
      InferenceSession.create(graph, sessionOptions(threads));
    const tokenizer = new Tokenizer(await read('vocabulary'), await read('generation'));
    const decoder = await read('decoder');
    const soundMemory = await open(soundMemoryGraph(decoder));
    const step = await open(stepGraph(decoder));
    const encoder = await open(encoderGraph(await read('encoder'), headsOf(step)));
    return new WhisperModel(tokenizer, encoder, soundMemory, step);
  }

  /**
   * Listens to a window of at most 30 s; the state that comes back has heard all and said nothing.
   *
   * @throws InterruptedError when it is interrupted
   */
  async listen(samples: Float32Array, interrupt: Interrupt): Promise<DecoderState> {
    const spectrogram = new Tensor('float32', logMelSpectrogram(samples), [1, melBands, melFrames]);
    const { last_hidden_state: hidden } = await this.#encoder
      .run(
        { input_features: spectrogram, interrupt: new Tensor('int64', interrupt.shape, [stateDimensions]) },
        failingSilently,
      )
      .catch((error: unknown) => {
        interrupt.throwIfRequested();
        throw error;
      });
    if (hidden === undefined) throw new Error('The encoder gave no state.');
    const memory = await this.#soundMemory.run({ encoder_hidden_states: hidden });
    return { tensors: { ...this.#nothingSaid, ...asPast(memory) } };
  }

  /** Tells the decoder the next tokens and asks what could follow the last of them. */
  async step(state: DecoderState, ...tokens: readonly number[]): Promise<Step> {
    const { logits, ...memory } = await this.#step.run({
      ...state.tensors,
      input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
      mask: maskFor(tokens.length, rememberedTokens(state)),
    });
    const scores = logits?.data;
    if (!(scores instanceof Float32Array)) throw new Error('The decoder gave no scores.');
    return { scores, state: { tensors: { ...state.tensors, ...asPast(memory) } } };
  }

  /** Lets go of the model's memory. */
  async release(): Promise<void> {
    await Promise.all([this.#encoder.release(), this.#soundMemory.release(), this.#step.release()]);
  }
}

/** What fails is told by an exception; an interrupted run needs no line in the log. */
const failingSilently: InferenceSession.RunOptions = { logSeverityLevel: 4 };

/** How every model of the engine is run. */
export function sessionOptions(threads: number): InferenceSession.SessionOptions {
  return {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 3,
    // Planning memory ahead takes a quarter more of it and saves no time.
    enableMemPattern: false,
    // A thread that waits for its next piece sleeps. Spinning is a little quicker on an idle computer, and takes twice
    // the time on a busy one, where the others' work is what everybody waits for.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
}

/** What a graph gives as present goes back in as past. */
function asPast(present: Tensors): Tensors {
  return Object.fromEntries(
    Object.entries(present).map(([name, tensor]) => [name.replace('present', 'past_key_values'), tensor]),
  );
}

/** How many tokens the decoder was told so far. */
function rememberedTokens({ tensors }: DecoderState): number {
  return tensors['past_key_values.0.decoder.key']?.dims[2] ?? 0;
}

/**
 * Lets each of some new tokens heed all that is remembered, itself and the new ones before it: zero for these, and for
 * those after it what leaves nothing of them.
 */
function maskFor(tokens: number, remembered: number): Tensor {
  const width = remembered + tokens;
  const mask = new Float32Array(tokens * width);
  for (let i = 0; i < tokens; i++) mask.fill(-Infinity, i * width + remembered + i + 1, (i + 1) * width);
  return new Tensor('float32', mask, [tokens, width]);
}

/** The memory of no tokens: of length zero in each layer. */
function emptyMemory(step: InferenceSession): Tensors {
  return Object.fromEntries(
    memoryShapes(step).map(({ name, heads, width }) => [
      name,
      new Tensor('float32', new Float32Array(0), [1, heads, 0, width]),
    ]),
  );
}

/** How many heads the model's attentions have: as many in the decoder as in the encoder. */
function headsOf(step: InferenceSession): number {
  const [memory] = memoryShapes(step);
  if (memory === undefined) throw new Error('The decoder has no memory.');
  return memory.heads;
}

interface MemoryShape {
  readonly name: string;
  readonly heads: number;
  readonly width: number;
}

function memoryShapes(step: InferenceSession): readonly MemoryShape[] {
  const inputs = step.inputMetadata.filter((input) => input.name.includes('.decoder.'));
  return inputs.map((input) => {
    const [, heads, , width] = input.isTensor ? input.shape : [];
    if (typeof heads !== 'number' || typeof width !== 'number') {
      throw new Error(`The decoder's input ${input.name} is not the expected one.`);
    }
    return { name: input.name, heads, width };
  });
}
