import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LibraryTaskProgress, TaskId } from '../../../electron/contract/library-task.ts';
import type { DialogProps } from '../../ui/dialog/dialog.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useDelayed } from '../../ui/time/timers.ts';
import { useSend, useStore } from '../../use-store.ts';
import { useBackgroundTask } from './background-tasks.tsx';
import { ProgressDialog } from '../../ui/dialog/progress-dialog.tsx';
import styles from './task-dialog.module.css';

export interface TaskDialogProps extends Pick<DialogProps, 'open' | 'onClose' | 'title' | 'finalFocus'> {
  readonly task: TaskId;
  /** Whether it runs after the user has closed its dialog. */
  readonly isInBackground: boolean;
  readonly onShow: () => void;
}

/**
 * Shows the progress of a long task, which continues when the dialog is closed. Shows nothing for a short task, or before
 * the first progress.
 */
export function TaskDialog(props: TaskDialogProps) {
  const { task } = props;
  const { bridge } = useStore();
  const [progress, setProgress] = useState<LibraryTaskProgress | null>(null);
  useEffect(
    () =>
      bridge.on('library.progress', (event) => {
        if (event.task === task) setProgress(event);
      }),
    [bridge, task],
  );
  const { isInBackground, title, onShow } = props;
  useBackgroundTask(isInBackground ? { title, progress: fractionDone(progress), onShow } : null);
  return progress !== null && <RunningDialog {...props} progress={progress} />;
}

interface RunningDialogProps extends Pick<
  TaskDialogProps,
  'task' | 'open' | 'onClose' | 'title' | 'finalFocus'
> {
  readonly progress: LibraryTaskProgress;
}

/** Returns the progress as a fraction, 0 to 1. */
const fractionDone = (progress: LibraryTaskProgress | null): number =>
  progress === null || progress.total === 0 ? 0 : progress.done / progress.total;

function RunningDialog({ task, progress, open, onClose, title, finalFocus }: RunningDialogProps) {
  const send = useSend();
  const isLong = useDelayed();
  const text = useProgressText(progress);
  return (
    <ProgressDialog
      title={title}
      finalFocus={finalFocus}
      onClose={onClose}
      open={open && isLong}
      onStop={() => send('library.cancel', { task })}
    >
      <div className={styles.running}>
        <ProgressBar thick label={title} value={fractionDone(progress)} />
        <p className={styles.quiet}>{text}</p>
      </div>
    </ProgressDialog>
  );
}

function useProgressText({ done, total, unit, isWaiting }: LibraryTaskProgress): string {
  const { t } = useTranslation();
  const format = useFormat();
  if (isWaiting) return t('task.waiting');
  if (total === 0) return '';
  if (unit === 'bytes') return t('task.bytes', { done: format.bytes(done), total: format.bytes(total) });
  if (unit === 'seconds')
    return t('task.audio', { done: format.duration(done), total: format.duration(total) });
  return t(unit === 'files' ? 'task.files' : 'task.transcripts', { done, count: total });
}
