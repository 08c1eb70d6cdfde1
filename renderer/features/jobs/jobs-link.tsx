import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/actions/button.tsx';
import { useGoTo, useWindow } from '../../use-store.ts';

/** Leads from the library to what the service holds, and says how much of it is not here. */
export function JobsLink() {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const missing = useWindow(
    ({ jobs }) => jobs.records.filter(({ standing }) => standing.kind === 'finished').length,
  );
  return (
    <Button look="plain" onClick={() => goTo({ screen: 'jobs' })}>
      {missing === 0 ? t('jobs.link') : t('jobs.linkNew', { count: missing })}
    </Button>
  );
}
