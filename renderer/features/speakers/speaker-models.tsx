import { useTranslation } from 'react-i18next';
import type { SpeakerModelsView } from '../../../electron/contract/speakers.ts';
import { runReportingErrors } from '../../notices.ts';
import { Button, type ButtonVariant } from '../../ui/actions/button.tsx';
import entries from '../../ui/list/entry-list.module.css';
import { useFormat } from '../../ui/text/use-format.ts';
import { useStore } from '../../use-store.ts';
import { useRunTask } from '../tasks/running-tasks.tsx';
import styles from './speaker-models.module.css';

export interface SpeakerModelsProps {
  readonly models: SpeakerModelsView;
  readonly onModels: (models: SpeakerModelsView) => void;
}

/** Says where the models are, with a button that deletes them or stops using their folder. */
export function ReadyModels({ models, onModels }: SpeakerModelsProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const { ownFolder } = models;
  const isOwn = ownFolder !== null;
  const remove = async (): Promise<void> =>
    onModels(await invoke(isOwn ? 'speakers.forgetFolder' : 'speakers.delete', undefined));
  return (
    <p className={`${entries.quiet} ${styles.ready}`}>
      {isOwn ? t('models.inFolder', { folder: ownFolder }) : t('transcript.identify.downloaded')}{' '}
      <Button variant="plain" onClick={() => runReportingErrors(remove)}>
        {t(isOwn ? 'models.forgetFolder' : 'models.delete')}
      </Button>
    </p>
  );
}

/** Lists the models to download with size, licence and origin, and lets the user choose a folder instead. */
export function ModelList({ models, onModels }: SpeakerModelsProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const format = useFormat();
  return (
    <>
      <ul className={styles.models}>
        {models.parts.map(({ name, licence, origin, sizeBytes }) => (
          <li key={name}>
            <div className={entries.name}>{name}</div>
            <div className={entries.quiet}>{[format.bytes(sizeBytes), licence, origin].join(' · ')}</div>
          </li>
        ))}
      </ul>
      <div className={styles.folder}>
        <Button
          variant="plain"
          onClick={() =>
            runReportingErrors(async () => onModels(await invoke('speakers.chooseFolder', undefined)))
          }
        >
          {t('models.chooseFolder')}
        </Button>
      </div>
    </>
  );
}

export interface DownloadModelsProps extends SpeakerModelsProps {
  readonly variant?: ButtonVariant;
}

/** The button that starts or resumes the download of the models. */
export function DownloadModels({ models, onModels, variant = 'main' }: DownloadModelsProps) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const format = useFormat();
  const runTask = useRunTask();
  const total = models.parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const download = async (): Promise<void> => {
    const title = t('transcript.identify.downloading');
    onModels(await runTask({ title }, (task) => invoke('speakers.download', { task })));
  };
  return (
    <Button variant={variant} onClick={() => runReportingErrors(download)}>
      {models.keptBytes > 0
        ? t('models.resumeDownload')
        : t('models.download', { size: format.bytes(total) })}
    </Button>
  );
}
