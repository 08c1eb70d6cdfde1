import { useTranslation } from 'react-i18next';
import { useWindowState } from '../../use-store.ts';
import entries from '../../ui/list/entry-list.module.css';
import { ModelEntry } from './model-entry.tsx';
import { Section } from './section.tsx';

/** The speech models of this computer: one per accuracy, with its source and speed. */
export function ModelsSection() {
  const { t } = useTranslation();
  const models = useWindowState((state) => state.models);
  return (
    <Section title={t('models.title')} note={t('models.note')}>
      <ul className={entries.list}>
        {models.map((model) => (
          <ModelEntry key={model.accuracy} model={model} />
        ))}
      </ul>
    </Section>
  );
}
