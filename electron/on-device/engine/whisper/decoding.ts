import { deflateSync } from 'node:zlib';
import type { Interrupt } from './interrupt.ts';
import { barBrokenTimestamps } from './timestamp-rules.ts';
import { isTimestamp, special, type Tokenizer } from './tokenizer.ts';
import type { SpeechModel, Step } from './whisper-model.ts';

/** What the decoder said of a window. */
export interface Decoding {
  /** Text and timestamp tokens, without the end. */
  readonly tokens: readonly number[];
  /** Mean natural logarithm of the tokens' probabilities. */
  readonly averageLogProbability: number;
  /** How freely it was chosen among likely tokens; 0 for the likeliest ones. */
  readonly temperature: number;
  /** Whether it went in circles; the tokens are those of the first round then, and what came after it is missing. */
  readonly repetitive: boolean;
}

/** Half of what the decoder can remember, as in OpenAI's Whisper. */
export const mostTokensOfWindow = 224;
/** Characters for each second of voice: nobody speaks faster, so it is worth a look whether the text goes in circles. */
const fastestSpeech = 25;
/** How freely to choose among likely tokens, one attempt after the other. */
const temperatures = [0, 0.2, 0.4, 0.6] as const;
/** OpenAI's `logprob_threshold`: below this the decoder is guessing. */
export const guessing = -1;

/** What was heard and is to be written down. */
export interface DecodingRequest {
  readonly model: SpeechModel;
  /** The decoder after language and task. */
  readonly prompted: Step;
  /** Seconds of voice in the window. */
  readonly voiceSeconds: number;
  /** Numbers in [0, 1) for the attempts after the first. */
  readonly random: () => number;
  readonly interrupt: Interrupt;
}

/**
 * Writes down what was heard. The likeliest words are taken; where they are guesses or go in circles, others are tried,
 * and the best attempt wins.
 *
 * @throws InterruptedError when it is interrupted
 */
export async function decode(request: DecodingRequest): Promise<Decoding> {
  let best: Decoding | undefined;
  for (const temperature of temperatures) {
    const attempt = await decodeOnce(request, temperature);
    if (best === undefined || isBetter(attempt, best)) best = attempt;
    if (isSure(attempt)) break;
  }
  if (best === undefined) throw new Error('No temperature to decode with.');
  return best.repetitive ? { ...best, tokens: withoutLoop(best.tokens) } : best;
}

/**
 * Writes down the likeliest words, once, whatever they are; `null` where they are guesses or go in circles.
 *
 * @throws InterruptedError when it is interrupted
 */
export async function decodeIfSure(request: DecodingRequest): Promise<Decoding | null> {
  const decoding = await decodeOnce(request, 0);
  return isSure(decoding) ? decoding : null;
}

function isSure({ repetitive, averageLogProbability }: Decoding): boolean {
  return !repetitive && averageLogProbability >= guessing;
}

function isBetter(attempt: Decoding, other: Decoding): boolean {
  if (attempt.repetitive !== other.repetitive) return other.repetitive;
  return attempt.averageLogProbability > other.averageLogProbability;
}

async function decodeOnce(request: DecodingRequest, temperature: number): Promise<Decoding> {
  const { model, prompted, random, interrupt, voiceSeconds } = request;
  const tokens: number[] = [];
  let logProbabilities = 0;
  let ended = false;
  // Barring tokens changes the scores, and the prompt's are needed again for the next attempt.
  let scores: Float32Array = prompted.scores.slice();
  let { state } = prompted;
  while (tokens.length < mostTokensOfWindow && loopLength(tokens) === 0) {
    interrupt.throwIfRequested();
    barUnwanted(scores, tokens, model.tokenizer);
    const choice = chooseToken(scores, temperature, random);
    logProbabilities += choice.logProbability;
    ended = choice.token === special.endOfText;
    if (ended) break;
    tokens.push(choice.token);
    ({ scores, state } = await model.step(state, choice.token));
  }

  const text = model.tokenizer.decode(tokens);
  // People say things twice as well: text that ends by itself and could have been spoken in the time is believed.
  const believable = ended && text.length <= fastestSpeech * voiceSeconds;
  return {
    tokens,
    averageLogProbability: logProbabilities / (tokens.length + 1),
    temperature,
    repetitive: loopLength(tokens) > 0 || (!believable && isRepetitive(text)),
  };
}

function barUnwanted(scores: Float32Array, tokens: readonly number[], tokenizer: Tokenizer): void {
  for (const token of tokenizer.suppressed) scores[token] = -Infinity;
  if (tokens.length === 0) for (const token of tokenizer.suppressedAtStart) scores[token] = -Infinity;
  scores.fill(-Infinity, special.startOfTranscript, special.firstTimestamp);
  barBrokenTimestamps(scores, tokens);
}

