/** What identifying the speakers of a transcript has found. */
export interface SpeakersReport {
  /** How many speak. */
  readonly speakers: number;
  /** Whether the transcript was changed, as one edit. */
  readonly changed: boolean;
}
