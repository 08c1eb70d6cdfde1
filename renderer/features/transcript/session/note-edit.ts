import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Draft, Note } from '../../../../electron/contract/transcript.ts';
import { segmentIndexAt } from '../../../../electron/core/transcript/segment.ts';
import type { UndoEntry } from './undo-stack.ts';
import type { TranscriptSession } from './transcript-session.ts';

/** The note to edit: a new one at a time, or an existing one. */
export type NoteTarget =
  { readonly kind: 'new'; readonly atSeconds: number } | { readonly kind: 'existing'; readonly note: number };

/** Returns the notes of segments. A note belongs to the last segment that starts at or before its time. */
export const notesIn = ({ segments, notes }: Draft, ids: ReadonlySet<SegmentId>): readonly Note[] =>
  notes.filter(({ atSeconds }) => {
    const noted = segments[Math.max(0, segmentIndexAt(segments, atSeconds))];
    return noted !== undefined && ids.has(noted.id);
  });

/** Returns the only note of a segment, or else a new one at a time in seconds. */
export function onlyNoteOr(draft: Draft, segment: SegmentId | undefined, atSeconds: number): NoteTarget {
  const [note, ...others] = segment === undefined ? [] : notesIn(draft, new Set([segment]));
  return note !== undefined && others.length === 0
    ? { kind: 'existing', note: note.id }
    : { kind: 'new', atSeconds };
}

/** A note that is being edited. Each keystroke is stored, about as often as typed text; all of them form one edit. */
export class NoteEdit {
  readonly #session: TranscriptSession;
  readonly #atSeconds: number;
  /** The text before the edit; `null`: there was no note. */
  readonly textBefore: string | null;
  /** Its id as of rebase number `#rebases`; `null` while there is no note. */
  #note: number | null;
  #rebases: number;
  #storedText: string | null;
  #text: string | null;
  /** What an undo takes back; `null` if nothing was stored. */
  #entry: UndoEntry | null = null;

  constructor(session: TranscriptSession, target: NoteTarget) {
    const { draft, rebasedIds } = session.getState();
    const { notes } = draft;
    const existing = target.kind === 'existing' ? notes.find(({ id }) => id === target.note) : undefined;
    this.#session = session;
    this.#atSeconds = target.kind === 'new' ? target.atSeconds : (existing?.atSeconds ?? 0);
    this.#note = existing?.id ?? null;
    this.#rebases = rebasedIds.length;
    this.textBefore = existing?.text ?? null;
    this.#storedText = this.textBefore;
    this.#text = this.textBefore;
  }

  /** What is typed; `null` for no note. */
  get text(): string | null {
    return this.#text;
  }

  /** Whether the text differs from {@link textBefore}. */
  get isChanged(): boolean {
    return this.#text !== this.textBefore;
  }

  /** Takes what is typed, and stores it after any fetch. A new note does not exist until it has text. */
  type(text: string): void {
    this.#text = this.textBefore === null && text.trim() === '' ? null : text;
    void this.#session.waitUntilSent().then(() => this.store());
  }

  /** Stores a text; `null` removes the note. */
  set(text: string | null): void {
    this.#text = text;
    this.store();
  }

  /** Stores what is not stored yet. A note that was removed elsewhere is added again, unless it is discarded here. */
  store(): void {
    const [text, entry] = [this.#text, this.#entry];
    if (text === this.#storedText) return;
    this.#storedText = text;
    const note = this.#currentNote();
    if (note === null) {
      if (text === null || text === this.textBefore) return;
      const [step] = this.#session.edit({ kind: 'add-note', atSeconds: this.#atSeconds, text });
      const added = step?.kind === 'notes' ? step.after.find((one) => !step.before.includes(one)) : undefined;
      this.#setNote(added?.id ?? null);
    } else {
      const operation =
        text === null
          ? ({ kind: 'remove-note', note } as const)
          : ({ kind: 'change-note', note, text } as const);
      if (entry !== null && entry === this.#session.lastDone) this.#session.continueEdit(operation);
      else this.#session.edit(operation);
      this.#setNote(text === null ? null : note);
    }
    this.#entry = text === this.textBefore || this.#note === null ? null : this.#session.lastDone;
  }

  /** Returns the id that the note has now; `null` if there is none, or it was removed elsewhere. */
  #currentNote(): number | null {
    const { draft, rebasedIds } = this.#session.getState();
    const id = rebasedIds
      .slice(this.#rebases)
      .reduce((one, ids) => (one === null ? null : (ids.get(one) ?? one)), this.#note);
    return draft.notes.some((note) => note.id === id) ? id : null;
  }

  #setNote(id: number | null): void {
    this.#note = id;
    this.#rebases = this.#session.getState().rebasedIds.length;
  }
}
