import { closeSync, openSync, readlinkSync, statSync } from 'node:fs';

/** A folder that something is being written into, which may be moved meanwhile, or its drive be taken out. */
export class HeldFolder {
  readonly #path: string;
  readonly #device: bigint;
  readonly #inode: bigint;
  /** Windows lets nobody move a folder in which a file is open, and opens no folders. */
  readonly #handle: number | null;

  /** @throws when there is no such folder, or it may not be read. */
  constructor(path: string) {
    const { dev, ino } = statSync(path, { bigint: true });
    this.#path = path;
    this.#device = dev;
    this.#inode = ino;
    this.#handle = process.platform === 'win32' ? null : openSync(path, 'r');
  }

  /** Whether its path still leads to it. */
  get isInPlace(): boolean {
    return this.#isAt(this.#path);
  }

  /** The path that leads to it now; `null` when there is none, as after its drive was taken out. */
  find(): string | null {
    return [this.#path, this.#pathNow()].find((path) => path !== null && this.#isAt(path)) ?? null;
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
  }

  #isAt(path: string): boolean {
    try {
      const { dev, ino } = statSync(path, { bigint: true });
      return dev === this.#device && ino === this.#inode;
    } catch {
      return false;
    }
  }

  /** What the system says of where it is; whether that is right is still to be seen. */
  #pathNow(): string | null {
    // Folders by their number, as macOS has them beside those by name.
    if (process.platform === 'darwin') return `/.vol/${this.#device}/${this.#inode}`;
    if (process.platform !== 'linux' || this.#handle === null) return null;
    try {
      return readlinkSync(`/proc/self/fd/${this.#handle}`);
    } catch {
      return null;
    }
  }
}
