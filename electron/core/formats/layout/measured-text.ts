import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { breakCost, type Atom } from './atoms.ts';

/** The maximum rounding error of a sum of fractional widths. */
export const tolerance = 1e-6;

/**
 * The atoms of a whole transcript, measured once as if on one endless line. A piece is given by its first atom, `from`,
 * and the one after its last, `to`.
 */
export class MeasuredText {
  readonly atoms: readonly Atom[];
  /** The columns of the endless line where each atom begins and ends. */
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  /** For each atom: the first one that does not fit on a line that begins with it. */
  readonly #lineEnds: Uint32Array;
  readonly #breakCosts: Float64Array;
  /** For each atom: how many atoms up to it continue a word that was too long for a line. */
  readonly #wordContinuations: Uint32Array;
  /** For each atom: 1 if no cue may begin with it. */
  readonly #noCueBefore: Uint8Array;

  constructor(atoms: readonly Atom[], { columnsPerLine, maxLines }: SubtitleRules) {
    const count = atoms.length;
    this.atoms = atoms;
    this.#noCueBefore = new Uint8Array(count);
    this.#starts = new Float64Array(count);
    this.#ends = new Float64Array(count);
    this.#lineEnds = new Uint32Array(count);
    this.#breakCosts = new Float64Array(count);
    this.#wordContinuations = new Uint32Array(count);
    let position = 0;
    let wordContinuations = 0;
    let index = 0;
    for (const { spaceBefore, continuesWord, columns } of atoms) {
      if (spaceBefore && index > 0) position += 1;
      this.#starts[index] = position;
      position += columns;
      this.#ends[index] = position;
      if (continuesWord) wordContinuations += 1;
      this.#wordContinuations[index] = wordContinuations;
      index += 1;
    }
    // A separate loop is faster.
    for (index = 1; index < count; index += 1) this.#breakCosts[index] = breakCost(atoms, index);
    for (let from = 0, to = 0; from < count; from += 1) {
      to = Math.max(to, from + 1);
      const furthest = (this.#starts[from] ?? 0) + columnsPerLine + tolerance;
      while (to < count && (this.#ends[to] ?? 0) <= furthest) to += 1;
      this.#lineEnds[from] = to;
    }
    for (index = 1; index < count; index += 1) {
      if (atoms[index]?.noBreakBefore !== 'words') continue;
      for (let at = index; atoms[at]?.noBreakBefore && this.endOfLines(at - 1, maxLines) > index; at -= 1) {
        this.#noCueBefore[at] = 1;
      }
    }
  }

  /** Whether a cue may end before an atom: not between a label and a word that still fits after it. */
  canEndCue(at: number): boolean {
    return this.#noCueBefore[at] !== 1;
  }

  /** Returns the columns between the starts of two atoms. */
  offset(from: number, at: number): number {
    return (this.#starts[at] ?? 0) - (this.#starts[from] ?? 0);
  }

  /** Returns the width of a piece on one line. */
  width(from: number, to: number): number {
    return (this.#ends[to - 1] ?? 0) - (this.#starts[from] ?? 0);
  }

  /** Returns the columns to read in a piece: its width, and one more for each break within a long word. */
  readColumns(from: number, to: number): number {
    return (
      this.width(from, to) + (this.#wordContinuations[to - 1] ?? 0) - (this.#wordContinuations[from] ?? 0)
    );
  }

  /** Returns the first atom that does not fit on `lines` lines, the first of which begins with atom `from`. */
  endOfLines(from: number, lines: number): number {
    const count = this.atoms.length;
    let to = from;
    for (let line = 0; line < lines && to < count; line += 1) to = this.#lineEnds[to] ?? count;
    return to;
  }

  /** Returns how bad a break before an atom is; see {@link breakCost}. */
  breakCost(at: number): number {
    return this.#breakCosts[at] ?? 0;
  }

  /** Returns a piece as one line of text. */
  text(from: number, to: number): string {
    let text = this.atoms[from]?.text ?? '';
    for (let index = from + 1; index < to; index += 1) {
      const atom = this.atoms[index];
      if (atom !== undefined) text += atom.spaceBefore ? ` ${atom.text}` : atom.text;
    }
    return text;
  }
}
