/** What is to be said before the end. */
export interface LastWords {
  /** The program ends, and waits: the promise is kept once everything is on its way. */
  readonly inOrder: () => Promise<void>;
  /** The page goes now: what is not on its way when this returns never will be. */
  readonly atOnce: () => void;
}

const speakers = new Set<LastWords>();

/** Has something said before the window or the program ends. The returned function ends that. */
export function beforeEnd(words: LastWords): () => void {
  speakers.add(words);
  window.addEventListener('pagehide', words.atOnce);
  return () => {
    speakers.delete(words);
    window.removeEventListener('pagehide', words.atOnce);
  };
}

/** The program ends: everything that waits to be said is said now. The promise is kept once all of it is. */
export async function sayLastWords(): Promise<void> {
  await Promise.allSettled(Array.from(speakers, ({ inOrder }) => inOrder()));
}