/** A token and the natural logarithm of its probability. */
export interface Choice {
  readonly token: number;
  readonly logProbability: number;
}

/**
 * Chooses the next token: the likeliest at temperature 0, else by chance. A timestamp is chosen whenever one of them
 * is likelier than each single word, as in OpenAI's Whisper.
 */
export function chooseToken(scores: Float32Array, temperature: number, random: () => number): Choice {
  const bestText = highest(scores, 0, special.firstTimestamp);
  const bestTimestamp = highest(scores, special.firstTimestamp, scores.length);
  const textScore = scores[bestText] ?? -Infinity;
  const timestampsScore = logSumExp(scores, bestTimestamp, special.firstTimestamp, 1);
  const timestamp = timestampsScore > textScore;
  const start = timestamp ? special.firstTimestamp : 0;
  const likeliest = timestamp ? bestTimestamp : bestText;

  const token = temperature === 0 ? likeliest : draw(scores, likeliest, start, temperature, random);
  const all = timestamp ? timestampsScore : logSumExp(scores, likeliest, start, 1);
  return { token, logProbability: (scores[token] ?? -Infinity) - all };
}

function draw(
  scores: Float32Array,
  likeliest: number,
  start: number,
  temperature: number,
  random: () => number,
): number {
  const total = logSumExp(scores, likeliest, start, temperature);
  let left = random();
  for (let token = start; token < scores.length; token++) {
    const logProbability = (scores[token] ?? -Infinity) / temperature - total;
    if (logProbability > -negligible) left -= Math.exp(logProbability);
    if (left < 0) return token;
  }
  return likeliest;
}

/** The index of the highest of the scores in [start, end). */
function highest(scores: Float32Array, start: number, end: number): number {
  let best = start;
  for (let i = start + 1; i < end; i++) if ((scores[i] ?? 0) > (scores[best] ?? 0)) best = i;
  return best;
}

/** Scores this far below the highest do not change a sum of 50,000 of them. */
const negligible = 25;

/** The logarithm of the sum of the exponentials of the scores from `start` on, of which `best` is the highest. */
function logSumExp(scores: Float32Array, best: number, start: number, temperature: number): number {
  const top = (scores[best] ?? -Infinity) / temperature;
  if (top === -Infinity) return top;
  let sum = 0;
  for (let i = start; i < scores.length; i++) {
    const distance = (scores[i] ?? -Infinity) / temperature - top;
    if (distance > -negligible) sum += Math.exp(distance);
  }
  return top + Math.log(sum);
}

/** The probability of one token, from the scores of all. */
export function probabilityOf(token: number, scores: Float32Array): number {
  return Math.exp((scores[token] ?? -Infinity) - logSumExp(scores, highest(scores, 0, scores.length), 0, 1));
}

/** Above this many bytes for each compressed byte, text repeats itself (OpenAI's `compression_ratio_threshold`). */
const mostCompressible = 2.4;
const longestLoop = 24;
/** It takes this many rounds, and this many tokens in all, before something said again counts as a loop. */
const loopRounds = 6;
const loopTokens = 32;

/** Whether the text says the same over and over, as Whisper does when it hears nothing that it knows. */
export function isRepetitive(text: string): boolean {
  const bytes = Buffer.from(text);
  return bytes.length > 0 && bytes.length / deflateSync(bytes).length > mostCompressible;
}

/**
 * The length of the loop that the tokens end in, 0 when there is none. A decoding that has come into a loop does not
 * come out again by itself, so it need not be waited for.
 */
export function loopLength(tokens: readonly number[]): number {
  for (let length = 1; length <= longestLoop; length++) {
    const repeated = Math.max(loopTokens, length * loopRounds) - length;
    if (repeated + length > tokens.length) return 0;
    let same = 0;
    while (same < repeated && alike(tokens.at(-1 - same), tokens.at(-1 - same - length))) same++;
    if (same === repeated) return length;
  }
  return 0;
}

/** The tokens up to the end of the first round of the loop that they end in. */
export function withoutLoop(tokens: readonly number[]): readonly number[] {
  const length = loopLength(tokens);
  if (length === 0) return tokens;
  let end = tokens.length;
  while (end > length && alike(tokens[end - 1], tokens[end - 1 - length])) end--;
  return tokens.slice(0, end);
}

/** Times go on while the words repeat themselves, so one timestamp is as good as another. */
function alike(token: number | undefined, other: number | undefined): boolean {
  if (token === undefined || other === undefined) return false;
  return token === other || (isTimestamp(token) && isTimestamp(other));
}

/**
 * Chance that is the same each time: a recording gives the same transcript whenever it is transcribed (Mulberry32).
 *
 * @returns a function that gives numbers in [0, 1)
 */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
