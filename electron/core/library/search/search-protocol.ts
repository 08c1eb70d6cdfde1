import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { LibraryQuery, LibraryView } from '../../../contract/library.ts';

/** A stretch of an answer. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  /** Whether all transcripts are wanted, however many there are; otherwise those that are ranked may do. */
  readonly all: boolean;
}

/** What the search thread is started with. */
export interface SearchSettings {
  /** The database's file. */
  readonly path: string;
  /** One 32-bit number: the serial of the newest question. Older ones need no answer. */
  readonly newest: SharedArrayBuffer;
}

/** To the search thread. Requests are numbered, and served one after the other. */
export type ToSearch =
  | {
      readonly kind: 'list';
      readonly request: number;
      readonly serial: number;
      readonly question: LibraryQuery;
      readonly stretch: PageRequest;
    }
  | {
      readonly kind: 'ids';
      readonly request: number;
      readonly serial: number;
      readonly question: LibraryQuery;
    };

/** From the search thread. */
export type FromSearch =
  | { readonly kind: 'list'; readonly request: number; readonly view: LibraryView }
  | { readonly kind: 'ids'; readonly request: number; readonly ids: readonly TranscriptId[] }
  | { readonly kind: 'superseded'; readonly request: number }
  | { readonly kind: 'failed'; readonly request: number; readonly message: string };

/** Nobody wants the answer any more: another question has been asked. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
}
