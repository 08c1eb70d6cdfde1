import { useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { maxSegmentTextLength } from '../../../../electron/contract/limits.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { clockTime } from '../../../../electron/core/transcript/clock-time.ts';
import { TextField } from '../../../ui/form/text-field.tsx';
import { notifyEdit, notifyNotSaved } from '../editing/notify-edit.ts';
import { NoteEdit, type NoteTarget } from '../session/note-edit.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import styles from './form-dialog.module.css';

/**
 * Edits a note at a time of the recording. What is typed is stored at once: a click outside keeps it and says so, with a
 * button that undoes it; Escape and Cancel discard it and say so, with a button that saves it. A note that is saved without
 * text is a bookmark.
 */
export function NoteDialog({
  target,
  onClose,
}: {
  readonly target: NoteTarget | null;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const edit = useRef<NoteEdit>(null);
  const cancel = (): void => {
    if (edit.current !== null) discard(edit.current);
    onClose();
  };
  const discard = (note: NoteEdit): void => {
    const { text, textBefore, isChanged } = note;
    note.set(textBefore);
    if (isChanged) notifyNotSaved(session, t('transcript.note.notSaved'), () => note.set(text));
  };
  const dismiss = (isEscape: boolean): void => {
    if (isEscape) {
      cancel();
      return;
    }
    edit.current?.store();
    if (edit.current?.isChanged === true) notifyEdit(session, t('transcript.note.saved'));
    onClose();
  };
  const atSeconds = useSession(({ draft }) =>
    target?.kind === 'existing'
      ? draft.notes.find(({ id }) => id === target.note)?.atSeconds
      : target?.atSeconds,
  );
  return (
    <Dialog
      open={target !== null}
      onClose={onClose}
      onDismiss={dismiss}
      title={t('transcript.note.title', { time: clockTime(atSeconds ?? 0) })}
      selectsText={false}
      actions={null}
    >
      {target !== null && <Fields ref={edit} target={target} onCancel={cancel} onClose={onClose} />}
    </Dialog>
  );
}

interface FieldsProps {
  /** Receives what is being edited, as long as the fields are shown. */
  readonly ref: Ref<NoteEdit>;
  readonly target: NoteTarget;
  /** Called to close the dialog without what was typed. */
  readonly onCancel: () => void;
  readonly onClose: () => void;
}

function Fields({ ref, target, onCancel, onClose }: FieldsProps) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const [edit] = useState(() => new NoteEdit(session, target));
  const [text, setText] = useState(edit.textBefore ?? '');
  const [isTooLong, setIsTooLong] = useState(false);
  useImperativeHandle(ref, () => edit, [edit]);
  // A layout effect, because it has to run before the effect that flushes the session.
  useLayoutEffect(() => () => edit.store(), [edit]);
  const end = (finalText: string | null): void => {
    edit.set(finalText);
    onClose();
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        end(text);
      }}
    >
      <div className={styles.fields}>
        <TextField
          label={t('transcript.note.label')}
          hint={t('transcript.note.hint')}
          error={isTooLong ? t('transcript.note.tooLong', { count: maxSegmentTextLength }) : undefined}
          value={text}
          onChange={({ target: field }) => {
            setIsTooLong(field.value.length > maxSegmentTextLength);
            if (field.value.length > maxSegmentTextLength) return;
            setText(field.value);
            edit.type(field.value);
          }}
          // The browser submits only for Enter without a modifier.
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      </div>
      <div className={styles.actions}>
        {target.kind === 'existing' && (
          <Button variant="danger" onClick={() => end(null)}>
            {t('transcript.note.remove')}
          </Button>
        )}
        <span className={styles.spacer} />
        <Button onClick={onCancel}>{t('action.cancel')}</Button>
        <Button variant="main" type="submit">
          {t('transcript.note.save')}
        </Button>
      </div>
    </form>
  );
}
