/** Sends unsaved changes before the window or the program closes. */
export interface QuitHandler {
  /** The program quits and waits: the promise resolves once everything has been sent. */
  readonly flush: () => Promise<void>;
  /** The page unloads: what has not been sent on return is lost. */
  readonly flushNow: () => void;
}

const handlers = new Set<QuitHandler>();

/**
 * Registers a handler for closing the window or quitting the program.
 *
 * @returns a function that removes it.
 */
export function registerQuitHandler(words: QuitHandler): () => void {
  handlers.add(words);
  window.addEventListener('pagehide', words.flushNow);
  return () => {
    handlers.delete(words);
    window.removeEventListener('pagehide', words.flushNow);
  };
}

/** Flushes all handlers when the program quits; resolves once all have settled. */
export async function flushBeforeQuit(): Promise<void> {
  await Promise.allSettled(Array.from(handlers, ({ flush }) => flush()));
}
