import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VanishedJob } from '../../../electron/contract/service-job-commands.ts';
import { attempt } from '../../notices.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGoTo, useStore, useWindow } from '../../use-store.ts';

/**
 * Reports jobs of this program that disappeared from the service and, after data loss, jobs that can be imported again.
 */
export function JobsBanners() {
  return (
    <>
      <MissingInLibrary />
      <VanishedJobs kind="queued" />
      <VanishedJobs kind="here" />
    </>
  );
}

/** Shown only after the database was recovered from a backup; otherwise the library mentions the jobs. */
function MissingInLibrary() {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const jobs = useWindow((state) => state.jobs);
  const isOnJobsScreen = useWindow((state) => state.route.screen === 'jobs');
  const [isDismissed, setDismissed] = useState(false);
  const count = (kind: 'finished' | 'active'): number =>
    jobs.records.filter(({ relation, followed }) => relation.kind === kind && !followed).length;
  const sentences = (['finished', 'active'] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => t(`jobs.news.${kind}`, { count: count(kind) }));
  if (!jobs.recoveredFromBackup || isOnJobsScreen || isDismissed || sentences.length === 0) return null;

  return (
    <Banner
      tone="warn"
      actions={
        <>
          <Button onClick={() => setDismissed(true)}>{t('action.dismiss')}</Button>
          <Button onClick={() => goTo({ screen: 'jobs' })}>{t('jobs.news.show')}</Button>
        </>
      }
    >
      {sentences.join(' ')}
    </Banner>
  );
}

const messageKeys = { here: 'jobs.news.vanishedHere', queued: 'jobs.news.vanishedQueued' } as const;

function VanishedJobs({ kind }: { readonly kind: VanishedJob['relation']['kind'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const store = useStore();
  const vanished = useWindow((state) => state.jobs.vanished);
  const ofKind = vanished.filter(({ relation }) => relation.kind === kind);
  if (ofKind.length === 0) return null;

  const dismiss = async (): Promise<void> => {
    store.change({
      jobs: await store.ask('jobs.dismissVanished', { jobIds: ofKind.map(({ jobId }) => jobId) }),
    });
  };
  return (
    <Banner tone="calm" actions={<Button onClick={() => attempt(dismiss)}>{t('action.dismiss')}</Button>}>
      {t(messageKeys[kind], { count: ofKind.length, names: format.list(ofKind.map(({ name }) => name)) })}
    </Banner>
  );
}
