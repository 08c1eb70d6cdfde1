import type { BatchGroup, BatchTarget } from '../../../electron/contract/model/batch.ts';
import type { SelectionControl } from '../queue/use-selection.ts';

/** What is selected in a group of the sheet. All of it is named by the group: nobody has to know what is in it. */
export function batchTarget(
  { items, inverted }: Pick<SelectionControl, 'items' | 'inverted'>,
  group: BatchGroup,
): BatchTarget {
  const ids = [...items.keys()];
  return inverted ? { all: group, but: ids } : { ids };
}
