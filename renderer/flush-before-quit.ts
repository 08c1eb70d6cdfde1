/** Sends unsaved changes before the window or the program closes. */
export interface QuitHandler {
  /** Called when the program quits, which waits for it: resolves once everything is stored, or cannot be. */
  readonly flush: () => Promise<void>;
  /** Called when the page unloads: what has not been sent when it returns is lost. */
  readonly flushNow: () => void;
  /** Whether nothing would be lost if the page ended now. */
  readonly isStored: () => boolean;
  /** Calls the listener whenever that may have changed. */
  readonly subscribe: (listener: () => void) => () => void;
}

const handlers = new Set<QuitHandler>();
let unsavedCount = 0;
let onUnsavedCount: (count: number) => void = () => undefined;

/** Calls `onChange` with the number of handlers that have unsaved changes, whenever it changes. */
export function watchUnsaved(onChange: (count: number) => void): void {
  onUnsavedCount = onChange;
}

function countUnsaved(): void {
  const count = Array.from(handlers).filter(({ isStored }) => !isStored()).length;
  if (count === unsavedCount) return;
  unsavedCount = count;
  onUnsavedCount(count);
}

/**
 * Registers a handler for closing the window or quitting the program.
 *
 * @returns a function that removes it.
 */
export function registerQuitHandler(handler: QuitHandler): () => void {
  handlers.add(handler);
  // A function of its own: two handlers may subscribe to the same session.
  const unsubscribe = handler.subscribe(() => countUnsaved());
  countUnsaved();
  window.addEventListener('pagehide', handler.flushNow);
  return () => {
    unsubscribe();
    handlers.delete(handler);
    countUnsaved();
    window.removeEventListener('pagehide', handler.flushNow);
  };
}

/** Flushes all handlers when the program quits; resolves once each has stored everything, or could not. */
export async function flushBeforeQuit(): Promise<void> {
  await Promise.allSettled(Array.from(handlers, ({ flush }) => flush()));
}
