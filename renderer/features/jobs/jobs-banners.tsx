import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobsView, VanishedJob } from '../../../electron/contract/service-job-commands.ts';
import { runReportingErrors } from '../../notices.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGoTo, useStore, useWindowState } from '../../use-store.ts';
import { useServiceSubject } from '../../ui/text/use-service-name.ts';
import { useJobViews } from '../../use-job-views.ts';

/**
 * Reports jobs of this program that disappeared from the service and, after data loss, jobs that can be imported again.
 */
export function JobsBanners() {
  return (
    <>
      <MissingInLibrary />
      <VanishedJobs kind="queued" />
      <VanishedJobs kind="in-library" />
    </>
  );
}

type MissingKind = 'finished' | 'active';

/** Returns how many jobs of a kind are neither in the library or queue nor followed. */
const countOf = ({ records }: JobsView, kind: MissingKind): number =>
  records.filter(({ relation, followed }) => relation.kind === kind && !followed).length;

/**
 * Says how many jobs are missing from the library and the queue. Shown only after the database was recovered from a
 * backup; otherwise the library's link to the jobs says it.
 */
function MissingInLibrary() {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const nameOf = useServiceSubject();
  const views = useJobViews();
  const isOnJobsScreen = useWindowState((state) => state.route.screen === 'jobs');
  const [isDismissed, setDismissed] = useState(false);
  const sentences = (['finished', 'active'] as const).flatMap((kind) =>
    views
      .filter((view) => countOf(view, kind) > 0)
      .map((view) => t(`jobs.news.${kind}`, { service: nameOf(view.service), count: countOf(view, kind) })),
  );
  const isRecovered = views.some(({ recoveredFromBackup }) => recoveredFromBackup);
  if (!isRecovered || isOnJobsScreen || isDismissed || sentences.length === 0) return null;
  const firstMissing = views.find((view) => countOf(view, 'finished') + countOf(view, 'active') > 0);

  return (
    <Banner
      tone="warn"
      actions={
        <>
          <Button onClick={() => setDismissed(true)}>{t('action.dismiss')}</Button>
          <Button
            onClick={() => goTo({ screen: 'jobs', ...(firstMissing && { service: firstMissing.service }) })}
          >
            {t('jobs.news.show')}
          </Button>
        </>
      }
    >
      {sentences.join(' ')}
    </Banner>
  );
}

const messageKeys = {
  'in-library': 'jobs.news.vanishedInLibrary',
  queued: 'jobs.news.vanishedQueued',
} as const;

/** Says which jobs of a kind have vanished from each service, including an account that was removed. */
function VanishedJobs({ kind }: { readonly kind: VanishedJob['relation']['kind'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const store = useStore();
  const nameOf = useServiceSubject();
  const views = useWindowState((state) => state.jobs);
  const dismiss = async (jobs: readonly VanishedJob[]): Promise<void> => {
    store.change({
      jobs: await store.invoke('jobs.dismissVanished', { jobIds: jobs.map(({ jobId }) => jobId) }),
    });
  };
  return views.map(({ service, vanished }) => {
    const jobs = vanished.filter(({ relation }) => relation.kind === kind);
    if (jobs.length === 0) return null;
    const names = format.list(jobs.map(({ name }) => name));
    return (
      <Banner
        key={service}
        tone="calm"
        actions={
          <Button onClick={() => runReportingErrors(() => dismiss(jobs))}>{t('action.dismiss')}</Button>
        }
      >
        {t(messageKeys[kind], { service: nameOf(service), count: jobs.length, names })}
      </Banner>
    );
  });
}
