import type Database from 'better-sqlite3';
import type { SegmentId, TranscriptId } from '../../../contract/identifiers.ts';
import type {
  Change,
  EditOperation,
  EditState,
  OriginalTranscript,
  SegmentPiece,
  SentDocument,
  StepResult,
  TranscriptDocument,
} from '../../../contract/transcript.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { applyChange, invertChange, coalesceTyping } from '../../transcript/edit/change.ts';
import { changeOf } from '../../transcript/edit/edit.ts';
import { wordCountDelta } from '../../transcript/word-count.ts';
import type { Clock } from '../../ports.ts';
import { DraftReader, type TranscriptState } from './draft-reader.ts';
import { EditLog, type EditHead } from './edit-log.ts';
import { SegmentRows } from './segment-rows.ts';

interface TranscriptFacts {
  readonly item_id: number | null;
  readonly name: string;
  readonly language: string | null;
  readonly duration_seconds: number | null;
  readonly word_count: number;
  readonly created_at: number;
  readonly trashed: 0 | 1;
}

interface EditBase extends TranscriptState {
  readonly facts: TranscriptFacts;
}

/** The edits of the saved transcripts: made, taken back and made again, each in one commit. */
export class EditStore {
  readonly #database: Database.Database;
  readonly #clock: Clock;
  readonly #rows: SegmentRows;
  readonly #log: EditLog;
  readonly #reader: DraftReader;

  constructor(database: Database.Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#rows = new SegmentRows(database);
    this.#log = new EditLog(database);
    this.#reader = new DraftReader(database, this.#rows, this.#log);
  }

  /** A transcript with everything that can be edited of it; `null` when there is none. */
  open(id: TranscriptId): TranscriptDocument | null {
    const facts = this.#facts(id);
    return facts === null ? null : this.#document(id, facts, this.#reader.read(id));
  }

  /** As {@link open}, with the segments that it begins with. */
  openBeginning(id: TranscriptId): SentDocument | null {
    const facts = this.#facts(id);
    if (facts === null) return null;
    const { isWhole, ...stands } = this.#reader.readBeginning(id);
    return { ...this.#document(id, facts, stands), isWhole };
  }

  /**
   * Segments from a number on, of the revision that {@link openBeginning} has told.
   *
   * @throws ProblemError `transcript_changed` when that is no longer what is stored, or `transcript_gone`.
   */
  piece(id: TranscriptId, revision: number, from: SegmentId): SegmentPiece {
    if (this.#facts(id) === null) throw new ProblemError({ code: 'transcript_gone' });
    if ((this.#log.head(id)?.revision ?? 0) !== revision) {
      throw new ProblemError({ code: 'transcript_changed' });
    }
    return this.#reader.readPiece(id, from);
  }

  #document(id: TranscriptId, facts: TranscriptFacts, { draft, head }: TranscriptState): TranscriptDocument {
    return {
      id,
      itemId: facts.item_id,
      name: facts.name,
      language: facts.language,
      durationSeconds: facts.duration_seconds,
      createdAt: facts.created_at,
      edited: head !== null && head.revision > 0,
      trashed: facts.trashed === 1,
      accepted: this.#log.accepted(id),
      ...draft,
      ...this.#state(id, head, facts),
    };
  }

  /** How often a transcript was edited; `null` when it is gone, or in the trash. */
  revisionOf(id: TranscriptId): number | null {
    return (
      this.#database
        .prepare<[number], number>(
          `SELECT coalesce(e.revision, 0) FROM transcripts t LEFT JOIN edit_states e ON e.transcript_id = t.id
           WHERE t.id = ? AND t.trashed_at IS NULL`,
        )
        .pluck()
        .get(id) ?? null
    );
  }

  /** A transcript as it came from the service. */
  original(id: TranscriptId): OriginalTranscript {
    const head = this.#log.head(id);
    const segments =
      head === null
        ? this.#rows.all(id).map(({ id: _id, speaker: _speaker, ...segment }) => segment)
        : this.#rows.original(id, head.originalCount);
    return { segments, text: segments.length === 0 ? this.#reader.originalText(id) : null };
  }

  /**
   * Makes an edit on top of what the user sees.
   *
   * @param continues whether it goes on with the typing that the last edit was: the two become one, which is taken back
   *   at once, and none when nothing is left of it.
   * @throws ProblemError `transcript_changed` when that is no longer what is stored, `transcript_gone`, or what stands
   *   in the way of storing.
   */
  edit(id: TranscriptId, revision: number, operation: EditOperation, continues = false): EditState {
    return this.#database.transaction(() => {
      const { facts, draft, head } = this.#editBase(id, revision);
      const change = changeOf(draft, operation, {
        durationSeconds: facts.duration_seconds,
        original: () => this.original(id),
      });
      if (change.length === 0) return this.#state(id, head, facts);
      const number = continues
        ? this.#extendTyping(id, { facts, draft, head }, operation, change)
        : this.#log.append(id, head?.head ?? null, this.#clock.now(), operation, change);
      return this.#applyToTranscript(id, { facts, draft, head }, change, number);
    })();
  }

  /** Makes the last edit one with the typing that goes on. Returns the edit that counts last from now on. */
  #extendTyping(id: TranscriptId, before: EditBase, operation: EditOperation, change: Change): number | null {
    const last = before.head?.head ?? null;
    if (last === null || this.#log.newestChild(id, last) !== null) {
      throw new ProblemError({ code: 'transcript_changed' });
    }
    const { number, parent, change: begun } = this.#log.edit(id, last);
    const whole = coalesceTyping(before.draft, begun, change);
    if (whole === null) throw new ProblemError({ code: 'transcript_changed' });
    if (whole.length > 0) {
      this.#log.rewrite(id, number, this.#clock.now(), operation, whole);
      return number;
    }
    this.#log.drop(id, number);
    return parent;
  }

