import type { SegmentId, TranscriptId } from '../../../../electron/contract/identifiers.ts';
import type { Change, EditOperation, TranscriptDocument } from '../../../../electron/contract/transcript.ts';
import { diffRange, mergeTexts, mapPosition } from '../../../../electron/core/transcript/edit/text-diff.ts';
import type { Ask } from '../../../bridge.ts';
import { asProblem } from '../../../notices.ts';
import { openDocument } from '../open-document.ts';
import type { Fetching } from './fetching.ts';
import { insertedBy, keptOf, onTop, renamed, textIn, type MadeEdit } from './on-top.ts';
import type { Sending } from './sending.ts';
import { shown as shownOf } from './session-state.ts';
import type { ShownState } from './shown-state.ts';
import type { Stepping } from './stepping.ts';
import { asNew, type Typing } from './typing.ts';

/** What became of what was done here when the transcript was changed elsewhere. */
export type BroughtTogether =
  | 'kept'
  /** A segment that was typed in was deleted elsewhere, and is back with what was typed. */
  | 'returned'
  /** Some of it cannot be made again; what was typed is kept all the same. */
  | 'partly';

export interface CatchingUpOptions {
  readonly ask: Ask;
  readonly id: TranscriptId;
  readonly shown: ShownState;
  readonly typing: Typing;
  readonly sending: Sending;
  readonly stepping: Stepping;
  readonly fetching: Fetching;
  /** Makes an edit. Returns what it does. */
  readonly make: (operation: EditOperation) => Change;
  readonly onDone: (outcome: BroughtTogether) => void;
}

/** Takes over what was changed elsewhere. What is not stored yet, and what is being typed, is made again on top. */
export class CatchingUp {
  readonly #options: CatchingUpOptions;
  #isRunning = false;

  constructor(options: CatchingUpOptions) {
    this.#options = options;
  }

  run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#options.fetching.run((end) => this.#fetch(end));
  }

  async #fetch(end: () => void): Promise<void> {
    const { ask, id, shown, typing, sending } = this.#options;
    try {
      const document = await openDocument(ask, id);
      end();
      if (document === null)
        shown.change({ saving: { kind: 'unsaved', problem: { code: 'transcript_gone' } } });
      else if (document.revision !== sending.revision || !sending.isEmpty) this.#rebase(document);
      else {
        shown.change({ trashed: document.trashed });
        if (typing.run === null) shown.tellSaving('saved');
      }
    } catch (error) {
      end();
      shown.change({ saving: { kind: 'unsaved', problem: asProblem(error) } });
    } finally {
      this.#isRunning = false;
    }
  }

  #rebase(document: TranscriptDocument): void {
    const { shown, typing, sending, stepping, onDone } = this.#options;
    const unstored = sending.take();
    const accepted = unstored.some(({ kind }) => kind === 'accept') ? shown.now.accepted : document.accepted;
    const saving = { kind: typing.run === null ? 'saved' : 'saving' } as const;
    sending.revision = document.revision;
    stepping.forget();
    shown.change({ ...shownOf(document), accepted, saving });
    const wasTyping = typing.run !== null;
    const names = new Map<SegmentId, SegmentId>();
    const outcomes = unstored.map((outgoing): BroughtTogether => {
      if (outgoing.kind === 'accept') sending.put(outgoing);
      else if (outgoing.edit === undefined) return 'partly';
      else return this.#makeAgain(outgoing.edit, names);
      return 'kept';
    });
    outcomes.push(this.#goOnTyping(names));
    shown.change({ caughtUp: shown.now.caughtUp + 1 });
    if (unstored.length === 0 && !wasTyping) return;
    onDone(outcomes.find((one) => one === 'partly') ?? outcomes.find((one) => one === 'returned') ?? 'kept');
  }

  /** Makes an edit again; `names` are the numbers that segments have now which had another one here. */
  #makeAgain(edit: MadeEdit, names: Map<SegmentId, SegmentId>): BroughtTogether {
    const { shown, make } = this.#options;
    const wanted = renamed(edit.operation, names);
    const operation = onTop(shown.now.draft, { ...edit, operation: wanted });
    const change = operation === null ? [] : make(operation);
    const inserted = insertedBy(change);
    edit.inserted.forEach((before, at) => names.set(before, inserted[at] ?? nobody));
    if (edit.was !== null && operation !== null) names.set(edit.was.id, segmentOf(operation, change));
    // What was typed may be there already.
    if (change.length === 0 && (operation === null || edit.before === null)) return 'partly';
    return operation?.kind === 'put-back' ? 'returned' : 'kept';
  }

  #goOnTyping(names: ReadonlyMap<SegmentId, SegmentId>): BroughtTogether {
    const { shown, typing, make } = this.#options;
    const { run } = typing;
    if (run === null) return 'kept';
    const { base, text, was } = asNew(run);
    let segment = run.segment === null ? null : (names.get(run.segment) ?? run.segment);
    let outcome: BroughtTogether = 'kept';
    let now = mergeTexts(base, text, textIn(shown.now.draft, segment) ?? base);
    if (textIn(shown.now.draft, segment) === null) {
      const operation = was === null || text === run.base ? null : keptOf(shown.now.draft, was, base, text);
      if (operation === null) {
        typing.finish();
        return 'kept';
      }
      if (operation.kind === 'put-back') outcome = 'returned';
      segment = segmentOf(operation, make(operation));
      now = textIn(shown.now.draft, segment) ?? '';
    }
    typing.rebase(shown.now.draft, segment, now);
    if (segment !== null && segment !== run.segment) {
      const letters = diffRange(run.base, text);
      const offset = letters === null ? 0 : letters.at + letters.inserted.length;
      shown.change({ stepped: { segment, offset: mapPosition(text, now, offset) } });
    }
    return outcome;
  }
}

/** The number of no segment. */
const nobody = -1;

/** The segment that an edit of a text, or one that puts it back, leaves it in. */
const segmentOf = (operation: EditOperation, change: Change): SegmentId =>
  operation.kind === 'set-text' ? operation.segment : (insertedBy(change)[0] ?? nobody);
