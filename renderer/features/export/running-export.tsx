import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExportProgress } from '../../../electron/contract/export.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { useStore } from '../../use-store.ts';
import styles from './export-form.module.css';

/** How far an export has come. */
export function RunningExport({ total }: { readonly total: number }) {
  const { t } = useTranslation();
  const { bridge } = useStore();
  const [progress, setProgress] = useState<ExportProgress>({ done: 0, total });
  useEffect(() => bridge.on('export.progress', setProgress), [bridge]);
  return (
    <div className={styles.running}>
      <ProgressBar
        thick
        label={t('export.running')}
        share={progress.total === 0 ? 0 : progress.done / progress.total}
      />
      <p className={styles.quiet}>{t('export.progress', { done: progress.done, count: progress.total })}</p>
    </div>
  );
}
