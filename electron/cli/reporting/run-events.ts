import type { ExportFormat } from '../../contract/choices.ts';
import type { ItemId } from '../../contract/identifiers.ts';
import type { QueueRow, RowState } from '../../contract/queue.ts';
import type { ServiceStatus } from '../../contract/service.ts';
import type { Problem } from '../../contract/problem.ts';

/** Something that a run tells whoever reads along. */
export type RunEvent =
  /** The whole list is stored; nothing was sent before. */
  | { readonly type: 'added'; readonly count: number }
  | { readonly type: 'left-out'; readonly name: string; readonly problem: Problem }
  /** An item is in another state, or further on in the same. */
  | { readonly type: 'item'; readonly row: QueueRow }
  | { readonly type: 'service'; readonly status: ServiceStatus }
  | {
      readonly type: 'file';
      readonly item: ItemId;
      readonly name: string;
      readonly format: ExportFormat;
      readonly path: string;
    }
  | {
      readonly type: 'file-failed';
      readonly item: ItemId;
      readonly name: string;
      readonly format: ExportFormat;
      readonly problem: Problem;
    }
  | {
      readonly type: 'end';
      readonly ending: RunOutcome;
      readonly done: number;
      /** Failed, or blocked by something of their own, or cancelled. */
      readonly failed: number;
      /** Not finished: `resume` goes on with them. */
      readonly left: number;
    };

/** How a run comes to its end. */
export type RunOutcome =
  | { readonly kind: 'finished' }
  /** Nothing goes on before the user has done something. */
  | { readonly kind: 'needs-user'; readonly problem: Problem }
  | { readonly kind: 'interrupted' };

/** Tells of a run: as lines for people, or as JSON for programs. */
export interface Reporter {
  report(event: RunEvent): void;
  /** Nothing is told after this. */
  close(): void;
}

/** How far an item is in its present state, in whole percent; `null` where that means nothing. */
export function percentOf({ state, sizeBytes }: QueueRow): number | null {
  if (state.kind === 'transcribing') return Math.floor(state.progress);
  if (state.kind !== 'uploading' || sizeBytes === null || sizeBytes === 0) return null;
  return Math.floor((100 * state.sentBytes) / sizeBytes);
}

/** Whether nothing more happens to an item by itself. */
export function isSettled({ kind }: RowState): boolean {
  return (
    kind === 'done' || kind === 'failed' || kind === 'blocked' || kind === 'cancelled' || kind === 'paused'
  );
}
