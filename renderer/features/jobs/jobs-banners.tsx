import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VanishedJob } from '../../../electron/contract/service-job-commands.ts';
import { attempt } from '../../notices.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGoTo, useStore, useWindow } from '../../use-store.ts';

/**
 * Reports our jobs that disappeared from the service and, after data loss, the jobs that can be imported again.
 */
export function JobsBanners() {
  return (
    <>
      <MissingInLibrary />
      <Vanished kind="queued" />
      <Vanished kind="here" />
    </>
  );
}

/** Shown only after a damaged database; otherwise the library mentions it. */
function MissingInLibrary() {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const jobs = useWindow((state) => state.jobs);
  const isThere = useWindow((state) => state.route.screen === 'jobs');
  const [read, setRead] = useState(false);
  const count = (kind: 'finished' | 'active'): number =>
    jobs.records.filter(({ relation, followed }) => relation.kind === kind && !followed).length;
  const words = (['finished', 'active'] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => t(`jobs.news.${kind}`, { count: count(kind) }));
  if (!jobs.recoveredFromBackup || isThere || read || words.length === 0) return null;

  return (
    <Banner
      tone="warn"
      actions={
        <>
          <Button onClick={() => setRead(true)}>{t('action.dismiss')}</Button>
          <Button onClick={() => goTo({ screen: 'jobs' })}>{t('jobs.news.show')}</Button>
        </>
      }
    >
      {words.join(' ')}
    </Banner>
  );
}

const wordsOf = { here: 'jobs.news.vanishedHere', queued: 'jobs.news.vanishedQueued' } as const;

function Vanished({ kind }: { readonly kind: VanishedJob['relation']['kind'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const store = useStore();
  const vanished = useWindow((state) => state.jobs.vanished);
  const those = vanished.filter(({ relation }) => relation.kind === kind);
  if (those.length === 0) return null;

  const dismiss = async (): Promise<void> => {
    store.change({
      jobs: await store.ask('jobs.dismissVanished', { jobIds: those.map(({ jobId }) => jobId) }),
    });
  };
  return (
    <Banner tone="calm" actions={<Button onClick={() => attempt(dismiss)}>{t('action.dismiss')}</Button>}>
      {t(wordsOf[kind], { count: those.length, names: format.list(those.map(({ name }) => name)) })}
    </Banner>
  );
}
