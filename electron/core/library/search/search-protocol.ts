import type { TranscriptId } from '../../../contract/identifiers.ts';
import type { LibraryQuery, LibraryView } from '../../../contract/library.ts';

/** Which part of a result is requested. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  /** Whether the result must include transcripts beyond those that are ranked. */
  readonly all: boolean;
}

/** The data that the search thread starts with. */
export interface SearchSettings {
  /** Path of the database. */
  readonly path: string;
  /** One 32-bit number: the serial number of the newest query. Older ones need no answer. */
  readonly newest: SharedArrayBuffer;
}

/** Messages to the search thread, which serves requests one after the other. */
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

/** Messages from the search thread. */
export type FromSearch =
  | { readonly kind: 'list'; readonly request: number; readonly view: LibraryView }
  | { readonly kind: 'ids'; readonly request: number; readonly ids: readonly TranscriptId[] }
  | { readonly kind: 'superseded'; readonly request: number }
  | { readonly kind: 'failed'; readonly request: number; readonly message: string };

/** A newer query has superseded this one. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError';
}
