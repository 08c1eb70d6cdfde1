import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxSpeakers } from '../../../../electron/contract/limits.ts';
import type { SpeakerModelsView } from '../../../../electron/contract/speakers.ts';
import { attempt } from '../../../notices.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { RadioList } from '../../../ui/form/choice.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import entries from '../../../ui/list/entry-list.module.css';
import { useFormat } from '../../../ui/words/use-format.ts';
import { useStore } from '../../../use-store.ts';
import { useRunTask } from '../../tasks/running-tasks.tsx';
import styles from './form-dialog.module.css';
import { useIdentifySpeakers } from './use-identify-speakers.ts';

interface IdentifyDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Starts identifying the speakers of the transcript; before that, the models are downloaded once. */
export function IdentifyDialog({ open, onClose }: IdentifyDialogProps) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const [models, setModels] = useState<SpeakerModelsView | null>(null);
  useEffect(() => {
    if (open) attempt(async () => setModels(await ask('speakers.models', undefined)));
  }, [ask, open]);
  const isReady = models?.isReady === true;
  return (
    <Dialog
      open={open && models !== null}
      onClose={onClose}
      title={t('transcript.identify.title')}
      note={t(isReady ? 'transcript.identify.note' : 'transcript.identify.modelsNote')}
      actions={null}
    >
      {open && models !== null && (
        <>
          {isReady && <Count models={models} onModels={setModels} onClose={onClose} />}
          {!isReady && <MissingModels models={models} onModels={setModels} onClose={onClose} />}
        </>
      )}
    </Dialog>
  );
}

interface PartProps {
  readonly models: SpeakerModelsView;
  readonly onModels: (models: SpeakerModelsView) => void;
  readonly onClose: () => void;
}

/** Asks how many speak, and starts. */
function Count({ models, onModels, onClose }: PartProps) {
  const { t } = useTranslation();
  const identify = useIdentifySpeakers();
  const [isKnown, setIsKnown] = useState(false);
  const [typed, setTyped] = useState('2');
  const count = /^\d+$/.test(typed.trim()) ? Number(typed) : 0;
  const isWrong = isKnown && (count < 1 || count > maxSpeakers);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isWrong) return;
        onClose();
        attempt(() => identify(isKnown ? count : null));
      }}
    >
      <div className={styles.names}>
        <RadioList
          label={t('transcript.identify.count')}
          name="speaker-count"
          value={isKnown ? 'known' : 'automatic'}
          options={[
            { value: 'automatic', label: t('transcript.identify.automatic') },
            {
              value: 'known',
              label: t('transcript.identify.known'),
              note: t('transcript.identify.knownNote'),
            },
          ]}
          onChange={(value) => setIsKnown(value === 'known')}
        />
        {isKnown && (
          <TextField
            label={t('transcript.identify.number')}
            error={isWrong ? t('transcript.identify.badNumber', { max: maxSpeakers }) : undefined}
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        <ReadyModels models={models} onModels={onModels} />
      </div>
      <div className={styles.actions}>
        <span className={styles.room} />
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button look="main" type="submit" disabled={isWrong}>
          {t('transcript.identify.start')}
        </Button>
      </div>
    </form>
  );
}

/** Says which models are used, with a button that removes them. */
function ReadyModels({ models, onModels }: Pick<PartProps, 'models' | 'onModels'>) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const { ownFolder } = models;
  const isOwn = ownFolder !== null;
  const remove = async (): Promise<void> =>
    onModels(await ask(isOwn ? 'speakers.forgetFolder' : 'speakers.delete', undefined));
  return (
    <p className={entries.quiet}>
      {isOwn ? t('models.inFolder', { folder: ownFolder }) : t('transcript.identify.downloaded')}{' '}
      <Button look="plain" onClick={() => attempt(remove)}>
        {t(isOwn ? 'models.forgetFolder' : 'models.delete')}
      </Button>
    </p>
  );
}

/** Says what is downloaded from where under which licence, and downloads it. */
function MissingModels({ models, onModels, onClose }: PartProps) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const format = useFormat();
  const runTask = useRunTask();
  const { parts, keptBytes } = models;
  const total = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const download = async (): Promise<void> => {
    const title = t('transcript.identify.downloading');
    onModels(await runTask({ title }, (task) => ask('speakers.download', { task })));
  };
  return (
    <div className={styles.form}>
      <ul className={styles.names}>
        {parts.map(({ name, licence, origin, sizeBytes }) => (
          <li key={name}>
            <div className={entries.name}>{name}</div>
            <div className={entries.quiet}>{[format.bytes(sizeBytes), licence, origin].join(' · ')}</div>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button
          look="plain"
          onClick={() => attempt(async () => onModels(await ask('speakers.chooseFolder', undefined)))}
        >
          {t('models.chooseFolder')}
        </Button>
      </div>
      <div className={styles.actions}>
        <span className={styles.room} />
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button look="main" onClick={() => attempt(download)}>
          {keptBytes > 0 ? t('models.goOn') : t('models.download', { size: format.bytes(total) })}
        </Button>
      </div>
    </div>
  );
}
