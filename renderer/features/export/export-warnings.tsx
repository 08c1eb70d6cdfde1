import { useTranslation } from 'react-i18next';
import type { ExportPreview } from '../../../electron/contract/export.ts';
import styles from './export-warnings.module.css';

export interface ExportWarningsProps {
  /** `null` until the first answer. */
  readonly preview: ExportPreview | null;
}

/** What the user should know before saving. It is beside the buttons, where it is seen however far the form scrolled. */
export function ExportWarnings({ preview }: ExportWarningsProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.warnings} role="status">
      {preview !== null && preview.estimated > 0 && (
        <p className={styles.warn}>{t('export.estimated', { count: preview.estimated })}</p>
      )}
    </div>
  );
}
