import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../../electron/contract/identifiers.ts';
import { notify } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';
import { useRunTask } from '../../tasks/running-tasks.tsx';
import { notifyWithSessionAction } from '../editing/notify-edit.ts';
import { useWorkspace } from '../workspace.ts';

/** Transcripts whose speakers are being identified. */
const identifying = new Set<TranscriptId>();

/** Whether the speakers of a transcript are being identified: the change is then not reported as made elsewhere. */
export const isIdentifying = (id: TranscriptId): boolean => identifying.has(id);

/**
 * Returns the function that identifies the speakers of the open transcript; it continues when the transcript is closed.
 *
 * @param onRetryWithCount called when the user wants another number of speakers
 */
export function useIdentifySpeakers(onRetryWithCount: () => void): (count: number | null) => Promise<void> {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const runTask = useRunTask();
  const { session } = useWorkspace();
  return async (count) => {
    const { id } = session;
    await session.waitUntilSent();
    identifying.add(id);
    try {
      const title = t('transcript.identify.running');
      const report = await runTask({ title }, (task) => invoke('speakers.identify', { id, task, count }));
      if (report === null) return;
      // The report may arrive before the event of the change, which must not be reported as one made elsewhere.
      if (report.changed) session.pullChanges();
      await session.waitUntilSent();
      const resultText = t('transcript.identify.found', { count: report.speakers });
      if (!report.changed) return notify(resultText, t('transcript.identify.unchanged'));
      notifyWithSessionAction(session, resultText, t('transcript.identify.undoHint'), {
        label: t('transcript.identify.again'),
        run: onRetryWithCount,
      });
    } finally {
      identifying.delete(id);
    }
  };
}
