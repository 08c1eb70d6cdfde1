import type Database from 'better-sqlite3';
import type { SegmentId, TranscriptId } from '../../../contract/identifiers.ts';
import type { Draft, DraftSegment, SegmentPiece } from '../../../contract/transcript.ts';
import { orderSegments } from '../../transcript/edit/draft.ts';
import type { EditHead, EditLog } from './edit-log.ts';
import type { SegmentRows } from './segment-rows.ts';

/** Segments that are sent when a transcript is opened: more than the tallest window shows. */
export const initialSegmentCount = 200;

/** Segments per read, so that one takes only a few milliseconds. */
export const segmentsPerPiece = 5000;

/** A transcript in its current state. */
export interface TranscriptState {
  readonly draft: Draft;
  /** `null` if it was never edited. */
  readonly head: EditHead | null;
}

/**
 * Identifies one state of one transcript. The ID alone does not: it is used again if its transcript's insertion is
 * rolled back.
 */
interface CacheKey {
  readonly id: TranscriptId;
  readonly origin: string;
  readonly revision: number;
}

interface PartialRead extends CacheKey {
  readonly pieces: readonly (readonly DraftSegment[])[];
  readonly next: SegmentId;
}

const isSameState = (a: CacheKey | null, b: CacheKey): boolean =>
  a !== null && a.id === b.id && a.origin === b.origin && a.revision === b.revision;

/** Reads transcripts and caches the last one, so that the next edit need not read it again. */
export class DraftReader {
  readonly #database: Database.Database;
  readonly #rows: SegmentRows;
  readonly #log: EditLog;
  #cachedDraft: (CacheKey & { readonly draft: Draft }) | null = null;
  /** What has been read of a transcript that is opened in pieces: all segments before `next`. */
  #partialRead: PartialRead | null = null;

  constructor(database: Database.Database, rows: SegmentRows, log: EditLog) {
    this.#database = database;
    this.#rows = rows;
    this.#log = log;
  }

  /** Returns a whole transcript. */
  read(id: TranscriptId): TranscriptState {
    const head = this.#log.head(id);
    const key = this.#cacheKey(id, head);
    return { draft: this.#cached(key) ?? this.#cache(key, head, this.#rows.all(id)), head };
  }

  /** Returns a transcript with its first segments. */
  readBeginning(id: TranscriptId): TranscriptState & { readonly isComplete: boolean } {
    const head = this.#log.head(id);
    const key = this.#cacheKey(id, head);
    const cached = this.#cached(key);
    const first = cached?.segments ?? this.#rows.first(id, initialSegmentCount + 1, head !== null);
    if (first.length <= initialSegmentCount) {
      return { draft: cached ?? this.#cache(key, head, first), head, isComplete: true };
    }
    const segments = first.slice(0, initialSegmentCount);
    const draft = cached === null ? this.#draftOf(id, head, segments) : { ...cached, segments };
    return { draft, head, isComplete: false };
  }

  /**
   * Returns the segments from an ID on. A transcript whose pieces were all read in order is cached. Pieces may be read
   * in any order and repeatedly, for example by two readers at once; those that do not follow are only returned.
   */
  readPiece(id: TranscriptId, from: SegmentId): SegmentPiece {
    const head = this.#log.head(id);
    const key = this.#cacheKey(id, head);
    const cached = from === 0 ? this.#cached(key) : null;
    if (cached !== null && cached.segments.length <= segmentsPerPiece) {
      return { segments: cached.segments, next: null, order: null };
    }
    const withNext = this.#rows.fromId(id, from, segmentsPerPiece + 1);
    const segments = withNext.slice(0, segmentsPerPiece);
    const next = withNext[segmentsPerPiece]?.id ?? null;
    const order = next === null ? this.#rows.order(id) : null;
    const read = this.#piecesBefore(key, from);
    if (read !== null) {
      const pieces = [...read, segments];
      if (next === null) this.#cache(key, head, orderSegments(pieces.flat(), order));
      this.#partialRead = next === null ? null : { ...key, pieces, next };
    }
    return { segments, next, order };
  }

  /** Returns what has been read of a transcript if it is exactly what is before a segment. */
  #piecesBefore(key: CacheKey, from: SegmentId): readonly (readonly DraftSegment[])[] | null {
    if (from === 0) return [];
    const partial = this.#partialRead;
    return partial !== null && isSameState(partial, key) && partial.next === from ? partial.pieces : null;
  }

  /** Caches a transcript as an edit leaves it. */
  cache(id: TranscriptId, head: EditHead, draft: Draft): void {
    this.#cachedDraft = { ...this.#cacheKey(id, head), draft };
  }

  /** Returns the text of a transcript as the service delivered it. */
  originalText(id: TranscriptId): string {
    return (
      this.#database.prepare<[number], string>('SELECT text FROM transcripts WHERE id = ?').pluck().get(id) ??
      ''
    );
  }

  #cacheKey(id: TranscriptId, head: EditHead | null): CacheKey {
    const origin = this.#database
      .prepare<[number], string>(
        `SELECT service || ' ' || job_id || ' ' || created_at FROM transcripts WHERE id = ?`,
      )
      .pluck()
      .get(id);
    return { id, origin: origin ?? '', revision: head?.revision ?? 0 };
  }

  #cached(key: CacheKey): Draft | null {
    return this.#cachedDraft !== null && isSameState(this.#cachedDraft, key) ? this.#cachedDraft.draft : null;
  }

  #cache(key: CacheKey, head: EditHead | null, segments: readonly DraftSegment[]): Draft {
    const draft = this.#draftOf(key.id, head, segments);
    this.#cachedDraft = { ...key, draft };
    return draft;
  }

  #draftOf(id: TranscriptId, head: EditHead | null, segments: readonly DraftSegment[]): Draft {
    if (head !== null) {
      return { segments, text: head.text, speakers: head.speakers, notes: head.notes, nextId: head.nextId };
    }
    return {
      segments,
      text: segments.length === 0 ? this.originalText(id) : null,
      speakers: [],
      notes: [],
      nextId: this.#rows.nextId(id),
    };
  }
}
