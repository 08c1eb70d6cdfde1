import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Fragment, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemId, QueueRow } from '../../../electron/contract/model/queue.ts';
import { MenuItem, MenuPopup, MenuSeparator, type MenuPopupProps } from '../../ui/menu.tsx';
import { refundWords } from '../jobs/refund-words.ts';
import { actionsOf, bulkActions, bulkActionsOf, type RowAction } from './row-actions.ts';
import type { Selection } from './selection.ts';

export interface RowMenuPlace {
  readonly row: QueueRow;
  readonly anchor: Exclude<MenuPopupProps['anchor'], undefined>;
}

export interface RowMenuProps {
  /** Where the focus goes when the menu closes. */
  readonly list: RefObject<HTMLElement | null>;
  readonly open: boolean;
  /** `null` before the first time; stays while the menu closes. */
  readonly place: RowMenuPlace | null;
  /** The selection, when the row is in it: then the menu is for all of it. */
  readonly selected: Selection['items'] | null;
  /** Those of the selected rows that are loaded. */
  readonly rows: readonly QueueRow[];
  readonly onAction: (action: RowAction, ids: readonly ItemId[], rows: readonly QueueRow[]) => void;
  readonly onClose: () => void;
}

/** The context menu of a row, or of the selection that the row is in. */
export function RowMenu(props: RowMenuProps) {
  const { list, open, place, selected, rows, onAction, onClose } = props;
  const { t } = useTranslation();
  const many = selected !== null && selected.size > 1 ? selected : null;
  const actions: readonly RowAction[] =
    place === null
      ? []
      : many === null
        ? actionsOf(place.row)
        : rows.length === many.size
          ? bulkActionsOf(rows)
          : bulkActions;
  // Of rows that are not loaded nothing is said here; removing them is asked about.
  const refund = place === null ? null : refundWords(t, many === null ? [place.row] : rows);
  const act = (action: RowAction): void => {
    if (place === null) return;
    if (many === null) onAction(action, [place.row.id], [place.row]);
    else onAction(action, [...many.keys()], rows);
  };

  return (
    <BaseMenu.Root open={open} onOpenChange={(next) => !next && onClose()} modal={false}>
      <MenuPopup anchor={place?.anchor} finalFocus={list}>
        {actions
          .filter((action) => action !== 'remove')
          .map((action) => (
            <MenuItem key={action} note={action === 'cancel' ? refund : null} onClick={() => act(action)}>
              {t(`menuAction.${action}`)}
            </MenuItem>
          ))}
        {actions.includes('remove') && (
          <Fragment>
            <MenuSeparator />
            <MenuItem danger onClick={() => act('remove')}>
              {t('menuAction.remove')}
            </MenuItem>
          </Fragment>
        )}
      </MenuPopup>
    </BaseMenu.Root>
  );
}
