import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { Icon } from '../../ui/icon.tsx';
import { problemText } from '../../ui/text/problem-text.ts';
import { Select } from '../../ui/form/select.tsx';
import { ScreenFooter } from '../../ui/screen/screen-footer.tsx';
import { ScreenHeader } from '../../ui/screen/screen-header.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGoTo } from '../../use-store.ts';
import { useServiceName, useServiceSubject } from '../../ui/text/use-service-name.ts';
import { JobsList } from './jobs-list.tsx';
import { useJobViews } from '../../use-job-views.ts';
import { useJobs } from './use-jobs.ts';

export interface JobsScreenProps {
  /** The service that is shown first; if absent, the default service. */
  readonly initialService: ServiceAddress | undefined;
}

/** The jobs on a service, to import, follow or delete; with several services, a choice of one. */
export function JobsScreen({ initialService }: JobsScreenProps) {
  const { t } = useTranslation();
  const nameOf = useServiceName();
  const format = useFormat();
  const goTo = useGoTo();
  const views = useJobViews();
  const [chosenService, setChosenService] = useState(initialService);
  const view = views.find(({ service: address }) => address === chosenService) ?? views[0];
  const { problem, activity, refresh, importAll, perform, deleteJob } = useJobs(view.service);
  const { records, fetchedAt, isComplete } = view;
  const service = useServiceSubject()(view.service);
  const missing = records.filter(({ relation }) => relation.kind === 'finished');

  const subtitle =
    activity === 'refreshing'
      ? t('jobs.asking', { service })
      : fetchedAt === null
        ? t('jobs.notAsked', { service })
        : t(isComplete ? 'jobs.sub' : 'jobs.subLatest', { service, time: format.time(fetchedAt) });
  return (
    <>
      <ScreenHeader
        back={
          <Button variant="plain" onClick={() => goTo({ screen: 'library' })}>
            <Icon name="back" />
            {t('jobs.back')}
          </Button>
        }
        title={t('jobs.title')}
        subtitle={<span role="status">{activity === 'importing' ? t('jobs.importing') : subtitle}</span>}
        actions={
          <>
            {views.length > 1 && (
              <Select
                compact
                label={t('settings.service')}
                value={view.service}
                options={views.map(({ service: address }) => ({ value: address, label: nameOf(address) }))}
                onChange={setChosenService}
              />
            )}
            <Button onClick={refresh} disabled={activity !== null}>
              {t('jobs.askAgain')}
            </Button>
            {missing.length > 0 && (
              <Button variant="main" onClick={() => importAll(missing)} disabled={activity !== null}>
                {t('jobs.importAll', { count: missing.length })}
              </Button>
            )}
          </>
        }
      />
      {problem !== null && (
        <Banner tone="warn" title={t('jobs.failedTitle')}>
          {problemText(t, problem)}
        </Banner>
      )}
      {records.length > 0 ? (
        <JobsList
          key={view.service}
          service={view.service}
          records={records}
          onAction={perform}
          onDelete={deleteJob}
        />
      ) : (
        fetchedAt !== null && <Empty title={t('jobs.emptyTitle')} note={t('jobs.emptyNote')} />
      )}
      {records.length > 0 && <ScreenFooter>{t('jobs.hint')}</ScreenFooter>}
    </>
  );
}