  /** Takes the last edit back. @throws ProblemError as {@link edit}. */
  undo(id: TranscriptId, revision: number): StepResult {
    return this.#database.transaction(() => {
      const { facts, draft, head } = this.#editBase(id, revision);
      if (head === null || head.head === null) return { ...this.#state(id, head, facts), change: [] };
      const { parent, change: made } = this.#log.edit(id, head.head);
      const change = invertChange(made);
      const state = this.#applyToTranscript(id, { facts, draft, head }, change, parent);
      return { ...state, change };
    })();
  }

  /** Makes the edit again that was taken back last. @throws ProblemError as {@link edit}. */
  redo(id: TranscriptId, revision: number): StepResult {
    return this.#database.transaction(() => {
      const { facts, draft, head } = this.#editBase(id, revision);
      const next = head === null ? null : this.#log.newestChild(id, head.head);
      if (next === null) return { ...this.#state(id, head, facts), change: [] };
      const { change } = this.#log.edit(id, next);
      const state = this.#applyToTranscript(id, { facts, draft, head }, change, next);
      return { ...state, change };
    })();
  }

  /** Whether the user has looked at a finding of the review and means it to stay. */
  setAccepted(id: TranscriptId, finding: string, accepted: boolean): void {
    this.#log.setAccepted(id, finding, accepted);
  }

  #facts(id: TranscriptId): TranscriptFacts | null {
    return (
      this.#database
        .prepare<[number], TranscriptFacts>(
          `SELECT item_id, name, language, duration_seconds, word_count, created_at, trashed_at IS NOT NULL AS trashed
           FROM transcripts WHERE id = ?`,
        )
        .get(id) ?? null
    );
  }

  #editBase(id: TranscriptId, revision: number): EditBase {
    const facts = this.#facts(id);
    if (facts === null) throw new ProblemError({ code: 'transcript_gone' });
    const standing = this.#reader.read(id);
    if ((standing.head?.revision ?? 0) !== revision) throw new ProblemError({ code: 'transcript_changed' });
    return { ...standing, facts };
  }

  /** Carries a change out; `head` is the edit that counts last from now on. */
  #applyToTranscript(id: TranscriptId, before: EditBase, change: Change, head: number | null): EditState {
    const originalCount = before.head?.originalCount ?? before.draft.segments.length;
    let { draft } = before;
    for (const step of change) {
      draft = applyChange(draft, [step]);
      this.#rows.apply(id, step, draft.segments, originalCount);
    }
    const gained = wordCountDelta(before.draft, change, before.facts.language);
    const stands: EditHead = {
      revision: (before.head?.revision ?? 0) + 1,
      head,
      nextId: draft.nextId,
      speakers: draft.speakers,
      notes: draft.notes,
      wordCount: Math.max(0, (before.head?.wordCount ?? before.facts.word_count) + gained),
      originalCount,
      text: draft.text,
    };
    this.#log.setHead(id, stands);
    this.#reader.keep(id, stands, draft);
    return this.#state(id, stands, before.facts);
  }

  #state(id: TranscriptId, head: EditHead | null, facts: TranscriptFacts): EditState {
    return {
      revision: head?.revision ?? 0,
      wordCount: head?.wordCount ?? facts.word_count,
      canUndo: head !== null && head.head !== null,
      canRedo: head !== null && this.#log.newestChild(id, head.head) !== null,
    };
  }
}
