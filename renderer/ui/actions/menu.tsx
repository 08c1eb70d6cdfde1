import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

/** A small list of things to do, opened by its button. */
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

/** The list itself, for menus that are opened by other means than a button. */
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
  /** One quiet sentence below: what comes of it. */
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
