/** What is to be said before the end. */
export interface QuitHandler {
  /** The program ends, and waits: the promise is kept once everything is on its way. */
  readonly flush: () => Promise<void>;
  /** The page goes now: what is not on its way when this returns never will be. */
  readonly flushNow: () => void;
}

const handlers = new Set<QuitHandler>();

/** Has something said before the window or the program ends. The returned function ends that. */
export function beforeQuit(words: QuitHandler): () => void {
  handlers.add(words);
  window.addEventListener('pagehide', words.flushNow);
  return () => {
    handlers.delete(words);
    window.removeEventListener('pagehide', words.flushNow);
  };
}

/** The program ends: everything that waits to be said is said now. The promise is kept once all of it is. */
export async function flushBeforeQuit(): Promise<void> {
  await Promise.allSettled(Array.from(handlers, ({ flush }) => flush()));
}
