import { deflateSync } from 'node:zlib';
import { free } from '../onnx/sessions.ts';
import type { Interrupt } from './interrupt.ts';
import { suppressInvalidTimestamps } from './timestamp-rules.ts';
import type { SpecialTokens } from './special-tokens.ts';
import type { Tokenizer } from './tokenizer.ts';
import { type DecoderStep, freeCache, type WhisperRunner } from './whisper-model.ts';

/** The decoder's result for a window. */
export interface Decoding {
  /** Text and timestamp tokens, without the end of text. */
  readonly tokens: readonly number[];
  /** The probability of each token among all possible ones, whatever the temperature. */
  readonly probabilities: readonly number[];
  /** Mean natural logarithm of the tokens' probabilities. */
  readonly averageLogProbability: number;
  /** The sampling temperature; 0 always takes the most likely token. */
  readonly temperature: number;
  /** Whether the text repeats itself. The tokens are then those of the first round; what should follow is missing. */
  readonly isRepetitive: boolean;
}

/** Half of the decoder's context, as in OpenAI's Whisper. */
export const maxTokensPerWindow = 224;
/** Characters per second of voice. Nobody speaks faster, so a longer text is checked for repetition. */
const maxCharactersPerSecond = 25;
/** The sampling temperatures of the attempts, in order. */
const temperatures = [0, 0.2, 0.4, 0.6] as const;
/** OpenAI's `logprob_threshold`: below it, a decoding is uncertain. */
export const minLogProbability = -1;

export interface DecodingRequest {
  readonly model: WhisperRunner;
  /** The decoder state after the tokens of language and task. */
  readonly promptState: DecoderStep;
  /** Seconds of voice in the window. */
  readonly voiceSeconds: number;
  /** Returns numbers in [0, 1), for the attempts after the first. */
  readonly random: () => number;
  readonly interrupt: Interrupt;
}

/**
 * Decodes a window. Takes the most likely tokens; where the result is uncertain or repeats itself, tries higher temperatures
 * and returns the best attempt.
 *
 * @throws InterruptedError when it is interrupted
 */
export async function decode(request: DecodingRequest): Promise<Decoding> {
  let best: Decoding | undefined;
  for (const temperature of temperatures) {
    const attempt = await decodeOnce(request, temperature);
    if (best === undefined || isBetter(attempt, best)) best = attempt;
    if (isConfident(attempt)) break;
  }
  if (best === undefined) throw new Error('No temperature to decode with.');
  if (!best.isRepetitive) return best;
  const tokens = withoutLoop(best.tokens, request.model.tokenizer.special);
  return { ...best, tokens, probabilities: best.probabilities.slice(0, tokens.length) };
}

/**
 * Decodes a window once, with the most likely tokens; `null` when the result is uncertain or repeats itself.
 *
 * @throws InterruptedError when it is interrupted
 */
export async function decodeIfConfident(request: DecodingRequest): Promise<Decoding | null> {
  const decoding = await decodeOnce(request, 0);
  return isConfident(decoding) ? decoding : null;
}

function isConfident({ isRepetitive, averageLogProbability }: Decoding): boolean {
  return !isRepetitive && averageLogProbability >= minLogProbability;
}

function isBetter(attempt: Decoding, other: Decoding): boolean {
  if (attempt.isRepetitive !== other.isRepetitive) return other.isRepetitive;
  return attempt.averageLogProbability > other.averageLogProbability;
}

async function decodeOnce(request: DecodingRequest, temperature: number): Promise<Decoding> {
  const { model, promptState, random, interrupt, voiceSeconds } = request;
  const { special } = model.tokenizer;
  const tokens: number[] = [];
  const probabilities: number[] = [];
  let logProbabilities = 0;
  let hasEnded = false;
  // Suppressing tokens changes the scores, and the next attempt needs the prompt's again.
  let step: DecoderStep = { ...promptState, scores: promptState.scores.slice() };
  while (tokens.length < maxTokensPerWindow && loopLength(tokens, special) === 0) {
    interrupt.throwIfRequested();
    suppressTokens(step.scores, tokens, model.tokenizer);
    const choice = chooseToken(step.scores, temperature, random, special);
    logProbabilities += choice.logProbability;
    hasEnded = choice.token === special.endOfText;
    if (hasEnded) break;
    tokens.push(choice.token);
    probabilities.push(Math.exp(choice.logProbability));
    const next = await model.decode(step.state, choice.token);
    free(step.scores);
    if (step.state !== promptState.state) freeCache(step.state);
    step = next;
  }

  const text = model.tokenizer.decode(tokens);
  // People repeat themselves too: a text that ends normally and could have been spoken in the time is accepted.
  const isPlausible = hasEnded && text.length <= maxCharactersPerSecond * voiceSeconds;
  return {
    tokens,
    probabilities,
    averageLogProbability: logProbabilities / (tokens.length + 1),
    temperature,
    isRepetitive: loopLength(tokens, special) > 0 || (!isPlausible && isHighlyCompressible(text)),
  };
}

