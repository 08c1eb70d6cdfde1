import type { CommandInput } from '../../../electron/contract/commands.ts';
import type { Transcript } from '../../../electron/contract/library-commands.ts';
import type {
  Change,
  Draft,
  StoredOperation,
  EditState,
  ComparisonBase,
  OpenedDocument,
  UndoResult,
} from '../../../electron/contract/transcript.ts';
import { applyChange, invertChange, coalesceTyping } from '../../../electron/core/transcript/edit/change.ts';
import { changeOf, draftOf } from '../../../electron/core/transcript/edit/edit.ts';
import { speakersBefore, type SpeakerEdit } from '../../../electron/core/transcript/edit/speakers-before.ts';
import { ProblemError } from '../../../electron/contract/problem.ts';

type EditMade = Pick<CommandInput<'transcript.edit'>, 'revision' | 'continues'> & {
  readonly operation: StoredOperation;
};

/** What a scene sets of a transcript that is open, besides its segments. */
export type DraftOfScene = Partial<Draft & Pick<OpenedDocument, 'terms' | 'shortfall'>>;

/**
 * The edits of one transcript in memory. The real ones are tested in `test/unit/core/store/library/edit-store.test.ts`.
 */
export class FakeEdits {
  #transcript: Transcript;
  #draft: Draft;
  readonly #facts: Pick<OpenedDocument, 'terms' | 'shortfall'>;
  #revision = 0;
  #done: SpeakerEdit[] = [];
  #undone: SpeakerEdit[] = [];
  #accepted: readonly string[] = [];

  constructor(transcript: Transcript, { terms = [], shortfall, ...draft }: DraftOfScene = {}) {
    this.#transcript = transcript;
    this.#facts = { terms, ...(shortfall !== undefined && { shortfall }) };
    const text = transcript.segments.length === 0 ? transcript.text : null;
    this.#draft = { ...draftOf(transcript.segments, text), ...draft };
  }

  /** The current starts and ends of the segments, in seconds. */
  get times(): readonly (readonly [number, number])[] {
    return this.#draft.segments.map(({ start, end }) => [start, end]);
  }

  /** The current texts of the segments. */
  get texts(): readonly string[] {
    return this.#draft.segments.map(({ text }) => text);
  }

  get language(): string | null {
    return this.#transcript.language;
  }

  /** The current text of a transcript without times. */
  get text(): string | null {
    return this.#draft.text;
  }

  open(): OpenedDocument {
    const { segments: _segments, text: _text, ...facts } = this.#transcript;
    return {
      ...facts,
      ...this.#draft,
      recordingSeconds: facts.durationSeconds,
      edited: this.#revision > 0,
      trashed: false,
      accepted: this.#accepted,
      ...this.#facts,
      ...this.#state(),
      isComplete: true,
    };
  }

  original(): ComparisonBase {
    const { segments, text } = this.#transcript;
    const speakers = new Map(this.#draft.segments.map(({ id, speaker }) => [id, speaker]));
    return {
      segments: segments.map((segment, id) => ({ ...segment, speaker: speakers.get(id) ?? null })),
      text: segments.length === 0 ? text : null,
      speakersBefore: speakersBefore(this.#done),
    };
  }

  /** @throws ProblemError `transcript_changed` when the revision is not the current one. The steps throw it too. */
  edit({ revision, operation, continues = false }: EditMade): EditState {
    this.#check(revision);
    const { durationSeconds } = this.#transcript;
    const change = changeOf(this.#draft, operation, {
      recordingSeconds: durationSeconds,
      original: () => this.original(),
    });
    if (change.length > 0) {
      const begun = continues ? this.#done.pop() : undefined;
      const typing = begun === undefined ? null : coalesceTyping(this.#draft, begun.change, change);
      const { combined, remaining } = typing ?? { combined: change, remaining: change };
      this.#apply(remaining);
      if (combined.length > 0) this.#done.push({ kind: operation.kind, change: combined });
      this.#undone = [];
    }
    return this.#state();
  }

  undo(revision: number, knowsChange = false): UndoResult {
    this.#check(revision);
    const last = this.#done.pop();
    if (last === undefined) return { ...this.#state(), change: [] };
    this.#undone.push(last);
    const change = invertChange(last.change);
    this.#apply(change);
    return { ...this.#state(), change: knowsChange ? [] : change };
  }

  redo(revision: number, knowsChange = false): UndoResult {
    this.#check(revision);
    const next = this.#undone.pop();
    if (next === undefined) return { ...this.#state(), change: [] };
    const { change } = next;
    this.#done.push(next);
    this.#apply(change);
    return { ...this.#state(), change: knowsChange ? [] : change };
  }

  setLanguage(language: string | null): void {
    this.#transcript = { ...this.#transcript, language };
  }

  accept(finding: string, accepted: boolean): void {
    const others = this.#accepted.filter((one) => one !== finding);
    this.#accepted = accepted ? [...others, finding] : others;
  }

  /** Makes an edit of another window or program. */
  editElsewhere(operation: StoredOperation): void {
    this.edit({ revision: this.#revision, operation });
  }

  #check(revision: number): void {
    if (revision !== this.#revision) throw new ProblemError({ code: 'transcript_changed' });
  }

  #apply(change: Change): void {
    this.#draft = applyChange(this.#draft, change);
    this.#revision += 1;
  }

  #state(): EditState {
    return {
      revision: this.#revision,
      wordCount: this.#transcript.wordCount,
      canUndo: this.#done.length > 0,
      canRedo: this.#undone.length > 0,
    };
  }
}
