import { useTranslation } from 'react-i18next';
import { collisionPolicies, type CollisionPolicy } from '../../../electron/contract/choices.ts';
import type { ExportChoices, ExportPreview } from '../../../electron/contract/export.ts';
import { SegmentedControl } from '../../ui/form/choice.tsx';
import styles from './export-warnings.module.css';

export interface ExportWarningsProps {
  readonly preview: ExportPreview;
  readonly where: ExportChoices['where'];
  /** What to do with existing files. */
  readonly existing: CollisionPolicy;
  readonly onExisting: (existing: CollisionPolicy) => void;
}

/**
 * What the user should know before saving, and how name conflicts are resolved. Placed beside the buttons, so that it stays
 * visible in a small window and while the form scrolls.
 */
export function ExportWarnings({ preview, where, existing, onExisting }: ExportWarningsProps) {
  const { t } = useTranslation();
  const withoutRecording = where === 'beside' ? preview.withoutRecording : 0;
  return (
    <div className={styles.warnings}>
      {preview.withoutHighlights > 0 && (
        <p>{t('export.withoutHighlights', { count: preview.withoutHighlights })}</p>
      )}
      {preview.estimated > 0 && <p>{t('export.estimated', { count: preview.estimated })}</p>}
      {withoutRecording > 0 && <p>{t('export.withoutRecording', { count: withoutRecording })}</p>}
      {preview.existing > 0 && (
        <div className={styles.existing}>
          <span>{t('export.existing', { count: preview.existing })}</span>
          <SegmentedControl
            label={t('export.existing', { count: preview.existing })}
            name="export-existing"
            value={existing}
            options={collisionPolicies.map((value) => ({ value, label: t(`export.existingFiles.${value}`) }))}
            onChange={onExisting}
          />
        </div>
      )}
    </div>
  );
}
