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
import { usePopupFocus, type PopupFocus } from '../focus/use-popup-focus.ts';
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
> & {
  /** What takes the focus when the menu closes; absent: what had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null> | undefined;
};

/** The popup of a menu, for menus that have no button. */
export function MenuPopup({ anchor, align = 'start', finalFocus, children }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const returns = useRef<PopupFocus['finalFocus']>(() => true);
  const setReturns = useCallback((finalFocusOf: PopupFocus['finalFocus']) => {
    returns.current = finalFocusOf;
  }, []);
  return (
    <BaseMenu.Portal>
      <BaseMenu.Positioner className={styles.place} anchor={anchor} align={align} sideOffset={4}>
        <BaseMenu.Popup
          ref={popup}
          className={styles.popup}
          finalFocus={() => returns.current()}
          render={(props, { open }) => (
            <MenuBody {...props} open={open} popup={popup} setReturns={setReturns} finalFocus={finalFocus} />
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
  /** Receives what Base UI has to ask when the menu has closed. */
  readonly setReturns: (finalFocus: PopupFocus['finalFocus']) => void;
}

/** The element of a menu. Base UI passes the open state only to a `render` replacement. */
function MenuBody({ open, popup, setReturns, finalFocus, ...props }: MenuBodyProps) {
  const focus = usePopupFocus({ popup, open, finalFocus, initialFocus: () => popup.current });
  const moveFocus = useEffectEvent(focus.initialFocus);
  useLayoutEffect(() => {
    setReturns(focus.finalFocus);
  });
  useLayoutEffect(() => {
    // Once the menu is in place: hidden elements cannot have the focus.
    if (open) queueMicrotask(() => moveFocus());
  }, [open]);
  return <div {...props} />;
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
