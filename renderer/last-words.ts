const speakers = new Set<() => void>();

/** Has something said before the window or the program ends. The returned function ends that. */
export function beforeEnd(say: () => void): () => void {
  speakers.add(say);
  window.addEventListener('pagehide', say);
  return () => {
    speakers.delete(say);
    window.removeEventListener('pagehide', say);
  };
}

/** The program ends: everything that waits to be said is said now. */
export function sayLastWords(): void {
  for (const say of speakers) say();
}
