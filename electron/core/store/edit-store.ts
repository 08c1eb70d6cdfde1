import type Database from 'better-sqlite3';
import type { Segment, TranscriptId } from '../../contract/model/library.ts';
import type {
  Change,
  Draft,
  EditOperation,
  EditState,
  StepResult,
  TranscriptDocument,
} from '../../contract/model/transcript.ts';
import { ProblemError } from '../../contract/problem.ts';
import { joinTexts, oneLine } from '../formats/plain-text.ts';
import { applyChange, invertChange } from '../library/edit/change.ts';
import { changeOf } from '../library/edit/edit.ts';
import { wordCounter } from '../library/word-count.ts';
import type { Clock } from '../ports.ts';
import { EditLog, type EditHead } from './edit-log.ts';
import { SegmentRows } from './segment-rows.ts';

interface Facts {
  readonly item_id: number | null;
  readonly name: string;
  readonly language: string | null;
  readonly duration_seconds: number | null;
  readonly word_count: number;
  readonly created_at: number;
  readonly text: string;
}

/** A transcript as it stands. */
interface Standing {
  readonly draft: Draft;
  /** `null` when it was never edited. */
  readonly head: EditHead | null;
}

/** The edits of the saved transcripts: made, taken back and made again, each in one commit. */
export class EditStore {
  readonly #database: Database.Database;
  readonly #clock: Clock;
  readonly #rows: SegmentRows;
  readonly #log: EditLog;
  /** The transcript that was worked on last, so that the next edit need not read it again. */
  #last: { readonly id: TranscriptId; readonly revision: number; readonly draft: Draft } | null = null;

  constructor(database: Database.Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#rows = new SegmentRows(database);
    this.#log = new EditLog(database);
  }

  /** A transcript with everything that can be edited of it; `null` when there is none. */
  open(id: TranscriptId): TranscriptDocument | null {
    const facts = this.#facts(id);
    if (facts === null) return null;
    const { draft, head } = this.#standing(id);
    return {
      id,
      itemId: facts.item_id,
      name: facts.name,
      language: facts.language,
      durationSeconds: facts.duration_seconds,
      createdAt: facts.created_at,
      // What has segments is shown by these.
      text: draft.segments.length > 0 ? '' : facts.text,
      edited: head !== null,
      accepted: this.#log.accepted(id),
      ...draft,
      ...this.#state(id, head, facts.word_count),
    };
  }

