import { useTranslation } from 'react-i18next';
import type { Settings } from '../../../electron/contract/settings.ts';
import { uploadLimits } from '../../../electron/contract/limits.ts';
import { Segmented } from '../../ui/form/choice.tsx';
import { useFormat } from '../../ui/words/use-format.ts';
import { LimitField } from './limit-field.tsx';
import { Section, Setting } from './section.tsx';
import { useChangeSettings } from './use-change-settings.ts';

const parallel = ['1', '2', '3', '4'] as const;

/** How much of the line uploads take. */
export function SendingSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const format = useFormat();
  const change = useChangeSettings();
  const { parallelUploads, uploadLimit } = settings;
  return (
    <Section title={t('settings.sending')} note={t('settings.sendingNote')}>
      <Setting label={t('settings.parallel')} note={t('settings.parallelNote')}>
        <Segmented
          label={t('settings.parallel')}
          name="parallel"
          value={parallel[parallelUploads - 1] ?? '1'}
          options={parallel.map((value) => ({ value, label: format.number(Number(value)) }))}
          onChange={(value) => change({ parallelUploads: Number(value) })}
        />
      </Setting>
      <LimitField
        limit={uploadLimit}
        min={uploadLimits.min}
        max={uploadLimits.max}
        onChange={(limit) => change({ uploadLimit: limit })}
      />
    </Section>
  );
}
