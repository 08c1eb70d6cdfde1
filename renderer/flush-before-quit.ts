/** Sends what is not saved yet before the window or the program closes. */
export interface QuitHandler {
  /** The program quits and waits: resolves once everything has been sent. */
  readonly flush: () => Promise<void>;
  /** The page unloads: what is not sent when this returns is lost. */
  readonly flushNow: () => void;
}

const handlers = new Set<QuitHandler>();

/** Registers a handler for the end of the window or the program. @returns removes it. */
export function beforeQuit(words: QuitHandler): () => void {
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
