import type { Checkpoint } from '../speech-engine.ts';
import type { Interrupt } from './interrupt.ts';
import { freeAudio, type WhisperRunner } from './whisper-model.ts';

/** A language with this mean probability is kept for the rest of the recording. */
const minProbability = 0.8;
/** After this many windows the most likely language is kept in any case. */
const maxWindows = 5;

/** Computes the probability of each language from the scores of the first token of a transcript. */
export function languageProbabilities(
  scores: Float32Array,
  languages: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const entries = [...languages].map(([code, token]) => [code, scores[token] ?? -Infinity] as const);
  const highest = Math.max(...entries.map(([, score]) => score));
  const weights = entries.map(([code, score]) => [code, Math.exp(score - highest)] as const);
  const sum = weights.reduce((total, [, weight]) => total + weight, 0);
  return new Map(weights.map(([code, weight]) => [code, weight / sum]));
}

/**
 * Returns the probability of each language in a window, without transcribing it.
 *
 * @throws InterruptedError when it is interrupted
 */
export async function languagesIn(
  samples: Float32Array,
  model: WhisperRunner,
  interrupt: Interrupt,
): Promise<ReadonlyMap<string, number>> {
  const audio = await model.firstState(await model.encode(samples, interrupt));
  try {
    const { scores } = await model.decode(audio, model.tokenizer.special.startOfTranscript);
    return languageProbabilities(scores, model.tokenizer.languages);
  } finally {
    freeAudio(audio);
  }
}

/**
 * Detects the language of a recording. The first window may be a cough or a greeting, so later windows count as well
 * until the language is certain.
 */
export class LanguageDetection {
  readonly #sums: Map<string, number>;
  #windows: number;
  #best: string | null = null;
  #isDecided = false;

  /**
   * @param saved the evidence that {@link snapshot} returned before an interruption
   * @param languages the language tokens of the model, by code. The evidence may come from a model with more
   *   languages: it is discarded if its most likely language is not among these. `null`: any language
   */
  constructor(
    saved: Checkpoint['languages'] = { windows: 0, sums: {} },
    languages: ReadonlyMap<string, number> | null = null,
  ) {
    const sums = Object.entries(saved.sums).toSorted(([, a], [, b]) => b - a);
    const [best] = sums;
    const isUsable = best === undefined || (languages?.has(best[0]) ?? true);
    this.#sums = new Map(isUsable ? sums.filter(([code]) => languages?.has(code) ?? true) : []);
    this.#windows = isUsable ? saved.windows : 0;
    this.#decide();
  }

  get snapshot(): Checkpoint['languages'] {
    return { windows: this.#windows, sums: Object.fromEntries(this.#sums) };
  }

  /** The most likely language so far, `null` before the first window. */
  get language(): string | null {
    return this.#best;
  }

  get isDecided(): boolean {
    return this.#isDecided;
  }

  addWindow(probabilities: ReadonlyMap<string, number>): void {
    this.#windows++;
    for (const [code, probability] of probabilities) {
      this.#sums.set(code, (this.#sums.get(code) ?? 0) + probability);
    }
    this.#decide();
  }

  #decide(): void {
    const [best] = [...this.#sums].sort(([, a], [, b]) => b - a);
    if (best === undefined) return;
    const [code, sum] = best;
    this.#best = code;
    this.#isDecided = sum / this.#windows >= minProbability || this.#windows >= maxWindows;
  }
}
