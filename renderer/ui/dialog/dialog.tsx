import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { classes } from '../classes.ts';
import { usePopupFocus } from '../focus/use-popup-focus.ts';
import styles from './dialog.module.css';
import { openModals } from './open-modals.ts';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Called instead of `onClose` when Escape or a click outside closes the dialog; `isEscape` says which. */
  readonly onDismiss?: ((isEscape: boolean) => void) | undefined;
  readonly title: string;
  /** A text below the title. */
  readonly note?: ReactNode;
  /** For wide content, such as a form. */
  readonly wide?: boolean;
  readonly children?: ReactNode;
  /** The buttons at the end; the one that confirms is the last. `null` if a form in `children` has them. */
  readonly actions: ReactNode;
  /** Returns what takes the focus first; absent or `null`: the first element that can. */
  readonly initialFocus?: (() => HTMLElement | null) | undefined;
  /** False if a click outside keeps what was typed: a stray key must not replace the text of the first field. */
  readonly selectsText?: boolean;
  /** What takes the focus when the dialog closes; absent: what had it before. */
  readonly finalFocus?: RefObject<HTMLElement | null> | undefined;
}

/** A modal dialog; Escape and a click outside close it. */
export function Dialog({
  open,
  onClose,
  onDismiss,
  title,
  note,
  wide = false,
  children,
  actions,
  initialFocus,
  selectsText = true,
  finalFocus,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (open ? openModals.add() : undefined), [open]);
  const focus = usePopupFocus({ popup, open, initialFocus, finalFocus, returnsFromMenu: true, selectsText });
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next, { reason }) => {
        if (next) return;
        if (onDismiss === undefined) onClose();
        else onDismiss(reason === 'escape-key');
      }}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.backdrop} />
        <BaseDialog.Popup ref={popup} className={classes(styles.popup, wide && styles.wide)} {...focus}>
          <BaseDialog.Title className={styles.title}>{title}</BaseDialog.Title>
          {note !== undefined && (
            <BaseDialog.Description className={styles.note}>{note}</BaseDialog.Description>
          )}
          {children}
          {actions !== null && <div className={styles.actions}>{actions}</div>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
