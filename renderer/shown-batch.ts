import type { CommandInput } from '../electron/contract/commands.ts';
import type { AddSheetView } from '../electron/contract/add-sheet.ts';
import type { Ask } from './bridge.ts';
import { createLatestRequest } from './latest-request.ts';

/** A part of the sheet before a batch: a group and a stretch of its rows. */
export type BatchWindow = CommandInput<'batch.watch'>;

export interface ShownBatch {
  /** Asks for another part of the sheet; of requests that come faster than answers only the last is sent. */
  watch(window: BatchWindow): void;
  /** Takes what the main process sent unasked: the sheet, or `null` when it is closed. */
  accept(view: AddSheetView | null): void;
}

/** Keeps the sheet in step with what was last asked for. A sheet that is closed stays closed, whatever comes late. */
export function createShownBatch(
  ask: Ask,
  show: (view: AddSheetView | null) => void,
  fail: (error: unknown) => void,
): ShownBatch {
  const latest = createLatestRequest((window: BatchWindow) => ask('batch.watch', window), show, fail);
  return {
    watch: latest.request,
    accept(view) {
      // While an answer is on its way the present part is already the old one.
      if (view === null || !latest.isOpen) show(view);
    },
  };
}
