import { useTranslation } from 'react-i18next';
import type { ExportReport } from '../../../electron/contract/model/export.ts';
import { ScrollGroup } from '../../ui/scroll-group.tsx';
import { LeftOutList } from '../add/left-out-dialog.tsx';
import styles from './export-form.module.css';

/** What was not saved and why, then what was. */
export function ReportList({ report }: { readonly report: ExportReport }) {
  const { t } = useTranslation();
  const { count, written, skipped, failed } = report;
  return (
    <ScrollGroup className={styles.report} label={t('action.details')}>
      {failed.length > 0 && (
        <section>
          <h3 className={styles.heading}>{t('export.failed', { count: failed.length })}</h3>
          <LeftOutList entries={failed} />
        </section>
      )}
      {skipped.length > 0 && (
        <NameList title={t('export.skipped', { count: skipped.length })} names={skipped} />
      )}
      {written.length > 0 && (
        <NameList
          title={t('export.written')}
          names={written}
          more={count > written.length ? t('export.more', { count: count - written.length }) : null}
        />
      )}
    </ScrollGroup>
  );
}

function NameList(props: {
  readonly title: string;
  readonly names: readonly string[];
  readonly more?: string | null;
}) {
  const { title, names, more = null } = props;
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
      {more !== null && <p className={styles.quiet}>{more}</p>}
    </section>
  );
}

/** Names next to different recordings may be the same. */
const keyed = (names: readonly string[]) => names.map((name, index) => ({ key: `${index} ${name}`, name }));
