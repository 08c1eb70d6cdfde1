import type { Examined } from './intake.ts';

/** What the thread that examines recordings is told. */
export type ToIntakeThread =
  | {
      readonly kind: 'examine';
      readonly request: number;
      readonly paths: readonly string[];
      readonly links: readonly string[];
    }
  /** What it has found was taken: it may tell more. */
  | { readonly kind: 'more'; readonly request: number }
  /** Nobody waits for it any more. */
  | { readonly kind: 'cancel'; readonly request: number };

/** What it tells. */
export type FromIntakeThread =
  | { readonly kind: 'found'; readonly request: number; readonly examined: readonly Examined[] }
  | { readonly kind: 'done'; readonly request: number }
  | { readonly kind: 'failed'; readonly request: number; readonly message: string };

/** So many times it tells ahead of what was taken. */
export const toldAhead = 3;
