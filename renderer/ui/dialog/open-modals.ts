/** The modal dialogs on screen. While there is one, nothing may change what is behind it, or move the focus there. */
class OpenModals {
  #count = 0;
  readonly #listeners = new Set<(isOpen: boolean) => void>();

  get isOpen(): boolean {
    return this.#count > 0;
  }

  /** Counts a dialog until the returned function is called. */
  add(): () => void {
    this.#change(1);
    return () => this.#change(-1);
  }

  /** Calls `listener` now and whenever the first dialog opens or the last one closes. */
  watch(listener: (isOpen: boolean) => void): () => void {
    this.#listeners.add(listener);
    listener(this.isOpen);
    return () => this.#listeners.delete(listener);
  }

  #change(by: 1 | -1): void {
    const wasOpen = this.isOpen;
    this.#count += by;
    if (this.isOpen !== wasOpen) for (const listener of this.#listeners) listener(this.isOpen);
  }
}

export const openModals = new OpenModals();
