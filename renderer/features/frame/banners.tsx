import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore, useWindowState } from '../../use-store.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { problemText } from '../../ui/text/problem-text.ts';
import { runReportingErrors, notify } from '../../notices.ts';

/** Shows problems found at the start of the program until the user dismisses them. */
export function StartProblems() {
  const { t } = useTranslation();
  const problems = useWindowState((state) => state.app.startProblems);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());

  return problems
    .filter(({ code }) => !dismissed.has(code))
    .map((problem) => (
      <Banner
        key={problem.code}
        tone="warn"
        actions={
          <Button onClick={() => setDismissed(new Set([...dismissed, problem.code]))}>
            {t('action.dismiss')}
          </Button>
        }
      >
        {problemText(t, problem)}
      </Banner>
    ));
}

/** Shows which auto exports failed, until they are saved or dismissed. */
export function FailedAutoExportsBanner() {
  const { t } = useTranslation();
  const store = useStore();
  const failed = useWindowState((state) => state.failedAutoExports);
  if (failed === null) return null;

  const { count, folder, problem } = failed;
  const save = (command: 'autoExports.retry' | 'autoExports.retryInFolder'): void =>
    runReportingErrors(async () => {
      const remaining = await store.invoke(command, undefined);
      store.change({ failedAutoExports: remaining });
      if (remaining === null) notify(t('export.saved', { count }));
    });
  const dismiss = async (): Promise<void> => {
    store.change({ failedAutoExports: await store.invoke('autoExports.dismiss', undefined) });
  };
  const reason = problem.code === 'export_failed' ? t('autoExports.reason') : problemText(t, problem);

  return (
    <Banner
      tone="warn"
      title={
        folder === null ? t('autoExports.failed', { count }) : t('autoExports.failedIn', { count, folder })
      }
      actions={
        <>
          <Button onClick={() => runReportingErrors(dismiss)}>{t('action.dismiss')}</Button>
          <Button onClick={() => save('autoExports.retryInFolder')}>{t('autoExports.retryInFolder')}</Button>
          <Button onClick={() => save('autoExports.retry')}>{t('action.tryAgain')}</Button>
        </>
      }
    >
      {`${reason} ${t('autoExports.kept')}`}
    </Banner>
  );
}
