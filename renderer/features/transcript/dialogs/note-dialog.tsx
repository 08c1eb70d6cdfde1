import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { formatClock } from '../../../ui/text/format.ts';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useSession, useWorkspace } from '../workspace.ts';
import styles from './form-dialog.module.css';

/** The note to edit: a new one at a time, or an existing one. */
export type NoteTarget =
  { readonly kind: 'new'; readonly atSeconds: number } | { readonly kind: 'existing'; readonly note: number };

/**
 * Edits a note at a time of the recording. A note without text is a bookmark. Escape cancels, as in any dialog. If the user
 * leaves the transcript while the dialog is open, what was typed is saved.
 */
export function NoteDialog({
  target,
  onClose,
}: {
  readonly target: NoteTarget | null;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const existing = useSession(({ draft }) =>
    target?.kind === 'existing' ? draft.notes.find(({ id }) => id === target.note) : undefined,
  );
  const isDecided = useRef(false);
  useLayoutEffect(() => {
    if (target !== null) isDecided.current = false;
  }, [target]);
  const close = (): void => {
    isDecided.current = true;
    onClose();
  };
  const atSeconds = target?.kind === 'new' ? target.atSeconds : (existing?.atSeconds ?? 0);
  return (
    <Dialog
      open={target !== null}
      onClose={close}
      title={t('transcript.note.title', { time: formatClock(atSeconds) })}
      actions={null}
    >
      {target !== null && (
        <Fields target={target} text={existing?.text ?? ''} isDecided={isDecided} onClose={close} />
      )}
    </Dialog>
  );
}

interface FieldsProps {
  readonly target: NoteTarget;
  readonly text: string;
  /** Whether the user has saved, removed or cancelled. */
  readonly isDecided: RefObject<boolean>;
  readonly onClose: () => void;
}

function Fields({ target, text: before, isDecided, onClose }: FieldsProps) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const [text, setText] = useState(before);
  const save = (): void => {
    if (target.kind === 'new') session.edit({ kind: 'add-note', atSeconds: target.atSeconds, text });
    else session.edit({ kind: 'change-note', note: target.note, text });
  };
  const saveTyped = useRef(() => {});
  useLayoutEffect(() => {
    saveTyped.current = () => {
      if (text !== before) save();
    };
  });
  // A layout effect, because it has to run before the effect that flushes the session.
  useLayoutEffect(
    () => () => {
      if (!isDecided.current) saveTyped.current();
    },
    [isDecided],
  );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
        onClose();
      }}
    >
      <div className={styles.fields}>
        <TextField
          label={t('transcript.note.label')}
          hint={t('transcript.note.hint')}
          value={text}
          onChange={(event) => setText(event.target.value)}
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
          <Button
            variant="danger"
            onClick={() => {
              session.edit({ kind: 'remove-note', note: target.note });
              onClose();
            }}
          >
            {t('transcript.note.remove')}
          </Button>
        )}
        <span className={styles.spacer} />
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button variant="main" type="submit">
          {t('transcript.note.save')}
        </Button>
      </div>
    </form>
  );
}
