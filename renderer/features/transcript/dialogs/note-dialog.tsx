import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftSegment } from '../../../../electron/contract/transcript.ts';
import { segmentIndexAt } from '../../../../electron/core/transcript/segment.ts';
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
 * Edits a note at a time of the recording. A note without text is a bookmark. Escape closes the dialog; what was typed is
 * there again when it reopens for the same note, or for a new one in the same segment. If the user leaves the transcript
 * while the dialog is open, what was typed is saved.
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
  /** Whether the user has saved, removed or cancelled. */
  const isDecided = useRef(false);
  const typed = useRef<TypedNote | null>(null);
  /** What was typed before Escape, by the note or the segment that it belongs to. */
  const [kept, setKept] = useState<ReadonlyMap<string, string>>(new Map());
  const keptKey = useSession(({ draft }) => (target === null ? null : keptKeyOf(target, draft.segments)));
  useLayoutEffect(() => {
    if (target !== null) isDecided.current = false;
  }, [target]);
  // A layout effect, because it has to run before the effect that flushes the session.
  useLayoutEffect(
    () => () => {
      if (!isDecided.current) typed.current?.save();
    },
    [],
  );
  const end = (keptText: string | null): void => {
    isDecided.current = true;
    if (keptKey !== null) {
      const others = [...kept].filter(([key]) => key !== keptKey);
      setKept(new Map(keptText === null ? others : [...others, [keptKey, keptText]]));
    }
    onClose();
  };
  const close = (): void => end(null);
  const atSeconds = target?.kind === 'new' ? target.atSeconds : (existing?.atSeconds ?? 0);
  return (
    <Dialog
      open={target !== null}
      onClose={close}
      onDismiss={() => end(typed.current?.text ?? null)}
      title={t('transcript.note.title', { time: formatClock(atSeconds) })}
      actions={null}
    >
      {target !== null && (
        <Fields
          target={target}
          text={existing?.text ?? ''}
          keptText={keptKey === null ? null : (kept.get(keptKey) ?? null)}
          onTyped={(now) => {
            typed.current = now;
          }}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

/** Returns the key of what was typed before Escape. A new note belongs to its segment: the playhead moves within it. */
function keptKeyOf(target: NoteTarget, segments: readonly DraftSegment[]): string {
  if (target.kind === 'existing') return `note ${target.note}`;
  return `segment ${segments[segmentIndexAt(segments, target.atSeconds)]?.id ?? ''}`;
}

/** What is typed and not saved. */
interface TypedNote {
  readonly text: string;
  readonly save: () => void;
}

interface FieldsProps {
  readonly target: NoteTarget;
  readonly text: string;
  /** What was typed before Escape; `null` for nothing. */
  readonly keptText: string | null;
  /** Called with what is typed; `null` while it is what is saved. */
  readonly onTyped: (typed: TypedNote | null) => void;
  readonly onClose: () => void;
}

function Fields({ target, text: before, keptText, onTyped, onClose }: FieldsProps) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const [text, setText] = useState(keptText ?? before);
  const save = (): void => {
    if (target.kind === 'new') session.edit({ kind: 'add-note', atSeconds: target.atSeconds, text });
    else session.edit({ kind: 'change-note', note: target.note, text });
  };
  useLayoutEffect(() => {
    onTyped(text === before ? null : { text, save });
  });
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
