import { languageTag } from '../../../contract/languages.ts';
import type Database from 'better-sqlite3';
import type { SegmentId, TranscriptId } from '../../../contract/identifiers.ts';
import type {
  Change,
  Draft,
  StoredOperation,
  EditState,
  ComparisonBase,
  OriginalTranscript,
  SegmentPiece,
  OpenedDocument,
  SpeakerBefore,
  UndoResult,
  TranscriptDocument,
} from '../../../contract/transcript.ts';
import { parseBoundedJson } from '../../../contract/bounded-json.ts';
import { termsSchema } from '../../../contract/options.ts';
import { ProblemError } from '../../../contract/problem.ts';
import { applyChange, fitsDraft, invertChange, coalesceTyping } from '../../transcript/edit/change.ts';
import { changeOf } from '../../transcript/edit/edit.ts';
import { speakerOperations, speakersBefore } from '../../transcript/edit/speakers-before.ts';
import { wordCountDelta } from '../../transcript/word-count.ts';
import type { Clock } from '../../ports.ts';
import { DraftReader, type TranscriptState } from './draft-reader.ts';
import { EditLog, type EditHead } from './edit-log.ts';
import { maxSegmentsAtOnce, type SearchIndex } from './search-index.ts';
import { importService } from './transcript-tables.ts';
import { SegmentRows } from './segment-rows.ts';
import { shortfallOf } from '../../item/shortfall.ts';
import { publishedCondition } from './staged-transcripts.ts';

interface TranscriptMetadata {
  readonly item_id: number | null;
  readonly name: string;
  readonly language: string | null;
  readonly duration_seconds: number | null;
  /** `null` for an imported transcript, whose duration is only its own end. */
  readonly recording_seconds: number | null;
  readonly stated_seconds: number | null;
  readonly unreadable_seconds: number | null;
  readonly word_count: number;
  readonly created_at: number;
  readonly trashed: 0 | 1;
  /** JSON; `null` if the recording is not in the queue. */
  readonly terms: string | null;
}

interface EditBase extends TranscriptState {
  readonly metadata: TranscriptMetadata;
}

const hasUniqueIds = ({ segments }: Draft): boolean =>
  new Set(segments.map(({ id }) => id)).size === segments.length;

/** Returns the number of segments whose text a change writes. */
const changedTextCount = (change: Change): number =>
  change.reduce((sum, step) => {
    if (step.kind === 'splice') return sum + step.inserted.length;
    if (step.kind !== 'replace') return sum;
    return sum + step.pairs.filter(({ before, after }) => before.text !== after.text).length;
  }, 0);

/**
 * The maximum number of segments and characters that the steps of one change copy together: about a second of work. In
 * the longest transcript, an edit with the most splices takes two thirds of it.
 */
const maxCopied = 3e8;
/** The fixed cost of each step, which prepares statements, in copied segments. */
const stepOverhead = 40_000;
/**
 * How many times a change may write the row of each segment: a change of all segments replaces, removes and inserts
 * each.
 */
const maxRowPasses = 3;
/** Added to the number of segments, for edits of short transcripts. */
const spareRows = 25_000;

/** Limits the work of a change: each step copies all segments, or all of a text without times, and writes rows. */
class StepBudget {
  #copied = 0;
  #written = 0;
  #segmentCount: number;

  constructor(segmentCount: number) {
    this.#segmentCount = segmentCount;
  }

