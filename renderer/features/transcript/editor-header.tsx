import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptDocument } from '../../../electron/contract/transcript.ts';
import { Button, IconButton } from '../../ui/actions/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/actions/menu.tsx';
import { ScreenHeader } from '../../ui/screen/screen-header.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useSend, useWindowState } from '../../use-store.ts';
import { runReportingErrors } from '../../notices.ts';
import { useExport, useExportTarget } from '../export/use-export.tsx';
import { useLibraryTools } from '../library/tools/library-tools.tsx';
import type { EditorDialog } from './dialogs/editor-dialogs.tsx';
import { ShortcutLabel } from './dialogs/keys-dialog.tsx';
import type { RecordingControl } from './player/use-recording.ts';
import { usePlayback, useSession, useWorkspace } from './workspace.ts';

/** Which version of a transcript is shown: its text, its original, or their differences. */
export type EditorView = 'text' | 'original' | 'changes';

export interface EditorHeaderProps {
  readonly document: TranscriptDocument;
  readonly recordingControl: RecordingControl;
  /** Whether the transcript has no times, and therefore no actions for segments. */
  readonly isUntimed: boolean;
  /** Whether there is no text to edit. */
  readonly hasNoText: boolean;
  readonly view: EditorView;
  readonly onView: (view: EditorView) => void;
  readonly onDialog: (dialog: EditorDialog) => void;
  readonly onBack: () => void;
  /** Buttons before the menu: find and review. */
  readonly children?: ReactNode;
}

/** The name and facts of a transcript, and the actions that apply to all of it. */
export function EditorHeader(props: EditorHeaderProps) {
  const { document, recordingControl, isUntimed, hasNoText, view, onView, onDialog, onBack } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const openExport = useExport();
  const { session } = useWorkspace();
  const wordCount = useSession((state) => state.wordCount);
  const saving = useSession((state) => state.saving.kind);
  const canUndo = useSession((state) => state.canUndo);
  const canRedo = useSession((state) => state.canRedo);
  const edited = useSession((state) => state.edited);
  const language = useSession((state) => state.language);
  const name = useSession((state) => state.name);
  const trashed = useSession((state) => state.trashed);
  const { trash } = useLibraryTools();
  const hasVideo = usePlayback((state) => state.aspectRatio !== null);
  const showsVideo = useWindowState((state) => state.settings.showVideo);
  const { itemId, durationSeconds } = document;
  const exportTarget = (): Parameters<typeof openExport> => {
    session.flush();
    return [[document.id], edited && view === 'original'];
  };
  useExportTarget(exportTarget);
  const moveToTrash = async (): Promise<void> => {
    await session.waitUntilSent();
    await trash.moveToTrash([document.id]);
    onBack();
  };
  const details = [
    format.date(document.createdAt),
    durationSeconds !== null && format.duration(durationSeconds),
    language !== null && format.language(language),
    // Words of the current version.
    view !== 'original' && t('unit.words', { count: wordCount }),
    !hasNoText && t(`transcript.saving.${saving}`),
  ].filter((part) => part !== false);

  return (
    <ScreenHeader
      back={
        <IconButton aria-label={t('transcript.back')} onClick={onBack}>
          <Icon name="back" />
        </IconButton>
      }
      title={<bdi title={name}>{name}</bdi>}
      // A line never begins with a separator.
      subtitle={details.join('\u00a0· ')}
      actions={
        <>
          {props.children}
          <Menu
            button={
              <Button aria-label={t('transcript.more')}>
                <Icon name="more" />
              </Button>
            }
          >
            {!hasNoText && (
              <>
                <MenuItem onClick={() => session.undo()} disabled={!canUndo || view === 'original'}>
                  <ShortcutLabel keys="Mod+Z">{t('transcript.undo')}</ShortcutLabel>
                </MenuItem>
                <MenuItem onClick={() => session.redo()} disabled={!canRedo || view === 'original'}>
                  <ShortcutLabel keys="Mod+Shift+Z">{t('transcript.redo')}</ShortcutLabel>
                </MenuItem>
                <MenuSeparator />
                {(['original', 'changes'] as const).map((version) => (
                  <MenuItem key={version} onClick={() => onView(view === version ? 'text' : version)}>
                    {t(view === version ? 'transcript.original.close' : `transcript.${version}.show`)}
                  </MenuItem>
                ))}
                {!isUntimed && (
                  <>
                    <MenuItem onClick={() => onDialog('annotations')}>
                      {t('transcript.act.annotations')}
                    </MenuItem>
                    <MenuItem onClick={() => onDialog('identify')}>{t('transcript.act.identify')}</MenuItem>
                    <MenuItem onClick={() => onDialog('speakers')}>{t('transcript.act.speakers')}</MenuItem>
                    <MenuItem onClick={() => onDialog('retime')}>{t('transcript.act.retime')}</MenuItem>
                  </>
                )}
                <MenuSeparator />
              </>
            )}
            <MenuItem onClick={() => onDialog('rename')}>{t('library.action.rename')}</MenuItem>
            <MenuItem onClick={() => onDialog('tags')}>{t('library.action.tag')}</MenuItem>
            <MenuItem onClick={() => onDialog('language')}>{t('transcript.act.language')}</MenuItem>
            <MenuItem onClick={recordingControl.choose}>
              {t(
                recordingControl.recording?.kind === 'none'
                  ? 'transcript.recording.choose'
                  : 'transcript.recording.chooseOther',
              )}
            </MenuItem>
            {recordingControl.recording !== null && recordingControl.recording.kind !== 'none' && (
              <MenuItem onClick={recordingControl.remove}>{t('transcript.recording.remove')}</MenuItem>
            )}
            {(itemId !== null || recordingControl.recording?.kind === 'ready') && (
              <MenuItem onClick={() => send('queue.addAgain', { transcript: document.id, item: itemId })}>
                {t('rowAction.addAgain')}
              </MenuItem>
            )}
            {hasVideo && (
              <MenuItem onClick={() => send('settings.change', { showVideo: !showsVideo })}>
                {t(showsVideo ? 'transcript.video.hide' : 'transcript.video.show')}
              </MenuItem>
            )}
            {itemId !== null && (
              <MenuItem onClick={() => send('queue.showInFolder', { id: itemId })}>
                {t('transcript.showInFolder')}
              </MenuItem>
            )}
            <MenuItem onClick={() => onDialog('keys')}>{t('transcript.keys.show')}</MenuItem>
            {!trashed && (
              <>
                <MenuSeparator />
                <MenuItem danger onClick={() => runReportingErrors(moveToTrash)}>
                  {t('library.action.trash')}
                </MenuItem>
              </>
            )}
          </Menu>
          <Button variant="main" onClick={() => openExport(...exportTarget())}>
            {t('transcript.export')}
          </Button>
        </>
      }
    />
  );
}
