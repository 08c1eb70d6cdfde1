/** Sure enough of a language to keep it for the rest of the recording. */
const sureProbability = 0.8;
/** After this many windows the likeliest language is kept, sure or not. */
const mostWindows = 5;

/** The probability of each language, from the scores of the token after the start of a transcript. */
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
 * Finds the language of a recording. The first words may be a cough or a greeting, so it listens to some more windows
 * before it makes up its mind, unless it is sure at once.
 */
export class LanguageDetection {
  readonly #sums = new Map<string, number>();
  #windows = 0;
  #likeliest: string | null = null;
  #decided = false;

  /** The likeliest language so far, `null` before the first window. */
  get language(): string | null {
    return this.#likeliest;
  }

  get decided(): boolean {
    return this.#decided;
  }

  /** Takes in one window of speech. */
  hear(probabilities: ReadonlyMap<string, number>): void {
    this.#windows++;
    for (const [code, probability] of probabilities) {
      this.#sums.set(code, (this.#sums.get(code) ?? 0) + probability);
    }
    const [likeliest] = [...this.#sums].sort(([, a], [, b]) => b - a);
    if (likeliest === undefined) return;
    const [code, sum] = likeliest;
    this.#likeliest = code;
    this.#decided = sum / this.#windows >= sureProbability || this.#windows >= mostWindows;
  }
}
