import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxTimeSeconds } from '../../../../electron/contract/limits.ts';
import { shiftRange } from '../../../../electron/core/transcript/edit/time-operations.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { notifyEdit } from '../editing/notify-edit.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import styles from './form-dialog.module.css';

/** Parses a number with a decimal point or comma; `null` when the text is not a number. */
function parseNumber(text: string): number | null {
  const value = Number(text.trim().replace(',', '.').replace('−', '-'));
  return text.trim() === '' || !Number.isFinite(value) ? null : value;
}

/** Shifts all times by a number of seconds, or scales them. */
export function RetimeDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('transcript.retime.title')}
      note={t('transcript.retime.note')}
      actions={null}
    >
      {open && <Fields onClose={onClose} />}
    </Dialog>
  );
}

function Fields({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const [offsetText, setOffsetText] = useState('0');
  const [percentText, setPercentText] = useState('100');
  const offsetSeconds = parseNumber(offsetText);
  const percent = parseNumber(percentText);
  const draft = useSession((state) => state.draft);
  const tooLate = (afterRecording: string): string =>
    session.recordingSeconds === null
      ? t('transcript.times.limit', { count: maxTimeSeconds / 3600 })
      : afterRecording;
  const range = shiftRange(draft, (percent ?? 100) / 100, session.recordingSeconds);
  const factorError =
    percent === null || percent < 1 || percent > 1000
      ? t('transcript.retime.invalidFactor')
      : range.earliest > range.latest
        ? tooLate(t('transcript.retime.tooLong'))
        : undefined;
  const offsetError = ((): string | undefined => {
    if (offsetSeconds === null) return t('transcript.retime.notNumber');
    if (factorError !== undefined) return undefined;
    if (offsetSeconds < range.earliest) return t('transcript.retime.tooEarly', { seconds: -range.earliest });
    return offsetSeconds > range.latest
      ? tooLate(t('transcript.retime.tooLate', { seconds: range.latest }))
      : undefined;
  })();
  const canApply = offsetError === undefined && factorError === undefined;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!canApply || offsetSeconds === null || percent === null) return;
        const change = session.edit({ kind: 'retime', offsetSeconds, factor: percent / 100 });
        if (change.length > 0) notifyEdit(session, t('transcript.retime.done'));
        onClose();
      }}
    >
      <div className={styles.fields}>
        <TextField
          label={t('transcript.retime.offset')}
          hint={t('transcript.retime.offsetHint')}
          error={offsetError}
          inputMode="decimal"
          value={offsetText}
          onChange={(event) => setOffsetText(event.target.value)}
        />
        <TextField
          label={t('transcript.retime.factor')}
          hint={t('transcript.retime.factorHint')}
          error={factorError}
          inputMode="decimal"
          value={percentText}
          onChange={(event) => setPercentText(event.target.value)}
        />
      </div>
      <div className={styles.actions}>
        <span className={styles.spacer} />
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button variant="main" type="submit" disabled={!canApply}>
          {t('transcript.retime.apply')}
        </Button>
      </div>
    </form>
  );
}
