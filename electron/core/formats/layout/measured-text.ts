import type { SubtitleRules } from '../../../contract/subtitle-rules.ts';
import { breakCost, type Atom } from './atoms.ts';

/** Sums of widths that are no whole numbers are off by less than this. */
export const tolerance = 1e-6;

/**
 * The atoms of a whole transcript, measured once, as if they lay on one endless line. A piece of it is told by its first
 * atom, `from`, and the one after its last, `to`.
 */
export class MeasuredText {
  readonly atoms: readonly Atom[];
  /** Where each atom begins on the endless line, and where it ends. */
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  /** For each atom: the first one that does not fit on a line that it begins. */
  readonly #lineReach: Uint32Array;
  readonly #breakCosts: Float64Array;
  /** For each atom: how many up to it go on with a word that was too long for a line. */
  readonly #tears: Uint32Array;
  /** For each atom: 1 when no cue may begin with it. */
  readonly #held: Uint8Array;

  constructor(atoms: readonly Atom[], { lineColumns, maxLines }: SubtitleRules) {
    const count = atoms.length;
    this.atoms = atoms;
    this.#held = new Uint8Array(count);
    this.#starts = new Float64Array(count);
    this.#ends = new Float64Array(count);
    this.#lineReach = new Uint32Array(count);
    this.#breakCosts = new Float64Array(count);
    this.#tears = new Uint32Array(count);
    let position = 0;
    let tears = 0;
    let index = 0;
    for (const { spaced, torn, columns } of atoms) {
      if (spaced && index > 0) position += 1;
      this.#starts[index] = position;
      position += columns;
      this.#ends[index] = position;
      if (torn) tears += 1;
      this.#tears[index] = tears;
      index += 1;
    }
    // Apart from the loop above, which would be slower with it.
    for (index = 1; index < count; index += 1) this.#breakCosts[index] = breakCost(atoms, index);
    for (let from = 0, to = 0; from < count; from += 1) {
      to = Math.max(to, from + 1);
      const furthest = (this.#starts[from] ?? 0) + lineColumns + tolerance;
      while (to < count && (this.#ends[to] ?? 0) <= furthest) to += 1;
      this.#lineReach[from] = to;
    }
    for (index = 1; index < count; index += 1) {
      if (atoms[index]?.bound !== 'words') continue;
      for (let at = index; atoms[at]?.bound && this.reach(at - 1, maxLines) > index; at -= 1) {
        this.#held[at] = 1;
      }
    }
  }

  /** Whether a cue may end before an atom: not so that a label lacks a word after it for which there is room. */
  canCut(at: number): boolean {
    return this.#held[at] !== 1;
  }

  /** The columns from where one atom begins to where another one does. */
  offset(from: number, at: number): number {
    return (this.#starts[at] ?? 0) - (this.#starts[from] ?? 0);
  }

  /** The columns that a piece takes on one line. */
  width(from: number, to: number): number {
    return (this.#ends[to - 1] ?? 0) - (this.#starts[from] ?? 0);
  }

  /**
   * The columns that there are to read in a piece: as many as on one line, and one where a word goes on in the next
   * line that was too long for one.
   */
  readColumns(from: number, to: number): number {
    return this.width(from, to) + (this.#tears[to - 1] ?? 0) - (this.#tears[from] ?? 0);
  }

  /** The first atom that does not fit on `lines` lines that begin with atom `from`. */
  reach(from: number, lines: number): number {
    const count = this.atoms.length;
    let to = from;
    for (let line = 0; line < lines && to < count; line += 1) to = this.#lineReach[to] ?? count;
    return to;
  }

  /** How bad it is to break before an atom; see {@link breakCost}. */
  breakCost(at: number): number {
    return this.#breakCosts[at] ?? 0;
  }

  /** A piece as one line. */
  text(from: number, to: number): string {
    let text = this.atoms[from]?.text ?? '';
    for (let index = from + 1; index < to; index += 1) {
      const atom = this.atoms[index];
      if (atom !== undefined) text += atom.spaced ? ` ${atom.text}` : atom.text;
    }
    return text;
  }
}
