import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LibraryTask, TaskProgress } from '../../../../electron/contract/model/library-task.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, type DialogProps } from '../../../ui/dialog.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { useFormat } from '../../../ui/use-format.ts';
import { useLate } from '../../../ui/use-late.ts';
import { useSend, useStore } from '../../../use-store.ts';
import styles from './task-dialog.module.css';

export interface TaskDialogProps extends Pick<DialogProps, 'open' | 'onClose' | 'title'> {
  readonly task: LibraryTask;
}

/**
 * How far something that takes a while has come. Closed, it goes on; what is over in a moment shows nothing, and
 * neither does what the user is still being asked about.
 */
export function TaskDialog({ task, ...dialog }: TaskDialogProps) {
  const { bridge } = useStore();
  const [progress, setProgress] = useState<TaskProgress | null>(null);
  useEffect(
    () =>
      bridge.on('library.progress', (told) => {
        if (told.task === task) setProgress(told);
      }),
    [bridge, task],
  );
  return progress !== null && <RunningDialog task={task} progress={progress} {...dialog} />;
}

interface RunningDialogProps extends TaskDialogProps {
  readonly progress: TaskProgress;
}

function RunningDialog({ task, progress, open, onClose, title }: RunningDialogProps) {
  const { done, total, unit } = progress;
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const late = useLate();
  return (
    <Dialog
      open={open && late}
      onClose={onClose}
      title={title}
      note={t('backup.goesOn')}
      actions={<Button onClick={() => send('library.cancel', { task })}>{t('backup.stop')}</Button>}
    >
      <div className={styles.running}>
        <ProgressBar thick label={title} share={total === 0 ? 0 : done / total} />
        <p className={styles.quiet}>
          {total > 0 &&
            (unit === 'bytes'
              ? t('backup.copied', { done: format.bytes(done), total: format.bytes(total) })
              : t('backup.progress', { done, count: total }))}
        </p>
      </div>
    </Dialog>
  );
}
