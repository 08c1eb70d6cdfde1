/** Sends unsaved changes before the window or the program closes. */
export interface QuitHandler {
  /** Called when the program quits, which waits for it: resolves to whether everything could be stored. */
  readonly flush: () => Promise<boolean>;
  /** Called when the page unloads: what has not been sent when it returns is lost. */
  readonly flushNow: () => void;
}

const handlers = new Set<QuitHandler>();

/**
 * Registers a handler for closing the window or quitting the program.
 *
 * @returns a function that removes it.
 */
export function registerQuitHandler(handler: QuitHandler): () => void {
  handlers.add(handler);
  window.addEventListener('pagehide', handler.flushNow);
  return () => {
    handlers.delete(handler);
    window.removeEventListener('pagehide', handler.flushNow);
  };
}

/** Flushes all handlers when the program quits; resolves to how many could not store everything. */
export async function flushBeforeQuit(): Promise<number> {
  const stored = await Promise.allSettled(Array.from(handlers, ({ flush }) => flush()));
  return stored.filter((result) => result.status === 'rejected' || !result.value).length;
}