  /** Counts a step before it is applied to a draft. @throws ProblemError `history_damaged` */
  countStep({ segments, text }: Draft): void {
    this.#copied += stepOverhead + segments.length + (text?.length ?? 0);
    if (this.#copied > maxCopied) throw new ProblemError({ code: 'history_damaged' });
  }

  /** Counts the rows that a step has written. @throws ProblemError `history_damaged` */
  countRows(written: number, { segments }: Draft): void {
    this.#written += written;
    this.#segmentCount = Math.max(this.#segmentCount, segments.length);
    if (this.#written > maxRowPasses * (this.#segmentCount + spareRows))
      throw new ProblemError({ code: 'history_damaged' });
  }
}

/** Edits saved transcripts, with undo and redo. Each edit is one commit. */
export class EditStore {
  readonly #database: Database.Database;
  readonly #clock: Clock;
  readonly #index: SearchIndex;
  readonly #rows: SegmentRows;
  readonly #log: EditLog;
  readonly #reader: DraftReader;

  constructor(database: Database.Database, clock: Clock, index: SearchIndex) {
    this.#database = database;
    this.#clock = clock;
    this.#index = index;
    this.#rows = new SegmentRows(database);
    this.#log = new EditLog(database);
    this.#reader = new DraftReader(database, this.#rows, this.#log);
  }

  /** Returns a transcript with everything that can be edited; `null` if there is none. */
  open(id: TranscriptId): TranscriptDocument | null {
    const metadata = this.#metadata(id);
    return metadata === null ? null : this.#document(id, metadata, this.#reader.read(id));
  }

  /** Like {@link open}, but with the first segments only. */
  openBeginning(id: TranscriptId): OpenedDocument | null {
    const metadata = this.#metadata(id);
    if (metadata === null) return null;
    const { isComplete, ...state } = this.#reader.readBeginning(id);
    return { ...this.#document(id, metadata, state), isComplete };
  }

  /**
   * Returns segments from a number on, of the revision that {@link openBeginning} returned.
   *
   * @throws ProblemError `transcript_changed` if another revision is stored by now, or `transcript_gone`.
   */
  piece(id: TranscriptId, revision: number, from: SegmentId): SegmentPiece {
    if (this.#metadata(id) === null) throw new ProblemError({ code: 'transcript_gone' });
    if ((this.#log.head(id)?.revision ?? 0) !== revision) {
      throw new ProblemError({ code: 'transcript_changed' });
    }
    return this.#reader.readPiece(id, from);
  }

  #document(
    id: TranscriptId,
    metadata: TranscriptMetadata,
    { draft, head }: TranscriptState,
  ): TranscriptDocument {
    const { duration_seconds: seconds, stated_seconds: stated, unreadable_seconds: unreadable } = metadata;
    const shortfall = shortfallOf(seconds, stated, unreadable);
    return {
      id,
      itemId: metadata.item_id,
      name: metadata.name,
      language: metadata.language === null ? null : languageTag(metadata.language),
      durationSeconds: seconds,
      recordingSeconds: metadata.recording_seconds,
      ...(shortfall !== null && { shortfall }),
      createdAt: metadata.created_at,
      edited: head !== null && head.revision > 0,
      trashed: metadata.trashed === 1,
      accepted: this.#log.accepted(id),
      terms: metadata.terms === null ? [] : termsSchema.catch([]).parse(parseBoundedJson(metadata.terms)),
      ...draft,
      ...this.#state(id, head, metadata),
    };
  }

  /** Returns the revision of a transcript; `null` if it is gone or in the trash. */
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

  /**
   * Returns the last edit in effect and the speakers after it, even for a transcript in the trash; `null` if it is
   * gone.
   */
  headOf(id: TranscriptId): Pick<EditHead, 'revision' | 'lastEdit' | 'speakers'> | null {
    const exists = this.#database
      .prepare<[number], 1>(`SELECT 1 FROM transcripts WHERE id = ? AND ${publishedCondition}`)
      .get(id);
    if (exists === undefined) return null;
    return this.#log.head(id) ?? { revision: 0, lastEdit: null, speakers: [] };
  }

  /** Returns a transcript as the service delivered it. */
  original(id: TranscriptId): OriginalTranscript {
    const head = this.#log.head(id);
    const segments =
      head === null
        ? this.#rows.all(id).map(({ id: _id, ...segment }) => segment)
        : this.#rows.original(id, head.originalCount);
    return { segments, text: segments.length === 0 ? this.#reader.originalText(id) : null };
  }

  /** Like {@link original}, with the speakers that a person has changed since. */
  comparisonBase(id: TranscriptId): ComparisonBase {
    const lastEdit = this.#log.head(id)?.lastEdit ?? null;
    const original = this.original(id);
    return { ...original, speakersBefore: lastEdit === null ? [] : this.#speakersBefore(id, lastEdit) };
  }

  /** Returns none if the history, which may be from a backup of another computer, cannot be read. */
  #speakersBefore(id: TranscriptId, lastEdit: number): readonly SpeakerBefore[] {
    try {
      return speakersBefore(this.#log.editsOfKinds(id, lastEdit, speakerOperations));
    } catch (error) {
      if (error instanceof ProblemError) return [];
      throw error;
    }
  }

  /**
   * Makes an edit on the revision that the user sees.
   *
   * @param continues Whether the edit continues the typing of the last edit. The two become one edit, or none if they
   *   cancel out.
   * @throws ProblemError `transcript_changed` if another revision is stored, `transcript_gone`, or why it cannot be
   *   stored.
   */
  edit(id: TranscriptId, revision: number, operation: StoredOperation, continues = false): EditState {
    return this.#database.transaction(() => {
      const { metadata, draft, head } = this.#editBase(id, revision);
      const change = changeOf(draft, operation, {
        recordingSeconds: metadata.recording_seconds,
        original: () => this.original(id),
      });
      if (change.length === 0) return this.#state(id, head, metadata);
      const before = { metadata, draft, head };
      if (continues) return this.#extendTyping(id, before, operation, change);
      const number = this.#log.append(id, head?.lastEdit ?? null, this.#clock.now(), operation, change);
      return this.#applyToTranscript(id, before, change, number);
    })();
  }

  /** Merges continued typing into the last edit. */
  #extendTyping(id: TranscriptId, before: EditBase, operation: StoredOperation, change: Change): EditState {
    const last = before.head?.lastEdit ?? null;
    if (last === null || this.#log.newestChild(id, last) !== null) {
      throw new ProblemError({ code: 'transcript_changed' });
    }
    const { number, parent, change: lastChange } = this.#log.edit(id, last);
    const typing = coalesceTyping(before.draft, lastChange, change);
    if (typing === null) throw new ProblemError({ code: 'transcript_changed' });
    const { combined, remaining } = typing;
    if (combined.length > 0) {
      this.#log.rewrite(id, number, this.#clock.now(), operation, combined);
      return this.#applyToTranscript(id, before, remaining, number);
    }
    this.#log.drop(id, number);
    return this.#applyToTranscript(id, before, remaining, parent);
  }

  /** Undoes the last edit. @throws ProblemError as {@link edit}, or `history_damaged`. */
  undo(id: TranscriptId, revision: number): UndoResult {
    return this.#database.transaction(() => {
      const { metadata, draft, head } = this.#editBase(id, revision);
      if (head === null || head.lastEdit === null) return { ...this.#state(id, head, metadata), change: [] };
      const { parent, change: made } = this.#log.edit(id, head.lastEdit);
      const change = invertChange(made);
      const state = this.#applyToTranscript(id, { metadata, draft, head }, change, parent);
      return { ...state, change };
    })();
  }

  /** Redoes the last undone edit. @throws ProblemError as {@link undo}. */
  redo(id: TranscriptId, revision: number): UndoResult {
    return this.#database.transaction(() => {
      const { metadata, draft, head } = this.#editBase(id, revision);
      const next = head === null ? null : this.#log.newestChild(id, head.lastEdit);
      if (next === null) return { ...this.#state(id, head, metadata), change: [] };
      const { change } = this.#log.edit(id, next);
      const state = this.#applyToTranscript(id, { metadata, draft, head }, change, next);
      return { ...state, change };
    })();
  }

  /** Sets whether the user has accepted a finding of the review. */
  setAccepted(id: TranscriptId, finding: string, accepted: boolean): void {
    this.#log.setAccepted(id, finding, accepted);
  }

  #metadata(id: TranscriptId): TranscriptMetadata | null {
    return (
      this.#database
        .prepare<[string, number], TranscriptMetadata>(
          `SELECT item_id, name, language, duration_seconds, iif(service = ?, NULL, duration_seconds) AS recording_seconds,
             stated_seconds, unreadable_seconds, word_count, created_at,
             trashed_at IS NOT NULL AS trashed,
             (SELECT options -> 'terms' FROM items WHERE items.id = item_id) AS terms
           FROM transcripts WHERE id = ?`,
        )
        .get(importService, id) ?? null
    );
  }

