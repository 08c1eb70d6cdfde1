/** A frame has at most this many tokens, so that decoding ends whatever the model returns. */
export const maxTokensPerFrame = 10;

/** What the model returns for a frame of the audio, after some tokens. */
export interface TransducerStep<S> {
  /** A score (logit) for each token, the last of which is the blank. */
  readonly tokenScores: Float32Array;
  /** A score for each number of frames to advance, from 0 on. */
  readonly durationScores: Float32Array;
  /** The state of the prediction network after the token; used only if that is not the blank. */
  readonly state: S;
}

/** How a model is run for the frames of a window. */
export interface TransducerRun<S> {
  /** How many frames the encoder returned. */
  readonly frames: number;
  /** The token that stands for no text; also the previous token of the first one. */
  readonly blank: number;
  readonly initialState: S;
  /** Runs the prediction and joint networks once. Its result is used only until the next call. */
  readonly runStep: (frame: number, previousToken: number, state: S) => Promise<TransducerStep<S>>;
}

/** A token of the transcript. */
export interface EmittedToken {
  readonly token: number;
  /** The frame that it was found in. */
  readonly frame: number;
  /** How many frames the model advances after it: 0 when another token follows in the same frame. */
  readonly duration: number;
  /** 0 to 1. */
  readonly probability: number;
}

/**
 * Decodes greedily with a token-and-duration transducer (TDT; Xu et al. 2023, "Efficient Sequence Transduction by Jointly
 * Predicting Tokens and Durations"): takes the most likely token and the most likely duration, and advances by the
 * latter. The state changes only with tokens that are not blank.
 */
export async function decodeTransducer<S>({
  frames,
  blank,
  initialState,
  runStep,
}: TransducerRun<S>): Promise<readonly EmittedToken[]> {
  const tokens: EmittedToken[] = [];
  let state = initialState;
  let tokensInFrame = 0;
  for (let frame = 0; frame < frames;) {
    const step = await runStep(frame, tokens.at(-1)?.token ?? blank, state);
    const token = indexOfMax(step.tokenScores, blank);
    const duration = indexOfMax(step.durationScores, 0);
    if (token !== blank) {
      tokens.push({ token, frame, duration, probability: probabilityOf(token, step.tokenScores) });
      ({ state } = step);
      tokensInFrame++;
    }
    // A duration of 0 stays at the frame for another token. After a blank it would stay there forever.
    const mustAdvance = token === blank || tokensInFrame === maxTokensPerFrame;
    const advance = duration === 0 && mustAdvance ? 1 : duration;
    if (advance > 0) tokensInFrame = 0;
    frame += advance;
  }
  return tokens;
}

/** Returns the index of the highest score, the first one of several; the default when none is a number. */
function indexOfMax(scores: Float32Array, defaultIndex: number): number {
  let best = defaultIndex;
  let highest = -Infinity;
  for (const [i, score] of scores.entries()) {
    if (score > highest) [best, highest] = [i, score];
  }
  return best;
}

/** Computes the probability of the token with the highest score. */
function probabilityOf(token: number, scores: Float32Array): number {
  const highest = scores[token] ?? 0;
  let sum = 0;
  for (const score of scores) if (score <= highest) sum += Math.exp(score - highest);
  return 1 / sum;
}
