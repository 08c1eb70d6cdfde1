import { Menu as BaseMenu } from '@base-ui/react/menu';
import {
  useCallback,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react';
import { lastFocusedContent } from '../focus/keep-focus.ts';
import { usePopupFocus, type PopupFocus } from '../focus/use-popup-focus.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icon.tsx';
import styles from './menu.module.css';

export interface MenuProps extends Pick<MenuPopupProps, 'align'> {
  readonly button: ReactElement;
  readonly children: ReactNode;
}

/**
 * A menu with the button that opens it. After one of its entries was chosen, the text or list takes the focus: on the button,
 * the next Space would open the menu again.
 */
export function Menu({ button, align = 'end', children }: MenuProps) {
  const content = useRef<HTMLElement>(null);
  return (
    <BaseMenu.Root
      modal={false}
      onOpenChange={(open, { reason }) => {
        content.current = !open && reason === 'item-press' ? lastFocusedContent() : null;
      }}
    >
      <BaseMenu.Trigger render={button} />
      <MenuPopup align={align} finalFocus={content}>
        {children}
      </MenuPopup>
    </BaseMenu.Root>
  );
}

export type MenuPopupProps = Pick<
  ComponentProps<typeof BaseMenu.Positioner>,
  'anchor' | 'align' | 'children'
> & {
  /** What takes the focus when the menu closes; absent: what had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null> | undefined;
};

/** The popup of a menu, for menus that have no button. */
export function MenuPopup({ anchor, align = 'start', finalFocus, children }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const getFinalFocus = useRef<PopupFocus['finalFocus']>(() => true);
  const onFinalFocus = useCallback((next: PopupFocus['finalFocus']) => {
    getFinalFocus.current = next;
  }, []);
  return (
    <BaseMenu.Portal>
      {/* Fixed, here and in other popups: the page must not become scrollable. */}
      <BaseMenu.Positioner
        className={styles.positioner}
        anchor={anchor}
        align={align}
        sideOffset={4}
        positionMethod="fixed"
      >
        <BaseMenu.Popup
          ref={popup}
          className={styles.popup}
          finalFocus={() => getFinalFocus.current()}
          render={(props, { open }) => (
            <MenuBody
              {...props}
              open={open}
              popup={popup}
              onFinalFocus={onFinalFocus}
              finalFocus={finalFocus}
            />
          )}
        >
          {children}
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  );
}

interface MenuBodyProps extends ComponentProps<'div'>, Pick<MenuPopupProps, 'finalFocus'> {
  readonly open: boolean;
  readonly popup: RefObject<HTMLDivElement | null>;
  /** Called with the function that returns what takes the focus after the menu. */
  readonly onFinalFocus: (finalFocus: PopupFocus['finalFocus']) => void;
}

/** The element of a menu. Base UI passes the open state only to a `render` replacement. */
function MenuBody({ open, popup, onFinalFocus, finalFocus, ...props }: MenuBodyProps) {
  const focus = usePopupFocus({ popup, open, finalFocus, initialFocus: () => popup.current });
  const moveFocus = useEffectEvent(focus.initialFocus);
  useLayoutEffect(() => {
    onFinalFocus(focus.finalFocus);
  });
  useLayoutEffect(() => {
    // Base UI shows the menu after this effect, and hidden elements cannot have the focus.
    if (open) queueMicrotask(() => moveFocus());
  }, [open]);
  return <div {...props} />;
}

export interface MenuItemProps {
  readonly children: ReactNode;
  readonly onClick: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** A secondary line below the label, which explains the consequences. */
  readonly note?: string | null;
}

/** An entry of a menu. */
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

export interface MenuCheckItemProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** An entry with a checkbox. The menu stays open, so that several can be checked. */
export function MenuCheckItem({ checked, onChange, children }: MenuCheckItemProps) {
  return (
    <BaseMenu.CheckboxItem
      className={classes(styles.item, styles.checkItem)}
      checked={checked}
      onCheckedChange={onChange}
    >
      <BaseMenu.CheckboxItemIndicator keepMounted className={styles.check}>
        <Icon name="check" />
      </BaseMenu.CheckboxItemIndicator>
      {children}
    </BaseMenu.CheckboxItem>
  );
}

export function MenuSeparator() {
  return <BaseMenu.Separator className={styles.separator} />;
}