  #editBase(id: TranscriptId, revision: number): EditBase {
    const metadata = this.#metadata(id);
    if (metadata === null) throw new ProblemError({ code: 'transcript_gone' });
    const state = this.#reader.read(id);
    if ((state.head?.revision ?? 0) !== revision) throw new ProblemError({ code: 'transcript_changed' });
    return { ...state, metadata };
  }

  /**
   * Applies a change and makes `lastEdit` the last edit in effect.
   *
   * @throws ProblemError `history_damaged` if the change, which may be from a backup of another computer, was not made
   *   on this draft.
   */
  #applyToTranscript(id: TranscriptId, before: EditBase, change: Change, lastEdit: number | null): EditState {
    const originalCount = before.head?.originalCount ?? before.draft.segments.length;
    let { draft } = before;
    const budget = new StepBudget(Math.max(originalCount, draft.segments.length));
    const indexing = changedTextCount(change) > maxSegmentsAtOnce ? 'later' : 'now';
    const applySteps = (): void => {
      for (const step of change) {
        budget.countStep(draft);
        if (!fitsDraft(draft, step)) throw new ProblemError({ code: 'history_damaged' });
        draft = applyChange(draft, [step]);
        const written = this.#rows.apply(id, step, draft.segments, originalCount, indexing);
        budget.countRows(written, draft);
      }
    };
    if (indexing === 'now') applySteps();
    else {
      this.#index.withoutIndexing(applySteps);
      if (draft.segments.length > 0) this.#index.indexLater(id);
    }
    if (change.some(({ kind }) => kind === 'splice') && !hasUniqueIds(draft))
      throw new ProblemError({ code: 'history_damaged' });
    const addedWords = wordCountDelta(before.draft, change, draft);
    const newHead: EditHead = {
      revision: (before.head?.revision ?? 0) + 1,
      lastEdit,
      nextId: draft.nextId,
      speakers: draft.speakers,
      notes: draft.notes,
      wordCount: Math.max(0, (before.head?.wordCount ?? before.metadata.word_count) + addedWords),
      originalCount,
      text: draft.text,
    };
    this.#log.setHead(id, newHead);
    this.#reader.cache(id, newHead, draft);
    return this.#state(id, newHead, before.metadata);
  }

  #state(id: TranscriptId, head: EditHead | null, metadata: TranscriptMetadata): EditState {
    return {
      revision: head?.revision ?? 0,
      wordCount: head?.wordCount ?? metadata.word_count,
      canUndo: head !== null && head.lastEdit !== null,
      canRedo: head !== null && this.#log.newestChild(id, head.lastEdit) !== null,
    };
  }
}
