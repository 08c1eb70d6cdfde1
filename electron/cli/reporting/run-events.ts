import type { ExportFormat } from '../../contract/choices.ts';
import type { ItemId, TranscriptId } from '../../contract/identifiers.ts';
import type { QueueRow, RowState } from '../../contract/queue-commands.ts';
import type { Segment } from '../../contract/segment-schema.ts';
import type { ServiceStatus } from '../../contract/service.ts';
import type { Problem } from '../../contract/problem.ts';
import type { AddingPreview } from '../../core/queue/adding/preview.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';

/** Something that a run reports. */
export type RunEvent =
  /** The whole list is stored; nothing has been sent yet. */
  | { readonly type: 'added'; readonly count: number }
  /** What a run would add; `isBilled`: with an account. */
  | { readonly type: 'preview'; readonly preview: AddingPreview; readonly isBilled: boolean }
  | { readonly type: 'left-out'; readonly name: string; readonly problem: Problem }
  /** How many recordings stay paused: the user paused them individually, and the command does not name them. */
  | { readonly type: 'paused'; readonly count: number }
  /** The queue of the open window is paused: the command waits until the user resumes it there. */
  | { readonly type: 'queue-paused' }
  /** The state or the progress of an item has changed. */
  | { readonly type: 'item'; readonly row: QueueRow }
  /** The next segments of an item's transcript, if the run prints them. */
  | {
      readonly type: 'text';
      readonly item: ItemId;
      readonly name: string;
      readonly segments: readonly Segment[];
    }
  | { readonly type: 'service'; readonly status: ServiceStatus }
  | (FileOfRun & { readonly type: 'file'; readonly path: string })
  | (FileOfRun & { readonly type: 'file-failed'; readonly problem: Problem })
  /** The speakers of an item's transcript were identified. */
  | { readonly type: 'speakers'; readonly item: ItemId; readonly name: string; readonly speakers: number }
  | {
      readonly type: 'speakers-failed';
      readonly item: ItemId;
      readonly name: string;
      readonly problem: Problem;
    }
  /** An item's transcript did not get the tags of the run. */
  | {
      readonly type: 'tags-failed';
      readonly item: ItemId;
      readonly name: string;
      readonly problem: Problem;
    }
  | {
      readonly type: 'end';
      readonly outcome: RunOutcome;
      readonly done: number;
      /** How many failed, are blocked by a problem of their own, or were cancelled. */
      readonly failed: number;
      /** How many are not finished: `resume` continues them. */
      readonly left: number;
    };

/** A file of an item, or of a transcript that has none in the queue any more. */
type FileOfRun = { readonly name: string; readonly format: ExportFormat } & (
  { readonly item: ItemId } | { readonly transcript: TranscriptId }
);

/** How a run ended. */
export type RunOutcome =
  | { readonly kind: 'finished' }
  /** Nothing continues until the user acts. */
  | { readonly kind: 'needs-user'; readonly problem: Problem }
  /** `inWindow`: the window continues. */
  | { readonly kind: 'interrupted'; readonly inWindow: boolean };

/**
 * Reports the end of a run whose items are in these states; returns its exit code.
 *
 * @param otherFailures files that could not be written, speakers that could not be identified, and tags that could not be added
 */
export function reportEnd(
  reporter: Reporter,
  outcome: RunOutcome,
  states: readonly RowState['kind'][],
  otherFailures: number,
): ExitCode {
  const done = states.filter((kind) => kind === 'done').length;
  const failed = states.filter((kind) => ['failed', 'blocked', 'cancelled'].includes(kind)).length;
  reporter.report({ type: 'end', outcome, done, failed, left: states.length - done - failed });
  if (outcome.kind === 'needs-user') return exitCode.needsUser;
  if (outcome.kind === 'interrupted') return exitCode.interrupted;
  return failed > 0 || otherFailures > 0 ? exitCode.someFailed : exitCode.done;
}

/** Reports events: as lines for people, or as JSON for programs. */
export interface EventReporter<E> {
  report(event: E): void;
  /** Nothing is reported after this. */
  close(): void;
}

/** Reports a run. */
export type Reporter = EventReporter<RunEvent>;

/** Returns the progress of an item in its current state, in whole percent; `null` where there is none. */
export function percentOf({ state, sizeBytes }: QueueRow): number | null {
  if (state.kind === 'transcribing') return Math.floor(state.progress);
  if (state.kind !== 'uploading' || sizeBytes === null || sizeBytes === 0) return null;
  return Math.floor((100 * state.sentBytes) / sizeBytes);
}

/** Whether nothing more happens to an item without the user. */
export function isSettled({ kind }: RowState): boolean {
  return (
    kind === 'done' || kind === 'failed' || kind === 'blocked' || kind === 'cancelled' || kind === 'paused'
  );
}
