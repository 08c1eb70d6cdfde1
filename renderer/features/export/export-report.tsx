import { useTranslation } from 'react-i18next';
import type { ExportReport } from '../../../electron/contract/export.ts';
import { ScrollGroup } from '../../ui/screen/scroll-group.tsx';
import { RejectionList } from '../../ui/feedback/rejections-dialog.tsx';
import styles from './export-form.module.css';

/** What was not saved and why, then what was. */
export function ReportList({ report }: { readonly report: ExportReport }) {
  const { t } = useTranslation();
  const { count, written, skippedCount, skipped, failed } = report;
  return (
    <ScrollGroup className={styles.report} label={t('action.details')}>
      {failed.length > 0 && (
        <section>
          <h3 className={styles.heading}>{t('export.failed', { count: failed.length })}</h3>
          <RejectionList entries={failed} />
        </section>
      )}
      {skipped.length > 0 && (
        <NameList title={t('export.skipped', { count: skippedCount })} names={skipped} of={skippedCount} />
      )}
      {written.length > 0 && <NameList title={t('export.written')} names={written} of={count} />}
    </ScrollGroup>
  );
}

/** The first names of so many, and how many more there are. */
function NameList(props: { readonly title: string; readonly names: readonly string[]; readonly of: number }) {
  const { t } = useTranslation();
  const { title, names, of } = props;
  return (
    <section>
      <h3 className={styles.heading}>{title}</h3>
      <ul>
        {keyed(names).map(({ key, name }) => (
          <li key={key}>
            <bdi className={styles.example}>{name}</bdi>
          </li>
        ))}
      </ul>
      {of > names.length && <p className={styles.quiet}>{t('export.more', { count: of - names.length })}</p>}
    </section>
  );
}

/** Names next to different recordings may be the same. */
const keyed = (names: readonly string[]) => names.map((name, index) => ({ key: `${index} ${name}`, name }));
