import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SpeakerOption } from '../../../electron/contract/options.ts';
import type { SpeakerModelsView } from '../../../electron/contract/speakers.ts';
import { runReportingErrors } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { DownloadModels } from './speaker-models.tsx';
import styles from './speaker-models.module.css';

/** Says that speakers cannot be identified without the models, and downloads them. Hidden unless speakers are wanted. */
export function SpeakerModelsNote({ speakers }: { readonly speakers: SpeakerOption | undefined }) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const [models, setModels] = useState<SpeakerModelsView | null>(null);
  const identifiesSpeakers = speakers !== undefined && speakers !== 'off';
  useEffect(() => {
    if (identifiesSpeakers)
      runReportingErrors(async () => setModels(await invoke('speakers.models', undefined)));
  }, [invoke, identifiesSpeakers]);
  if (!identifiesSpeakers || models === null || models.isReady) return null;
  return (
    <p className={styles.note} role="status">
      {t('options.speakers.noModels')} <DownloadModels models={models} onModels={setModels} variant="plain" />
    </p>
  );
}
