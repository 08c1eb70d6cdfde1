import { useTranslation } from 'react-i18next';
import type { SpeakerOption } from '../../../electron/contract/options.ts';
import { Select } from '../../ui/form/select.tsx';

/** Numbers of speakers that are offered; others can be given for a single transcript. */
const offeredCounts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

export interface SpeakersSelectProps {
  /** `null` when the selected recordings have different values. */
  readonly value: SpeakerOption | null;
  readonly onChange: (value: SpeakerOption) => void;
}

/** Chooses whether speakers are identified after a transcription, and how many there are. */
export function SpeakersSelect({ value, onChange }: SpeakersSelectProps) {
  const { t } = useTranslation();
  const counts =
    typeof value === 'number' && !offeredCounts.includes(value) ? [...offeredCounts, value] : offeredCounts;
  const options = [
    ...(value === null ? [{ value: '', label: t('addSheet.differs') }] : []),
    { value: 'off', label: t('options.speakers.off') },
    { value: 'automatic', label: t('options.speakers.automatic') },
    ...counts.map((count) => ({ value: String(count), label: t('options.speakers.count', { count }) })),
  ];
  return (
    <Select
      label={t('options.speakers.label')}
      value={String(value ?? '')}
      options={options}
      onChange={(chosen) => {
        if (chosen === 'off' || chosen === 'automatic') onChange(chosen);
        else if (chosen !== '') onChange(Number(chosen));
      }}
    />
  );
}
