import { useCallback, useState } from 'react';
import { OnceOpen } from '../../../ui/dialog/once-open.ts';
import { NoteDialog, type NoteTarget } from './note-dialog.tsx';
import { RetimeDialog } from './retime-dialog.tsx';
import type { OnAction } from '../editing/segment-keys.ts';
import { SegmentMenu, type SegmentMenuTarget } from '../editing/segment-menu.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { SpeakersDialog } from './speakers-dialog.tsx';

/** The dialog, note and menu that are open. */
interface DialogState {
  readonly dialog: EditorDialog | null;
  readonly note: NoteTarget | null;
  readonly menu: { readonly open: boolean; readonly target: SegmentMenuTarget | null };
}

export interface OpenDialogs {
  readonly shown: DialogState;
  /** `null` closes the dialog. */
  readonly openDialog: (dialog: EditorDialog | null) => void;
  readonly openNote: (note: NoteTarget | null) => void;
  readonly openMenu: (target: SegmentMenuTarget) => void;
  readonly closeMenu: () => void;
}

/** Holds which dialogs and menus of a transcript are open. */
export function useDialogs(): OpenDialogs {
  const [dialog, openDialog] = useState<EditorDialog | null>(null);
  const [note, openNote] = useState<NoteTarget | null>(null);
  const [menu, setMenu] = useState<DialogState['menu']>({ open: false, target: null });
  const openMenu = useCallback((target: SegmentMenuTarget) => setMenu({ open: true, target }), []);
  // Keeps the target while the menu closes.
  const closeMenu = useCallback(() => setMenu(({ target }) => ({ open: false, target })), []);
  return { shown: { dialog, note, menu }, openDialog, openNote, openMenu, closeMenu };
}

export interface EditorDialogsProps {
  readonly dialogs: OpenDialogs;
  readonly onAction: OnAction;
}

/** The menu of a segment and the dialogs of a transcript; each is created when it is first opened. */
export function EditorDialogs({ dialogs, onAction }: EditorDialogsProps) {
  const { openDialog, openNote, closeMenu } = dialogs;
  const { dialog, note, menu } = dialogs.shown;
  const close = (): void => openDialog(null);
  return (
    <>
      <OnceOpen open={menu.open}>
        {() => (
          <SegmentMenu
            open={menu.open}
            target={menu.target}
            onAction={onAction}
            onSpeakers={() => openDialog('speakers')}
            onClose={closeMenu}
          />
        )}
      </OnceOpen>
      <OnceOpen open={dialog === 'speakers'}>
        {() => <SpeakersDialog open={dialog === 'speakers'} onClose={close} />}
      </OnceOpen>
      <OnceOpen open={dialog === 'retime'}>
        {() => <RetimeDialog open={dialog === 'retime'} onClose={close} />}
      </OnceOpen>
      <OnceOpen open={dialog === 'keys'}>
        {() => <KeysDialog open={dialog === 'keys'} onClose={close} />}
      </OnceOpen>
      <OnceOpen open={note !== null}>
        {() => <NoteDialog wanted={note} onClose={() => openNote(null)} />}
      </OnceOpen>
    </>
  );
}

/** A dialog of the open transcript; at most one is open. */
export type EditorDialog = 'speakers' | 'retime' | 'keys';