function suppressTokens(scores: Float32Array, tokens: readonly number[], tokenizer: Tokenizer): void {
  const { special } = tokenizer;
  for (const token of tokenizer.suppressed) scores[token] = -Infinity;
  if (tokens.length === 0) for (const token of tokenizer.suppressedAtStart) scores[token] = -Infinity;
  scores.fill(-Infinity, special.startOfTranscript, special.firstTimestamp);
  suppressInvalidTimestamps(scores, tokens, special);
}

/** A token and the natural logarithm of its probability. */
export interface Choice {
  readonly token: number;
  readonly logProbability: number;
}

/**
 * Chooses the next token: the most likely at temperature 0, otherwise at random. A timestamp is chosen whenever all
 * timestamps together are likelier than every single text token, as in OpenAI's Whisper.
 */
export function chooseToken(
  scores: Float32Array,
  temperature: number,
  random: () => number,
  special: SpecialTokens,
): Choice {
  const bestText = indexOfMax(scores, 0, special.firstTimestamp);
  const bestTimestamp = indexOfMax(scores, special.firstTimestamp, scores.length);
  const textScore = scores[bestText] ?? -Infinity;
  const timestampsScore = logSumExp(scores, bestTimestamp, special.firstTimestamp, 1);
  const isTimestamp = timestampsScore > textScore;
  const start = isTimestamp ? special.firstTimestamp : 0;
  const best = isTimestamp ? bestTimestamp : bestText;

  const token = temperature === 0 ? best : sampleToken(scores, best, start, temperature, random);
  const total = isTimestamp ? timestampsScore : logSumExp(scores, best, start, 1);
  return { token, logProbability: (scores[token] ?? -Infinity) - total };
}

function sampleToken(
  scores: Float32Array,
  best: number,
  start: number,
  temperature: number,
  random: () => number,
): number {
  const total = logSumExp(scores, best, start, temperature);
  let remaining = random();
  for (let token = start; token < scores.length; token++) {
    const logProbability = (scores[token] ?? -Infinity) / temperature - total;
    if (logProbability > -negligible) remaining -= Math.exp(logProbability);
    if (remaining < 0) return token;
  }
  return best;
}

/** Returns the index of the highest score in [start, end). */
function indexOfMax(scores: Float32Array, start: number, end: number): number {
  let best = start;
  for (let i = start + 1; i < end; i++) if ((scores[i] ?? 0) > (scores[best] ?? 0)) best = i;
  return best;
}

/** Scores this far below the highest change the sum of 50,000 of them by less than a thousandth. */
const negligible = 18;

/** Computes the logarithm of the sum of the exponentials of the scores from `start` on; `best` is the highest. */
function logSumExp(scores: Float32Array, best: number, start: number, temperature: number): number {
  const highest = (scores[best] ?? -Infinity) / temperature;
  if (highest === -Infinity) return highest;
  let sum = 0;
  for (let i = start; i < scores.length; i++) {
    const distance = (scores[i] ?? -Infinity) / temperature - highest;
    if (distance > -negligible) sum += Math.exp(distance);
  }
  return highest + Math.log(sum);
}

/** Computes the probability of one token from the scores of all. */
export function probabilityOf(token: number, scores: Float32Array): number {
  return Math.exp(
    (scores[token] ?? -Infinity) - logSumExp(scores, indexOfMax(scores, 0, scores.length), 0, 1),
  );
}

/** Bytes per compressed byte above which a text counts as repetitive (OpenAI's `compression_ratio_threshold`). */
const maxCompressionRatio = 2.4;
/** Maximum tokens in one round of a loop. */
const maxLoopLength = 24;
/** Minimum rounds of a loop, and tokens in all of them. */
const minLoopRounds = 6;
const minLoopTokens = 32;

/** Whether a text compresses so well that it must repeat itself, as Whisper's does when it does not understand the audio. */
export function isHighlyCompressible(text: string): boolean {
  const bytes = Buffer.from(text);
  return bytes.length > 0 && bytes.length / deflateSync(bytes).length > maxCompressionRatio;
}

/**
 * Returns the length of the loop that the tokens end in, or 0. A decoding never leaves a loop, so it can stop there.
 */
export function loopLength(tokens: readonly number[], special: SpecialTokens): number {
  for (let length = 1; length <= maxLoopLength; length++) {
    const neededMatches = Math.max(minLoopTokens, length * minLoopRounds) - length;
    if (neededMatches + length > tokens.length) return 0;
    let matches = 0;
    while (
      matches < neededMatches &&
      areAlike(tokens.at(-1 - matches), tokens.at(-1 - matches - length), special)
    )
      matches++;
    if (matches === neededMatches) return length;
  }
  return 0;
}

/** Cuts the tokens after the first round of the loop that they end in. */
export function withoutLoop(tokens: readonly number[], special: SpecialTokens): readonly number[] {
  const length = loopLength(tokens, special);
  if (length === 0) return tokens;
  let end = tokens.length;
  while (end > length && areAlike(tokens[end - 1], tokens[end - 1 - length], special)) end--;
  return tokens.slice(0, end);
}

/** Timestamps advance while the words repeat, so all timestamps count as the same token. */
function areAlike(token: number | undefined, other: number | undefined, special: SpecialTokens): boolean {
  if (token === undefined || other === undefined) return false;
  return token === other || (special.isTimestamp(token) && special.isTimestamp(other));
}
