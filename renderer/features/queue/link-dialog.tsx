import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueRow } from '../../../electron/contract/queue-commands.ts';
import { asProblem, runReportingErrors } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { problemText } from '../../ui/text/problem-text.ts';

export interface LinkDialogProps {
  readonly open: boolean;
  readonly row: QueueRow;
  readonly onClose: () => void;
  readonly finalFocus: DialogProps['finalFocus'];
}

/** Edits the link of a recording that has no job yet, and retries it. */
export function LinkDialog({ open, row, onClose, finalFocus }: LinkDialogProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const [storedLink, setStoredLink] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const { id } = row;
  useEffect(() => {
    runReportingErrors(async () => setStoredLink((await invoke('queue.details', { id }))?.location ?? ''));
  }, [invoke, id]);

  const save = async (): Promise<void> => {
    try {
      await invoke('queue.setLink', { id, link: field.current?.value.trim() ?? '' });
      onClose();
    } catch (thrown) {
      setError(problemText(t, asProblem(thrown)));
      field.current?.focus();
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      initialFocus={() => field.current}
      title={t('editLink.title')}
      note={t('editLink.note')}
      wide
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button variant="main" type="submit" form={form}>
            {t('editLink.save')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void save();
        }}
      >
        {storedLink !== null && (
          <TextField
            ref={field}
            type="url"
            label={t('editLink.label')}
            // A link with a hidden part, shown as “…”, must be typed again, or the “…” would be saved.
            defaultValue={storedLink.includes('…') ? '' : storedLink}
            hint={storedLink.includes('…') ? storedLink : undefined}
            error={error}
            autoComplete="off"
          />
        )}
      </form>
    </Dialog>
  );
}
