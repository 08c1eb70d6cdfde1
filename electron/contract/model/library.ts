import type { ItemId } from './queue.ts';

/** The identifier of a saved transcript, ours. */
export type TranscriptId = number;

/** A timed piece of a transcript; times in seconds from the start of the recording. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Transcript {
  readonly id: TranscriptId;
  readonly itemId: ItemId | null;
  readonly name: string;
  /** ISO 639 code when the service told it or it was asked for. */
  readonly language: string | null;
  readonly durationSeconds: number | null;
  readonly wordCount: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** A transcript as the library lists it. */
export interface TranscriptRow {
  readonly id: TranscriptId;
  readonly name: string;
  readonly language: string | null;
  readonly durationSeconds: number | null;
  readonly wordCount: number;
  readonly createdAt: number;
  /** The first words, on one line. */
  readonly excerpt: string;
}

export interface LibraryView {
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly TranscriptRow[];
}
