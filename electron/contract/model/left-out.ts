import type { Problem } from '../problem.ts';

/** Something that was not taken along with the rest, and why. */
export interface LeftOut {
  /** The file's name, the folder's name or the link. */
  readonly name: string;
  readonly problem: Problem;
}
