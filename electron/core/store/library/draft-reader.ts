import type Database from 'better-sqlite3';
import type { SegmentId, TranscriptId } from '../../../contract/identifiers.ts';
import type { Draft, DraftSegment, SegmentPiece } from '../../../contract/transcript.ts';
import { orderSegments } from '../../transcript/edit/draft.ts';
import type { EditHead, EditLog } from './edit-log.ts';
import type { SegmentRows } from './segment-rows.ts';

/** Segments that a transcript is opened with: more than the tallest window shows. */
export const initialSegmentCount = 200;

/** Segments that are read at once: a few milliseconds. */
export const segmentsPerPiece = 5000;

/** A transcript as it stands. */
export interface TranscriptState {
  readonly draft: Draft;
  /** `null` when it was never edited. */
  readonly head: EditHead | null;
}

/** One state of one transcript. Numbers of transcripts that are gone are given again, so it takes more than these. */
interface CacheKey {
  readonly id: TranscriptId;
  readonly origin: string;
  readonly revision: number;
}

const isSameState = (a: CacheKey | null, b: CacheKey): boolean =>
  a !== null && a.id === b.id && a.origin === b.origin && a.revision === b.revision;

/** Reads transcripts, and keeps the one that was worked on last, so that the next edit need not read it again. */
export class DraftReader {
  readonly #database: Database.Database;
  readonly #rows: SegmentRows;
  readonly #log: EditLog;
  #cachedDraft: (CacheKey & { readonly draft: Draft }) | null = null;
  /** What was read of a transcript that is opened piece by piece. */
  #partialRead: (CacheKey & { readonly pieces: (readonly DraftSegment[])[] }) | null = null;

  constructor(database: Database.Database, rows: SegmentRows, log: EditLog) {
    this.#database = database;
    this.#rows = rows;
    this.#log = log;
  }

  /** The whole of a transcript. */
  read(id: TranscriptId): TranscriptState {
    const head = this.#log.head(id);
    const state = this.#cacheKey(id, head);
    return { draft: this.#kept(state) ?? this.#keep(state, head, this.#rows.all(id)), head };
  }

  /** A transcript with the segments that it begins with. */
  readBeginning(id: TranscriptId): TranscriptState & { readonly isWhole: boolean } {
    const head = this.#log.head(id);
    const state = this.#cacheKey(id, head);
    const kept = this.#kept(state);
    const found = kept?.segments ?? this.#rows.first(id, initialSegmentCount + 1, head !== null);
    if (found.length <= initialSegmentCount) {
      return { draft: kept ?? this.#keep(state, head, found), head, isWhole: true };
    }
    const segments = found.slice(0, initialSegmentCount);
    const draft = kept === null ? this.#draftOf(id, head, segments) : { ...kept, segments };
    return { draft, head, isWhole: false };
  }

  /** Segments from a number on. All of them are kept once they were read one piece after the other. */
  readPiece(id: TranscriptId, from: SegmentId): SegmentPiece {
    const head = this.#log.head(id);
    const state = this.#cacheKey(id, head);
    const kept = from === 0 ? this.#kept(state) : null;
    if (kept !== null && kept.segments.length <= segmentsPerPiece) {
      return { segments: kept.segments, next: null, order: null };
    }
    const found = this.#rows.fromNumber(id, from, segmentsPerPiece + 1);
    const segments = found.slice(0, segmentsPerPiece);
    const next = found[segmentsPerPiece]?.id ?? null;
    const order = next === null ? this.#rows.order(id) : null;
    if (from === 0) this.#partialRead = { ...state, pieces: [] };
    const partialRead = isSameState(this.#partialRead, state) ? this.#partialRead : null;
    partialRead?.pieces.push(segments);
    if (next === null) {
      if (partialRead !== null) this.#keep(state, head, orderSegments(partialRead.pieces.flat(), order));
      this.#partialRead = null;
    }
    return { segments, next, order };
  }

  /** Keeps a transcript as it is after an edit. */
  keep(id: TranscriptId, head: EditHead, draft: Draft): void {
    this.#cachedDraft = { ...this.#cacheKey(id, head), draft };
  }

  /** The text of a transcript as it came. */
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

  #kept(state: CacheKey): Draft | null {
    return this.#cachedDraft !== null && isSameState(this.#cachedDraft, state)
      ? this.#cachedDraft.draft
      : null;
  }

  #keep(state: CacheKey, head: EditHead | null, segments: readonly DraftSegment[]): Draft {
    const draft = this.#draftOf(state.id, head, segments);
    this.#cachedDraft = { ...state, draft };
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
      nextId: this.#rows.nextNumber(id),
    };
  }
}
