import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { useFormat } from '../../../ui/words/use-format.ts';
import { type SpeakerShare, speakerShares } from '../speaker-names.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import styles from './form-dialog.module.css';

/** Edits the names of the speakers. */
export function SpeakersDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('transcript.speakers.title')}
      note={t('transcript.speakers.note')}
      actions={null}
    >
      {open && <Names onClose={onClose} />}
    </Dialog>
  );
}

function Names({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const draft = useSession((state) => state.draft);
  const highest = draft.segments.reduce(
    (top, { speaker }) => Math.max(top, speaker ?? -1),
    draft.speakers.length - 1,
  );
  const format = useFormat();
  const [shares] = useState(() => speakerShares(draft.segments));
  const shareWords = (share: SpeakerShare | undefined): string | undefined => {
    if (share === undefined) return undefined;
    const duration = format.duration(share.seconds);
    const { confidence } = share;
    return confidence === null
      ? duration
      : t('transcript.speakers.certain', { duration, share: format.percent(confidence) });
  };
  const [names, setNames] = useState(() =>
    Array.from({ length: Math.max(2, highest + 1) }, (_, index) => draft.speakers[index] ?? ''),
  );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        session.edit({ kind: 'name-speakers', names });
        onClose();
      }}
    >
      <div className={styles.names}>
        {names.map((name, speaker) => (
          <TextField
            // A speaker is identified by its index.
            // oxlint-disable-next-line react/no-array-index-key
            key={speaker}
            label={t('transcript.speakerNumber', { number: speaker + 1 })}
            hint={shareWords(shares.get(speaker))}
            value={name}
            maxLength={200}
            onChange={(event) => {
              const { value } = event.target;
              setNames(names.map((other, at) => (at === speaker ? value : other)));
            }}
          />
        ))}
      </div>
      <div className={styles.actions}>
        {names.length < 9 && (
          <Button look="plain" onClick={() => setNames([...names, ''])}>
            {t('transcript.speakers.add')}
          </Button>
        )}
        <span className={styles.room} />
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button look="main" type="submit">
          {t('transcript.speakers.save')}
        </Button>
      </div>
    </form>
  );
}
