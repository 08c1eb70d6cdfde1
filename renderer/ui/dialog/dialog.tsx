import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useLayoutEffect, useRef, type ComponentProps, type ReactNode, type RefObject } from 'react';
import { classes } from '../classes.ts';
import { firstFocusableIn } from '../focus/keep-focus.ts';
import styles from './dialog.module.css';

type PopupFocus = Pick<ComponentProps<typeof BaseDialog.Popup>, 'ref' | 'initialFocus' | 'finalFocus'>;

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly note?: ReactNode;
  /** For content that needs room, such as a form. */
  readonly wide?: boolean;
  readonly children?: ReactNode;
  /** The buttons at the end; the one that confirms is the last. */
  readonly actions: ReactNode;
  /** Returns what takes the focus first; absent or `null`: the first element that can. */
  readonly initialFocus?: (() => HTMLElement | null) | undefined;
  /** What takes the focus when the dialog closes; absent: what had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null> | undefined;
}

/**
 * Moves the focus into a dialog or popover when it opens, and back when it closes, before the next key. Base UI does both a frame or
 * more later: keys pressed until then would go to the text behind the dialog, or to a dialog that is about to go.
 */
export function usePopupFocus({
  open,
  initialFocus,
  finalFocus,
}: Pick<DialogProps, 'open' | 'initialFocus' | 'finalFocus'>): PopupFocus {
  const popup = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  const hasReturned = useRef(false);
  useLayoutEffect(() => {
    if (open) {
      before.current = document.activeElement;
      hasReturned.current = false;
      return;
    }
    const target = before.current === null ? null : (finalFocus?.current ?? before.current);
    before.current = null;
    // The entry of a menu is closing: Base UI knows the menu's button.
    if (!(target instanceof HTMLElement) || !target.isConnected || target.closest('[role=menu]') !== null)
      return;
    target.focus({ preventScroll: true });
    hasReturned.current = document.activeElement === target;
  }, [open, finalFocus]);
  return {
    ref: popup,
    initialFocus: () => {
      const first = initialFocus?.() ?? (popup.current === null ? null : firstFocusableIn(popup.current));
      first?.focus();
      return first ?? true;
    },
    finalFocus: () => !hasReturned.current && (finalFocus?.current ?? true),
  };
}

/** A modal dialog; Escape and a click outside close it. */
export function Dialog({
  open,
  onClose,
  title,
  note,
  wide = false,
  children,
  actions,
  initialFocus,
  finalFocus,
}: DialogProps) {
  const focus = usePopupFocus({ open, initialFocus, finalFocus });
  return (
    <BaseDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.veil} />
        <BaseDialog.Popup className={classes(styles.popup, wide && styles.wide)} {...focus}>
          <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
          {note !== undefined && (
            <BaseDialog.Description className={styles.note}>{note}</BaseDialog.Description>
          )}
          {children}
          <div className={styles.actions}>{actions}</div>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
