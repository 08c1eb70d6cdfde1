/** The recording of a transcript, for playing in the window. */
export type RecordingStatus =
  | {
      readonly kind: 'ready';
      readonly media: 'audio' | 'video';
      readonly url: string;
      readonly sizeBytes: number;
      /** Identifies the state of the file: it changes with the file. */
      readonly stamp: string;
    }
  /** The file is missing, or another file has taken its place. */
  | { readonly kind: 'missing' | 'replaced'; readonly name: string }
  /** There never was a local file. */
  | { readonly kind: 'none' };

/** The outcome of a change of a transcript's recording. */
export interface RecordingChange {
  readonly recording: RecordingStatus;
  /** The name of the transcript now, if it has the name of its file and got a new one with it; otherwise `null`. */
  readonly renamedTo: string | null;
  /** The file name of the recording that it was changed to; `null`: it has none now, or nothing was changed. */
  readonly name: string | null;
  /** The file name of the recording before; `null`: it had none, or nothing was changed. */
  readonly before: string | null;
  /** Whether there is a change, which `transcript.undoRecording` reverts. */
  readonly isChanged: boolean;
  /** Number of other transcripts of the same content that got the recording too. */
  readonly others: number;
}
