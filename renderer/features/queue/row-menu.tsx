import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Fragment, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueRow } from '../../../electron/contract/queue-commands.ts';
import { useWindowState } from '../../use-store.ts';
import { MenuItem, MenuPopup, MenuSeparator, type MenuPopupProps } from '../../ui/actions/menu.tsx';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { useStoppedServices } from '../../ui/text/use-service-conditions.ts';
import { refundText } from '../../ui/text/refund-text.ts';
import { emptySelection, type RowSelection, selectionOfRow, useSelectionSummary } from './queue-selection.ts';
import { actionsOf, actionText, bulkActionsOf, type RowAction } from './row-actions.ts';

export interface RowMenuTarget {
  readonly row: QueueRow;
  readonly anchor: Exclude<MenuPopupProps['anchor'], undefined>;
}

export interface RowMenuProps {
  /** Takes the focus when the menu closes. */
  readonly list: RefObject<HTMLElement | null>;
  readonly open: boolean;
  /** `null` before the menu was first opened; kept while it closes. */
  readonly target: RowMenuTarget | null;
  /** The selection when it contains the row: then the menu acts on all of it. */
  readonly selected: RowSelection | null;
  readonly onAction: (action: RowAction, selection: RowSelection) => void;
  readonly onClose: () => void;
}

/** The context menu of a row, or of the selection that contains it. */
export function RowMenu({ list, open, target, selected, onAction, onClose }: RowMenuProps) {
  const { t } = useTranslation();
  const { service: defaultService, accounts } = useWindowState((state) => state.settings);
  const nameOf = useServiceName();
  const stoppedServices = useStoppedServices();
  const multiSelection = selected !== null && selected.count > 1 ? selected : null;
  const selection = multiSelection ?? (target === null ? emptySelection : selectionOfRow(target.row));
  const groups = useSelectionSummary(selection)?.groups ?? [];
  const actions: readonly RowAction[] =
    multiSelection === null && target !== null
      ? actionsOf(target.row, defaultService, accounts)
      : bulkActionsOf(groups, defaultService, accounts, stoppedServices);
  const refund = refundText(t, groups);
  const act = (action: RowAction): void => onAction(action, selection);

  return (
    <BaseMenu.Root open={open} onOpenChange={(next) => !next && onClose()} modal={false}>
      <MenuPopup anchor={target?.anchor} finalFocus={list}>
        {actions
          .filter((action) => action !== 'remove')
          .map((action) => (
            <MenuItem key={action} note={action === 'cancel' ? refund : null} onClick={() => act(action)}>
              {actionText(t, 'menuAction', action, defaultService, nameOf)}
            </MenuItem>
          ))}
        {actions.includes('remove') && (
          <Fragment>
            <MenuSeparator />
            <MenuItem danger onClick={() => act('remove')}>
              {multiSelection === null
                ? t('menuAction.remove')
                : t('menuAction.removeMany', { count: multiSelection.count })}
            </MenuItem>
          </Fragment>
        )}
      </MenuPopup>
    </BaseMenu.Root>
  );
}
