import type { Milestone } from '../../store/items/item-times.ts';
import type { ItemState } from '../../item/item.ts';

/** The station that an item has reached by going from one state to another, if any. */
export function milestoneOf(before: ItemState, after: ItemState): Milestone | null {
  if (after.kind === before.kind) return null;
  switch (after.kind) {
    case 'creating':
      // From a pause it goes on with the request that it has made before.
      return before.kind === 'waiting' ? 'started' : null;
    case 'waiting':
      return before.kind === 'paused' || before.kind === 'blocked' ? null : 'restarted';
    case 'completing':
    case 'transcribing':
      return before.kind === 'uploading' ? 'sent' : null;
    case 'done':
    case 'failed':
    case 'cancelled':
      return 'ended';
    default:
      return null;
  }
}
