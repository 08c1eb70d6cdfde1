import { useCachedTexts } from '../text/use-cached-texts.ts';
import styles from './placeholder-cells.module.css';

/** The cells of a row that is not loaded yet. */
export function PlaceholderCells() {
  const t = useCachedTexts();
  return (
    <div role="gridcell" className={styles.placeholder}>
      <span className="visually-hidden">{t('list.loadingRow')}</span>
    </div>
  );
}
