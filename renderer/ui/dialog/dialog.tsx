import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import styles from './dialog.module.css';

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
  /** What takes the focus first, and what takes it when the dialog closes. */
  readonly initialFocus?: ComponentProps<typeof BaseDialog.Popup>['initialFocus'];
  readonly finalFocus?: ComponentProps<typeof BaseDialog.Popup>['finalFocus'];
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
  ...focus
}: DialogProps) {
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
