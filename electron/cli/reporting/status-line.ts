import type { Clock } from '../../core/ports.ts';
import type { TextOutput } from '../command-line-system.ts';

/** Milliseconds between two updates of the line. */
const drawDelayMs = 100;
/** For a terminal that does not report its width. */
const defaultColumns = 80;

/** The last line of a terminal, updated in place; on anything else only printed lines appear. */
export class StatusLine {
  /** Whether there is a line that changes. */
  readonly isLive: boolean;
  readonly #stderr: TextOutput;
  readonly #clock: Clock;
  #text = '';
  #cancelDraw: (() => void) | null = null;

  constructor(stderr: TextOutput, clock: Clock) {
    this.#stderr = stderr;
    this.#clock = clock;
    this.isLive = stderr.isTerminal;
  }

  /** Schedules an update of the line to `text`. */
  show(text: string): void {
    if (!this.isLive) return;
    this.#text = text;
    this.#cancelDraw ??= this.#clock.schedule(drawDelayMs, () => {
      this.#cancelDraw = null;
      this.#draw();
    });
  }

  /** Prints a line that stays. */
  print(text: string): void {
    this.writeAround(() => this.#stderr.write(`${text}\n`));
  }

  /** Hides the line while others write to the terminal. */
  writeAround(write: () => void): void {
    if (this.isLive) this.#stderr.clearLine();
    write();
    if (this.isLive) this.#draw();
  }

  /** Removes the line. */
  clear(): void {
    this.#cancelDraw?.();
    this.#cancelDraw = null;
    this.#text = '';
    if (this.isLive) this.#stderr.clearLine();
  }

  #draw(): void {
    // A full line would wrap on some terminals.
    const columns = this.#stderr.columns > 0 ? this.#stderr.columns : defaultColumns;
    const characters = [...this.#text].slice(0, columns - 1);
    this.#stderr.clearLine();
    this.#stderr.write(characters.join(''));
  }
}
