import type Database from 'better-sqlite3';
import type { SegmentId, TranscriptId } from '../../../contract/identifiers.ts';
import type { Draft, DraftSegment, SegmentPiece } from '../../../contract/transcript.ts';
import { orderSegments } from '../../transcript/edit/draft.ts';
import type { EditHead, EditLog } from './edit-log.ts';
import type { SegmentRows } from './segment-rows.ts';

/** Segments that a transcript is opened with: more than the tallest window shows. */
export const beginningLength = 200;

/** Segments that are read at once: a few milliseconds. */
export const pieceLength = 5000;

/** A transcript as it stands. */
export interface Standing {
  readonly draft: Draft;
  /** `null` when it was never edited. */
  readonly head: EditHead | null;
}

/** One state of one transcript. Numbers of transcripts that are gone are given again, so it takes more than these. */
interface Known {
  readonly id: TranscriptId;
  readonly origin: string;
  readonly revision: number;
}

const isSame = (a: Known | null, b: Known): boolean =>
  a !== null && a.id === b.id && a.origin === b.origin && a.revision === b.revision;

/** Reads transcripts, and keeps the one that was worked on last, so that the next edit need not read it again. */
export class DraftReader {
  readonly #database: Database.Database;
  readonly #rows: SegmentRows;
  readonly #log: EditLog;
  #last: (Known & { readonly draft: Draft }) | null = null;
  /** What was read of a transcript that is opened piece by piece. */
  #begun: (Known & { readonly pieces: (readonly DraftSegment[])[] }) | null = null;

  constructor(database: Database.Database, rows: SegmentRows, log: EditLog) {
    this.#database = database;
    this.#rows = rows;
    this.#log = log;
  }

  /** The whole of a transcript. */
  standing(id: TranscriptId): Standing {
    const head = this.#log.head(id);
    const state = this.#stateOf(id, head);
    return { draft: this.#kept(state) ?? this.#keep(state, head, this.#rows.all(id)), head };
  }

  /** A transcript with the segments that it begins with. */
  beginning(id: TranscriptId): Standing & { readonly isWhole: boolean } {
    const head = this.#log.head(id);
    const state = this.#stateOf(id, head);
    const kept = this.#kept(state);
    const found = kept?.segments ?? this.#rows.beginning(id, beginningLength + 1, head !== null);
    if (found.length <= beginningLength) {
      return { draft: kept ?? this.#keep(state, head, found), head, isWhole: true };
    }
    const segments = found.slice(0, beginningLength);
    const draft = kept === null ? this.#draftOf(id, head, segments) : { ...kept, segments };
    return { draft, head, isWhole: false };
  }

  /** Segments from a number on. All of them are kept once they were read one piece after the other. */
  piece(id: TranscriptId, from: SegmentId): SegmentPiece {
    const head = this.#log.head(id);
    const state = this.#stateOf(id, head);
    const kept = from === 0 ? this.#kept(state) : null;
    if (kept !== null && kept.segments.length <= pieceLength) {
      return { segments: kept.segments, next: null, order: null };
    }
    const found = this.#rows.from(id, from, pieceLength + 1);
    const segments = found.slice(0, pieceLength);
    const next = found[pieceLength]?.id ?? null;
    const order = next === null ? this.#rows.order(id) : null;
    if (from === 0) this.#begun = { ...state, pieces: [] };
    const begun = isSame(this.#begun, state) ? this.#begun : null;
    begun?.pieces.push(segments);
    if (next === null) {
      if (begun !== null) this.#keep(state, head, orderSegments(begun.pieces.flat(), order));
      this.#begun = null;
    }
    return { segments, next, order };
  }

  /** Keeps a transcript as it is after an edit. */
  keep(id: TranscriptId, head: EditHead, draft: Draft): void {
    this.#last = { ...this.#stateOf(id, head), draft };
  }

  /** The text of a transcript as it came. */
  textThatCame(id: TranscriptId): string {
    return (
      this.#database.prepare<[number], string>('SELECT text FROM transcripts WHERE id = ?').pluck().get(id) ??
      ''
    );
  }

  #stateOf(id: TranscriptId, head: EditHead | null): Known {
    const origin = this.#database
      .prepare<[number], string>(
        `SELECT service || ' ' || job_id || ' ' || created_at FROM transcripts WHERE id = ?`,
      )
      .pluck()
      .get(id);
    return { id, origin: origin ?? '', revision: head?.revision ?? 0 };
  }

  #kept(state: Known): Draft | null {
    return this.#last !== null && isSame(this.#last, state) ? this.#last.draft : null;
  }

  #keep(state: Known, head: EditHead | null, segments: readonly DraftSegment[]): Draft {
    const draft = this.#draftOf(state.id, head, segments);
    this.#last = { ...state, draft };
    return draft;
  }

  #draftOf(id: TranscriptId, head: EditHead | null, segments: readonly DraftSegment[]): Draft {
    if (head !== null) {
      return { segments, text: head.text, speakers: head.speakers, notes: head.notes, nextId: head.nextId };
    }
    return {
      segments,
      text: segments.length === 0 ? this.textThatCame(id) : null,
      speakers: [],
      notes: [],
      nextId: this.#rows.nextNumber(id),
    };
  }
}
