import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FailedSpeakers } from '../../../electron/contract/speakers.ts';
import { actionNoticeMs, notices, withdrawNotice } from '../../notices.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import entries from '../../ui/list/entry-list.module.css';
import { problemText } from '../../ui/text/problem-text.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGoTo, useSend, useWindowState } from '../../use-store.ts';
import { useBackgroundTask } from '../tasks/background-tasks.tsx';
import { ProgressDialog } from '../../ui/dialog/progress-dialog.tsx';
import styles from './speaker-models.module.css';

/** Shows in the sidebar that speakers are being identified, and says where that failed. */
export function SpeakerQueueStatus() {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const { current, waiting } = useWindowState((state) => state.speakers);
  const [isOpen, setIsOpen] = useState(false);
  const title = t('transcript.identify.running');
  const seconds = current?.seconds ?? 0;
  const progress = current === null || seconds === 0 ? 0 : Math.min(1, current.secondsDone / seconds);
  useBackgroundTask(current === null ? null : { title, progress, onShow: () => setIsOpen(true) });
  return (
    <>
      <MissingModelsNotice />
      <PostponedBanner />
      <FailedSpeakersBanner />
      <ProgressDialog
        open={isOpen && current !== null}
        onClose={() => setIsOpen(false)}
        title={title}
        onStop={() => send('speakers.cancelAll', undefined)}
      >
        {current !== null && (
          <div className={styles.running}>
            <p>
              <bdi>{current.name}</bdi>
            </p>
            <ProgressBar thick label={current.name} value={progress} />
            <p className={entries.quiet}>
              {[
                seconds > 0 &&
                  t('task.audio', {
                    done: format.duration(current.secondsDone),
                    total: format.duration(seconds),
                  }),
                waiting > 0 && t('speakerQueue.waiting', { count: waiting }),
              ]
                .filter((part) => part !== false)
                .join(' · ')}
            </p>
          </div>
        )}
      </ProgressDialog>
    </>
  );
}

/** Shows one notice for all waiting transcripts until the models are installed; their speakers are identified then. */
function MissingModelsNotice() {
  const { t } = useTranslation();
  const goTo = useGoTo();
  const isMissing = useWindowState(
    ({ speakers }) => speakers.failed !== null && needsModels(speakers.failed),
  );
  useEffect(() => {
    if (!isMissing) return undefined;
    const recentKey = 'speaker-models';
    const action = {
      label: t('speakerQueue.settings'),
      run: () => goTo({ screen: 'settings' }),
      recentKey,
      isRepeatable: true,
    };
    notices.add({
      title: t('speakerQueue.noModels'),
      description: t('speakerQueue.noModelsNote'),
      type: 'problem',
      timeout: actionNoticeMs,
      data: { actions: [action] },
    });
    return () => withdrawNotice(recentKey);
  }, [isMissing, t, goTo]);
  return null;
}

const needsModels = ({ problem }: FailedSpeakers): boolean => problem.code === 'speaker_models_missing';

/** Whether a transcript is open, which a banner would shift while the user reads or types. */
const useIsReading = (): boolean =>
  useWindowState(({ route }) => route.screen === 'transcript' || route.screen === 'live');

/** Says why the speakers of all transcripts wait. */
function PostponedBanner() {
  const { t } = useTranslation();
  const send = useSend();
  const { postponedBy, waiting } = useWindowState((state) => state.speakers);
  if (useIsReading() || postponedBy === null || waiting === 0) return null;
  return (
    <Banner
      tone="warn"
      title={t('speakerQueue.postponed', { count: waiting })}
      actions={<Button onClick={() => send('speakers.cancelAll', undefined)}>{t('action.cancel')}</Button>}
    >
      {problemText(t, postponedBy)}
    </Banner>
  );
}

/** Says where identifying speakers failed. */
function FailedSpeakersBanner() {
  const { t } = useTranslation();
  const send = useSend();
  const failed = useWindowState((state) => state.speakers.failed);
  const isReading = useIsReading();
  if (failed === null || isReading || needsModels(failed)) return null;
  const { count, name, problem } = failed;
  return (
    <Banner
      tone="warn"
      title={t('speakerQueue.failed', { count, name })}
      actions={
        <>
          <Button onClick={() => send('speakers.dismissFailed', undefined)}>{t('action.dismiss')}</Button>
          <Button onClick={() => send('speakers.retryFailed', undefined)}>{t('action.tryAgain')}</Button>
        </>
      }
    >
      {problemText(t, problem)}
    </Banner>
  );
}
