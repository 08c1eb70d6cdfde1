/** Something that is fetched, an older edit or what was changed elsewhere: whatever is done meanwhile comes after it. */
export class Fetching {
  #running: Promise<void> | null = null;

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Fetches once nothing else is fetched. `work` is given what lets the others go on, and must call it. */
  run(work: (end: () => void) => Promise<void>): void {
    const earlier = this.#running;
    const running = (async () => {
      if (earlier !== null) await earlier;
      await work(() => {
        if (this.#running === running) this.#running = null;
      });
    })();
    this.#running = running;
  }

  /** Does something once what is fetched is there. */
  async afterwards(work: () => unknown): Promise<void> {
    await this.#running;
    work();
  }

  /** The promise is kept once nothing is fetched any more: what waits for one thing may fetch the next. */
  async settle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }
}
