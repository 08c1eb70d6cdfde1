import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

/** A menu with the button that opens it. */
export function Menu({ button, children }: { readonly button: ReactElement; readonly children: ReactNode }) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={button} />
      <MenuPopup align="end">{children}</MenuPopup>
    </BaseMenu.Root>
  );
}

export type MenuPopupProps = Pick<
  ComponentProps<typeof BaseMenu.Positioner>,
  'anchor' | 'align' | 'children'
> &
  Pick<ComponentProps<typeof BaseMenu.Popup>, 'finalFocus'>;

/** The popup of a menu, for menus that have no button. */
export function MenuPopup({ anchor, align = 'start', finalFocus, children }: MenuPopupProps) {
  return (
    <BaseMenu.Portal>
      <BaseMenu.Positioner className={styles.place} anchor={anchor} align={align} sideOffset={4}>
        <BaseMenu.Popup className={styles.popup} finalFocus={finalFocus}>
          {children}
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  );
}

export interface MenuItemProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** A secondary line below the label: the consequences. */
  readonly note?: string | null;
}

export function MenuItem({
  children,
  onClick,
  danger = false,
  disabled = false,
  note = null,
}: MenuItemProps) {
  return (
    <BaseMenu.Item
      className={styles.item}
      onClick={onClick}
      disabled={disabled}
      data-danger={danger || undefined}
    >
      {children}
      {note !== null && <span className={styles.itemNote}>{note}</span>}
    </BaseMenu.Item>
  );
}

export function MenuSeparator() {
  return <BaseMenu.Separator className={styles.separator} />;
}
