import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobOptions } from '../../../electron/contract/options.ts';
import type { SpeakerModelsView } from '../../../electron/contract/speakers.ts';
import { attempt } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { DownloadModels, ModelParts, ReadyModels } from '../speakers/speaker-models.tsx';
import { SpeakersSelect } from '../speakers/speakers-select.tsx';
import { Section, Setting } from './section.tsx';
import { useChangeSettings } from './use-change-settings.ts';

/** Whether speakers are identified in new transcripts, and the models for that. */
export function SpeakersSection({ options }: { readonly options: JobOptions }) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const change = useChangeSettings();
  const [models, setModels] = useState<SpeakerModelsView | null>(null);
  useEffect(() => attempt(async () => setModels(await ask('speakers.models', undefined))), [ask]);
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
              <ModelParts models={models} onModels={setModels} />
              <div>
                <DownloadModels models={models} onModels={setModels} />
              </div>
            </>
          )}
        </Setting>
      )}
    </Section>
  );
}
