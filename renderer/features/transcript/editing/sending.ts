import type { TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type {
  Change,
  Draft,
  EditOperation,
  StepResult,
  TranscriptDocument,
} from '../../../../electron/contract/transcript.ts';
import type { Ask } from '../../../bridge.ts';
import { madeEdit } from './on-top.ts';
import { Outbox, type Outgoing } from './outbox.ts';
import { standing } from './session-state.ts';
import type { ShownState } from './shown-state.ts';

export interface SendingListener {
  /** Everything has been answered. */
  answered(): void;
  /** The first of what is on its way was made on what is no longer there. */
  refused(): void;
}

/** Sends what is done in a transcript, in its order, each with the revision that it was made on. */
export class Sending {
  readonly #ask: Ask;
  readonly #id: TranscriptId;
  readonly #shown: ShownState;
  readonly #outbox: Outbox;
  /** The revision that the next edit is made on. */
  revision: number;

  constructor(ask: Ask, { id, revision }: TranscriptDocument, shown: ShownState, listener: SendingListener) {
    this.#ask = ask;
    this.#id = id;
    this.#shown = shown;
    this.revision = revision;
    this.#outbox = new Outbox({
      answered: (state) => {
        if (state !== null) shown.change(standing(state));
        listener.answered();
      },
      failed: (problem) => {
        if (problem.code === 'transcript_changed') listener.refused();
        else shown.change({ saving: { kind: 'unsaved', problem } });
      },
    });
  }

  get isEmpty(): boolean {
    return this.#outbox.isEmpty;
  }

  /** Sends an edit of a draft, with what it does; with `continues` it is one with the typing before it. */
  edit(draft: Draft, operation: EditOperation, change: Change, continues: boolean): void {
    const input = { ...this.#nextOn(), operation, ...(continues && { continues }) };
    this.put({
      kind: 'edit',
      edit: madeEdit(draft, operation, change),
      send: () => this.#ask('transcript.edit', input),
    });
  }

  /** Sends a step whose effect is known. */
  step(kind: 'undo' | 'redo'): void {
    const input = this.#nextOn();
    this.put({ kind: 'step', send: () => this.#ask(`transcript.${kind}`, input) });
  }

  /** What the next edit or step is made on. */
  #nextOn(): { readonly id: TranscriptId; readonly revision: number; readonly ahead?: true } {
    const { revision } = this;
    this.revision += 1;
    return { id: this.#id, revision, ...(this.#outbox.changes && { ahead: true }) };
  }

  /** Asks for a step whose effect is not known. @throws ProblemError when it is refused. */
  async fetchStep(kind: 'undo' | 'redo'): Promise<StepResult> {
    const result = await this.#ask(`transcript.${kind}`, { id: this.#id, revision: this.revision });
    this.revision = result.revision;
    return result;
  }

  /** Sends whether a finding of the review is accepted. */
  accept(finding: string, accepted: boolean): void {
    this.put({
      kind: 'accept',
      send: async () => {
        await this.#ask('transcript.accept', { id: this.#id, finding, accepted });
        return null;
      },
    });
  }

  put(outgoing: Outgoing): void {
    this.#shown.tellSaving('saving');
    this.#outbox.put(outgoing);
  }

  /** Sends an edit behind the step that was asked for, which makes the revision one more. Nobody is left to be told. */
  editAtOnce(operation: EditOperation): void {
    const revision = this.revision + 1;
    this.#ask('transcript.edit', { id: this.#id, revision, ahead: true, operation }).catch(() => undefined);
  }

  /** Sends again what could not be stored. */
  retry(): void {
    this.#outbox.retry();
  }

  /** Takes back everything that is not answered, in its order. */
  take(): readonly Outgoing[] {
    return this.#outbox.take();
  }
}
