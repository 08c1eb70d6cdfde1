import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobsView, VanishedJob } from '../../../electron/contract/service-job-commands.ts';
import { attempt } from '../../notices.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGoTo, useStore, useWindow } from '../../use-store.ts';
import { useJobViews } from '../../use-job-views.ts';

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

type Missing = 'finished' | 'active';

/** Returns how many jobs of a kind are neither in the library or queue nor followed. */
const countOf = ({ records }: JobsView, kind: Missing): number =>
  records.filter(({ relation, followed }) => relation.kind === kind && !followed).length;

/** Shown only after the database was recovered from a backup; otherwise the library mentions the jobs. */
function MissingInLibrary() {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const views = useJobViews();
  const isOnJobsScreen = useWindow((state) => state.route.screen === 'jobs');
  const [isDismissed, setDismissed] = useState(false);
  const total = (kind: Missing): number => views.reduce((sum, view) => sum + countOf(view, kind), 0);
  const sentences = (['finished', 'active'] as const)
    .filter((kind) => total(kind) > 0)
    .map((kind) => t(`jobs.news.${kind}`, { count: total(kind) }));
  const isRecovered = views.some(({ recoveredFromBackup }) => recoveredFromBackup);
  if (!isRecovered || isOnJobsScreen || isDismissed || sentences.length === 0) return null;
  const shown = views.find((view) => countOf(view, 'finished') + countOf(view, 'active') > 0);

  return (
    <Banner
      tone="warn"
      actions={
        <>
          <Button onClick={() => setDismissed(true)}>{t('action.dismiss')}</Button>
          <Button onClick={() => goTo({ screen: 'jobs', ...(shown && { service: shown.service }) })}>
            {t('jobs.news.show')}
          </Button>
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
  // Also those of an account that was removed.
  const views = useWindow((state) => state.jobs);
  const ofKind = views.flatMap(({ vanished }) => vanished.filter(({ relation }) => relation.kind === kind));
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
