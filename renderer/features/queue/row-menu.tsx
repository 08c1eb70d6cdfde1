import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Fragment, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueRow } from '../../../electron/contract/queue.ts';
import { useWindow } from '../../use-store.ts';
import { MenuItem, MenuPopup, MenuSeparator, type MenuPopupProps } from '../../ui/actions/menu.tsx';
import { refundWords } from '../jobs/refund-words.ts';
import { chosenRow, nobody, type Chosen } from './chosen.ts';
import { actionsOf, actionWords, bulkActionsOf, type RowAction } from './row-actions.ts';
import { useSum } from './use-sum.ts';

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
  readonly selected: Chosen | null;
  readonly onAction: (action: RowAction, chosen: Chosen) => void;
  readonly onClose: () => void;
}

/** The context menu of a row, or of the selection that the row is in. */
export function RowMenu({ list, open, place, selected, onAction, onClose }: RowMenuProps) {
  const { t } = useTranslation();
  const inUse = useWindow((state) => state.settings.service);
  const many = selected !== null && selected.count > 1 ? selected : null;
  const chosen = many ?? (place === null ? nobody : chosenRow(place.row));
  const parts = useSum(chosen)?.parts ?? [];
  const actions: readonly RowAction[] =
    many === null && place !== null ? actionsOf(place.row, inUse) : bulkActionsOf(parts, inUse);
  const refund = refundWords(t, parts);
  const act = (action: RowAction): void => onAction(action, chosen);

  return (
    <BaseMenu.Root open={open} onOpenChange={(next) => !next && onClose()} modal={false}>
      <MenuPopup anchor={place?.anchor} finalFocus={list}>
        {actions
          .filter((action) => action !== 'remove')
          .map((action) => (
            <MenuItem key={action} note={action === 'cancel' ? refund : null} onClick={() => act(action)}>
              {actionWords(t, 'menuAction', action, inUse)}
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
