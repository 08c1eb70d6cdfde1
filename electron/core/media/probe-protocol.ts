/** What the thread that looks for lengths is asked. */
export interface ToProbeThread {
  readonly request: number;
  readonly path: string;
}

/** What it tells. */
export type FromProbeThread =
  /** It is there and looks: until then it was starting, which says nothing of the recording. */
  | { readonly kind: 'looking'; readonly request: number }
  /** In seconds; `null` when a short look does not tell it. */
  | { readonly kind: 'found'; readonly request: number; readonly seconds: number | null };
