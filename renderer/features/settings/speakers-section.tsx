import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobOptions } from '../../../electron/contract/options.ts';
import type { RememberedVoice, SpeakerModelsView } from '../../../electron/contract/speakers.ts';
import { runReportingErrors, notify } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import entries from '../../ui/list/entry-list.module.css';
import { useFormat } from '../../ui/text/use-format.ts';
import { useStore } from '../../use-store.ts';
import { DownloadModels, ModelList, ReadyModels } from '../speakers/speaker-models.tsx';
import { SpeakersSelect } from '../speakers/speakers-select.tsx';
import { Section, Setting } from './section.tsx';
import { useChangeSettings } from './use-change-settings.ts';

/** Whether speakers are identified in new transcripts, and the models for that. */
export function SpeakersSection({ options }: { readonly options: JobOptions }) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const change = useChangeSettings();
  const [models, setModels] = useState<SpeakerModelsView | null>(null);
  useEffect(
    () => runReportingErrors(async () => setModels(await invoke('speakers.models', undefined))),
    [invoke],
  );
  return (
    <Section title={t('settings.speakers')} note={t('settings.speakersNote')}>
      <SpeakersSelect
        value={options.speakers}
        onChange={(speakers) => change({ options: { ...options, speakers } })}
      />
      {models !== null && (
        <Setting label={t('settings.speakerModels')}>
          {models.isReady ? (
            <ReadyModels models={models} onModels={setModels} />
          ) : (
            <>
              <ModelList models={models} onModels={setModels} />
              <div>
                <DownloadModels models={models} onModels={setModels} />
              </div>
            </>
          )}
        </Setting>
      )}
      <VoicesSetting />
    </Section>
  );
}

/** Lists the remembered voices; each can be forgotten. */
function VoicesSetting() {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const format = useFormat();
  const [voices, setVoices] = useState<readonly RememberedVoice[]>([]);
  useEffect(
    () => runReportingErrors(async () => setVoices(await invoke('speakers.voices', undefined))),
    [invoke],
  );
  const forget = async (name: string): Promise<void> => {
    setVoices(await invoke('speakers.forgetVoice', { name }));
    notify(t('settings.voiceForgotten', { name }));
  };
  return (
    <Setting label={t('settings.voices')} note={t('settings.voicesNote')}>
      {voices.length === 0 ? (
        <p className={entries.quiet}>{t('settings.noVoices')}</p>
      ) : (
        <ul className={entries.list} aria-label={t('settings.voices')}>
          {voices.map(({ name, rememberedAt }) => (
            <li key={name} className={entries.entry}>
              <p>
                <bdi className={entries.name}>{name}</bdi>{' '}
                <span className={entries.quiet}>{format.date(rememberedAt)}</span>{' '}
                <Button
                  variant="plain"
                  aria-label={t('settings.actionOn', { action: t('settings.forgetVoice'), name })}
                  onClick={() => runReportingErrors(() => forget(name))}
                >
                  {t('settings.forgetVoice')}
                </Button>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Setting>
  );
}
