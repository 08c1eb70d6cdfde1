import { useTranslation } from 'react-i18next';
import { attempt } from '../../notices.ts';
import { Button } from '../../ui/actions/button.tsx';
import { RadioList } from '../../ui/form/choice.tsx';
import { useStore } from '../../use-store.ts';
import type { ExportFormProps } from './export-form-props.ts';
import styles from './export-form.module.css';
import { FormSection } from './form-section.tsx';

type PlaceSectionProps = Pick<ExportFormProps, 'choices' | 'folder' | 'preview' | 'onChoices'>;

/** Where the files go: next to their recordings, or into one folder. */
export function PlaceSection({ choices, folder, preview, onChoices }: PlaceSectionProps) {
  const { t } = useTranslation();
  const { ask } = useStore();
  const placeless = choices.where === 'beside' ? (preview?.withoutRecording ?? 0) : 0;
  const chooseFolder = (): void =>
    attempt(async () => {
      const chosen = await ask('export.chooseFolder', undefined);
      if (chosen.folder !== null) onChoices({ where: 'folder' });
    });

  return (
    <FormSection title={t('export.place')}>
      <RadioList
        label={t('export.place')}
        name="export-place"
        value={choices.where}
        options={[
          { value: 'beside', label: t('export.beside') },
          {
            value: 'folder',
            label: t('export.folder'),
            note: folder ?? t('export.noFolder'),
          },
        ]}
        onChange={(where) => {
          if (where === 'folder' && folder === null) chooseFolder();
          else onChoices({ where });
        }}
      />
      {choices.where === 'folder' && (
        <Button className={styles.own} onClick={chooseFolder}>
          {t('export.chooseFolder')}
        </Button>
      )}
      {placeless > 0 && <p className={styles.warn}>{t('export.placeless', { count: placeless })}</p>}
    </FormSection>
  );
}
