import { useCallback, useMemo, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import { maxNameLength } from '../../../../electron/contract/limits.ts';
import { RenameDialog } from '../../library/rename-dialog.tsx';
import { useLibraryTools } from '../../library/tools/library-tools.tsx';
import { TagsDialog } from '../../library/tags-dialog.tsx';
import { useSession, useWorkspace } from '../workspace.ts';
import { MountOnFirstOpen } from '../../../ui/dialog/mount-on-first-open.ts';
import type { NoteTarget } from '../session/note-edit.ts';
import { NoteDialog } from './note-dialog.tsx';
import { RetimeDialog } from './retime-dialog.tsx';
import type { OnAction } from '../editing/segment-keys.ts';
import type { SegmentListHandle } from '../editing/segment-list.tsx';
import type { SegmentSelection } from '../editing/use-segment-selection.ts';
import type { RecordingControl } from '../player/use-recording.ts';
import { SegmentMenu, type SegmentMenuTarget } from '../editing/segment-menu.tsx';
import { IdentifyDialog } from '../../speakers/identify-dialog.tsx';
import { useIdentifySpeakers } from './use-identify-speakers.ts';
import { runReportingErrors } from '../../../notices.ts';
import { LanguageDialog } from './language-dialog.tsx';
import { AnnotationsDialog } from './annotations-dialog.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { TimesPopover } from '../editing/times-popover.tsx';
import { SpeakersDialog } from './speakers-dialog.tsx';

/** The dialog, note and menu that are open. */
interface DialogState {
  readonly dialog: EditorDialog | null;
  /** Incremented each time a dialog opens. As its key, it makes the dialog start with the current values. */
  readonly openCount: number;
  readonly note: NoteTarget | null;
  readonly menu: { readonly open: boolean; readonly target: SegmentMenuTarget | null };
  readonly times: { readonly open: boolean; readonly segment: SegmentId | null };
}

export interface OpenDialogs {
  readonly state: DialogState;
  /** `null` closes the dialog. */
  readonly openDialog: (dialog: EditorDialog | null) => void;
  readonly openNote: (note: NoteTarget | null) => void;
  readonly openMenu: (target: SegmentMenuTarget) => void;
  readonly closeMenu: () => void;
  /** Opens the editor of a segment's times. */
  readonly openTimes: (segment: SegmentId) => void;
  readonly closeTimes: () => void;
  /** The segment whose menu or times are open; `null` for none. */
  readonly openedSegment: SegmentId | null;
}

/** Holds which dialogs and menus of a transcript are open. */
export function useDialogs(): OpenDialogs {
  const [{ dialog, openCount }, setDialog] = useState<Pick<DialogState, 'dialog' | 'openCount'>>({
    dialog: null,
    openCount: 0,
  });
  const openDialog = useCallback(
    (opened: EditorDialog | null) =>
      setDialog((now) => ({ dialog: opened, openCount: now.openCount + (opened === null ? 0 : 1) })),
    [],
  );
  const [note, openNote] = useState<NoteTarget | null>(null);
  const [menu, setMenu] = useState<DialogState['menu']>({ open: false, target: null });
  const openMenu = useCallback((target: SegmentMenuTarget) => setMenu({ open: true, target }), []);
  // Keeps the target while the menu closes.
  const closeMenu = useCallback(() => setMenu(({ target }) => ({ open: false, target })), []);
  const [times, setTimes] = useState<DialogState['times']>({ open: false, segment: null });
  const openTimes = useCallback((segment: SegmentId) => setTimes({ open: true, segment }), []);
  const closeTimes = useCallback(() => setTimes(({ segment }) => ({ open: false, segment })), []);
  const state = { dialog, openCount, note, menu, times };
  const openedSegment = times.open ? times.segment : menu.open ? (menu.target?.segment ?? null) : null;
  return { state, openDialog, openNote, openMenu, closeMenu, openTimes, closeTimes, openedSegment };
}

export interface EditorDialogsProps {
  readonly dialogs: OpenDialogs;
  readonly list: RefObject<SegmentListHandle | null>;
  readonly onAction: OnAction;
  readonly selection: SegmentSelection;
  readonly recordingControl: RecordingControl;
}

/** The menu of a segment and the dialogs of a transcript; each is created when it is first opened. */
export function EditorDialogs({ dialogs, list, onAction, selection, recordingControl }: EditorDialogsProps) {
  const { openDialog, openNote, closeMenu, closeTimes } = dialogs;
  const { dialog, openCount, note, menu, times } = dialogs.state;
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const name = useSession((state) => state.name);
  const { rename: renameTranscript } = useLibraryTools();
  const rename = async (next: string): Promise<void> => {
    session.addNonEditChange(
      await renameTranscript({
        id: session.id,
        before: name,
        name: next,
        rename: (to) => session.rename(to),
      }),
    );
  };
  const ids = useMemo(() => [session.id], [session]);
  const close = (): void => openDialog(null);
  const identify = useIdentifySpeakers(() => openDialog('identify'));
  return (
    <>
      <MountOnFirstOpen open={menu.open}>
        {() => (
          <SegmentMenu
            open={menu.open}
            target={menu.target}
            selection={selection}
            onAction={onAction}
            onSpeakers={() => openDialog('speakers')}
            onClose={closeMenu}
          />
        )}
      </MountOnFirstOpen>
      <MountOnFirstOpen open={times.open}>
        {() => <TimesPopover open={times.open} segment={times.segment} list={list} onClose={closeTimes} />}
      </MountOnFirstOpen>
      <MountOnFirstOpen open={dialog === 'speakers'}>
        {() => <SpeakersDialog open={dialog === 'speakers'} onClose={close} />}
      </MountOnFirstOpen>
      <MountOnFirstOpen open={dialog === 'identify'}>
        {() => (
          <IdentifyDialog
            open={dialog === 'identify'}
            onClose={close}
            onIdentify={(count) => runReportingErrors(() => identify(count))}
            recordingControl={recordingControl}
          />
        )}
      </MountOnFirstOpen>
      <MountOnFirstOpen open={dialog === 'retime'}>
        {() => <RetimeDialog open={dialog === 'retime'} onClose={close} />}
      </MountOnFirstOpen>
      <MountOnFirstOpen open={dialog === 'rename'}>
        {() => (
          <RenameDialog
            key={openCount}
            open={dialog === 'rename'}
            onClose={close}
            title={t('library.rename.title')}
            label={t('library.rename.label')}
            value={name}
            maxLength={maxNameLength}
            onRename={(next) => runReportingErrors(() => rename(next))}
          />
        )}
      </MountOnFirstOpen>
      <MountOnFirstOpen open={dialog === 'tags'}>
        {() => (
          <TagsDialog
            key={openCount}
            open={dialog === 'tags'}
            onClose={close}
            ids={ids}
            onChanged={(change) => session.addNonEditChange(change)}
          />
        )}
      </MountOnFirstOpen>
      <MountOnFirstOpen open={dialog === 'annotations'}>
        {() => (
          <AnnotationsDialog
            open={dialog === 'annotations'}
            onClose={close}
            onGoTo={(segment) => list.current?.arriveAt(segment, 0)}
          />
        )}
      </MountOnFirstOpen>
      <MountOnFirstOpen open={dialog === 'language'}>
        {() => <LanguageDialog open={dialog === 'language'} onClose={close} />}
      </MountOnFirstOpen>
      <MountOnFirstOpen open={dialog === 'keys'}>
        {() => <KeysDialog open={dialog === 'keys'} onClose={close} />}
      </MountOnFirstOpen>
      <MountOnFirstOpen open={note !== null}>
        {() => <NoteDialog target={note} onClose={() => openNote(null)} />}
      </MountOnFirstOpen>
    </>
  );
}

/** A dialog of the open transcript; at most one is open. */
export type EditorDialog =
  'speakers' | 'identify' | 'retime' | 'rename' | 'tags' | 'annotations' | 'language' | 'keys';
