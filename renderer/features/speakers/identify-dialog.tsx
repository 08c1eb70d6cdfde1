import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxSpeakers } from '../../../electron/contract/limits.ts';
import type { SpeakerModelsView } from '../../../electron/contract/speakers.ts';
import type { RecordingStatus } from '../../../electron/contract/recording-status.ts';
import { runReportingErrors } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import { RadioList } from '../../ui/form/choice.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { useStore } from '../../use-store.ts';
import { DownloadModels, ModelList, ReadyModels } from './speaker-models.tsx';
import styles from './speaker-models.module.css';

interface IdentifyDialogProps extends Pick<DialogProps, 'open' | 'onClose' | 'finalFocus'> {
  /** Starts with this number of speakers; `null`: unknown. */
  readonly onIdentify: (count: number | null) => void;
  /** The recording of the transcript, and a function that lets the user pick one; absent for several transcripts. */
  readonly recordingControl?: { readonly recording: RecordingStatus | null; readonly choose: () => void };
}

/**
 * Asks for the number of speakers, and starts identifying them. Without the recording or the models, it asks for those
 * first.
 */
export function IdentifyDialog({
  open,
  onClose,
  finalFocus,
  onIdentify,
  recordingControl,
}: IdentifyDialogProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const [models, setModels] = useState<SpeakerModelsView | null>(null);
  useEffect(() => {
    if (open) runReportingErrors(async () => setModels(await invoke('speakers.models', undefined)));
  }, [invoke, open]);
  const recording = recordingControl?.recording ?? null;
  const missingRecording = recording === null || recording.kind === 'ready' ? null : recording;
  const isReady = models?.isReady === true;
  return (
    <Dialog
      open={open && models !== null}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t('transcript.identify.title')}
      note={
        missingRecording === null
          ? t(isReady ? 'transcript.identify.note' : 'transcript.identify.modelsNote')
          : missingRecording.kind === 'none'
            ? t('transcript.identify.noRecording')
            : t(
                missingRecording.kind === 'replaced'
                  ? 'transcript.identify.recordingReplaced'
                  : 'transcript.identify.recordingGone',
                { name: missingRecording.name },
              )
      }
      actions={null}
    >
      {open && missingRecording !== null && (
        <div className={styles.actions}>
          <span className={styles.spacer} />
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button variant="main" onClick={recordingControl?.choose}>
            {t('transcript.recording.choose')}
          </Button>
        </div>
      )}
      {open && models !== null && missingRecording === null && (
        <>
          {isReady && (
            <CountForm models={models} onModels={setModels} onClose={onClose} onIdentify={onIdentify} />
          )}
          {!isReady && (
            <div className={styles.form}>
              <ModelList models={models} onModels={setModels} />
              <div className={styles.actions}>
                <span className={styles.spacer} />
                <Button onClick={onClose}>{t('action.cancel')}</Button>
                <DownloadModels models={models} onModels={setModels} />
              </div>
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

interface CountFormProps extends Pick<IdentifyDialogProps, 'onClose' | 'onIdentify'> {
  readonly models: SpeakerModelsView;
  readonly onModels: (models: SpeakerModelsView) => void;
}

/** Asks for the number of speakers, and starts identifying them. */
function CountForm({ models, onModels, onClose, onIdentify }: CountFormProps) {
  const { t } = useTranslation();
  const [isCountKnown, setIsCountKnown] = useState(false);
  const [typedCount, setTypedCount] = useState('2');
  const count = /^\d+$/.test(typedCount.trim()) ? Number(typedCount) : 0;
  const isInvalid = isCountKnown && (count < 1 || count > maxSpeakers);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isInvalid) return;
        onClose();
        onIdentify(isCountKnown ? count : null);
      }}
    >
      <div className={styles.fields}>
        <RadioList
          label={t('transcript.identify.count')}
          name="speaker-count"
          value={isCountKnown ? 'known' : 'automatic'}
          options={[
            { value: 'automatic', label: t('transcript.identify.automatic') },
            {
              value: 'known',
              label: t('transcript.identify.known'),
              note: t('transcript.identify.knownNote'),
            },
          ]}
          onChange={(value) => setIsCountKnown(value === 'known')}
        />
        {isCountKnown && (
          <TextField
            label={t('transcript.identify.number')}
            error={isInvalid ? t('transcript.identify.invalidNumber', { max: maxSpeakers }) : undefined}
            inputMode="numeric"
            value={typedCount}
            onChange={(event) => setTypedCount(event.target.value)}
          />
        )}
        <ReadyModels models={models} onModels={onModels} />
      </div>
      <div className={styles.actions}>
        <span className={styles.spacer} />
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button variant="main" type="submit" disabled={isInvalid}>
          {t('transcript.identify.start')}
        </Button>
      </div>
    </form>
  );
}