  /** The segments as they came from the service. */
  original(id: TranscriptId): readonly Segment[] {
    if (this.#log.head(id) !== null) return this.#rows.original(id);
    return this.#rows.all(id).map(({ start, end, text }) => ({ start, end, text }));
  }

  /**
   * Makes an edit on top of what the user sees.
   *
   * @throws ProblemError `transcript_changed` when that is no longer what is stored, `transcript_gone`, or what stands
   *   in the way of storing.
   */
  edit(id: TranscriptId, revision: number, operation: EditOperation): EditState {
    return this.#database.transaction(() => {
      const { facts, draft, head } = this.#ready(id, revision);
      const change = changeOf(draft, operation, {
        durationSeconds: facts.duration_seconds,
        original: () => this.original(id),
      });
      if (change.length === 0) return this.#state(id, head, facts.word_count);
      if (head === null) this.#rows.keepOriginal(id);
      const number = this.#log.append(id, head?.head ?? null, this.#clock.now(), operation, change);
      return this.#carryOut(id, facts, draft, change, { revision: revision + 1, head: number });
    })();
  }

  /** Takes the last edit back. @throws ProblemError as {@link edit}. */
  undo(id: TranscriptId, revision: number): StepResult {
    return this.#database.transaction(() => {
      const { facts, draft, head } = this.#ready(id, revision);
      if (head === null || head.head === null)
        return { ...this.#state(id, head, facts.word_count), change: [] };
      const { parent, change: made } = this.#log.edit(id, head.head);
      const change = invertChange(made);
      const state = this.#carryOut(id, facts, draft, change, { revision: revision + 1, head: parent });
      return { ...state, change };
    })();
  }

  /** Makes the edit again that was taken back last. @throws ProblemError as {@link edit}. */
  redo(id: TranscriptId, revision: number): StepResult {
    return this.#database.transaction(() => {
      const { facts, draft, head } = this.#ready(id, revision);
      const next = head === null ? null : this.#log.newestOn(id, head.head);
      if (next === null) return { ...this.#state(id, head, facts.word_count), change: [] };
      const { change } = this.#log.edit(id, next);
      const state = this.#carryOut(id, facts, draft, change, { revision: revision + 1, head: next });
      return { ...state, change };
    })();
  }

  /** Whether the user has looked at a finding of the review and means it to stay. */
  setAccepted(id: TranscriptId, finding: string, accepted: boolean): void {
    this.#log.setAccepted(id, finding, accepted);
  }

  #facts(id: TranscriptId): Facts | null {
    return this.#database.prepare<[number], Facts>('SELECT * FROM transcripts WHERE id = ?').get(id) ?? null;
  }

  #standing(id: TranscriptId): Standing {
    const head = this.#log.head(id);
    if (head !== null && this.#last?.id === id && this.#last.revision === head.revision) {
      return { draft: this.#last.draft, head };
    }
    const segments = this.#rows.all(id);
    const draft: Draft =
      head === null
        ? {
            segments,
            speakers: [],
            notes: [],
            nextId: segments.reduce((top, one) => Math.max(top, one.id), -1) + 1,
          }
        : { segments, speakers: head.speakers, notes: head.notes, nextId: head.nextId };
    this.#last = { id, revision: head?.revision ?? 0, draft };
    return { draft, head };
  }

  #ready(id: TranscriptId, revision: number): Standing & { readonly facts: Facts } {
    const facts = this.#facts(id);
    if (facts === null) throw new ProblemError({ code: 'transcript_gone' });
    const standing = this.#standing(id);
    if ((standing.head?.revision ?? 0) !== revision) throw new ProblemError({ code: 'transcript_changed' });
    return { ...standing, facts };
  }

  #carryOut(
    id: TranscriptId,
    facts: Facts,
    before: Draft,
    change: Change,
    { revision, head }: Pick<EditHead, 'revision' | 'head'>,
  ): EditState {
    let draft = before;
    for (const step of change) {
      draft = applyChange(draft, [step]);
      this.#rows.apply(id, step, draft.segments);
    }
    const stands: EditHead = {
      revision,
      head,
      nextId: draft.nextId,
      speakers: draft.speakers,
      notes: draft.notes,
    };
    this.#log.setHead(id, stands);
    const wordCount = Math.max(0, facts.word_count + wordsGained(change, facts.language));
    if (draft.segments !== before.segments) {
      const text = joinTexts(draft.segments.map((segment) => oneLine(segment.text)));
      this.#database
        .prepare('UPDATE transcripts SET text = ?, word_count = ? WHERE id = ?')
        .run(text, wordCount, id);
    }
    this.#last = { id, revision, draft };
    return this.#state(id, stands, wordCount);
  }

  #state(id: TranscriptId, head: EditHead | null, wordCount: number): EditState {
    return {
      revision: head?.revision ?? 0,
      wordCount,
      canUndo: head !== null && head.head !== null,
      canRedo: head !== null && this.#log.newestOn(id, head.head) !== null,
    };
  }
}

/** How many more words there are after a change, of which only what it touches is counted. */
function wordsGained(change: Change, language: string | null): number {
  const words = wordCounter(language);
  let gained = 0;
  for (const step of change) {
    if (step.kind === 'splice') {
      for (const { text } of step.inserted) gained += words(text);
      for (const { text } of step.removed) gained -= words(text);
    } else if (step.kind === 'replace') {
      for (const { before, after } of step.pairs) {
        if (after.text !== before.text) gained += words(after.text) - words(before.text);
      }
    }
  }
  return gained;
}
