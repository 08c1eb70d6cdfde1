import { useEffect, useEffectEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { useStore, useWindowState } from '../../use-store.ts';
import type { BackgroundTask } from '../../window-store.ts';
import styles from './background-tasks.module.css';

/** Shows a task in the sidebar, on every screen, as long as `task` is not `null`. */
export function useBackgroundTask(task: Omit<BackgroundTask, 'id'> | null): void {
  const store = useStore();
  const id = useId();
  const onShow = useEffectEvent(() => task?.onShow());
  const title = task?.title ?? null;
  const progress = task?.progress ?? 0;
  useEffect(() => {
    if (title === null) return;
    const entry = { id, title, progress, onShow: () => onShow() };
    const { backgroundTasks } = store.getState();
    const isListed = backgroundTasks.some((other) => other.id === id);
    store.change({
      backgroundTasks: isListed
        ? backgroundTasks.map((other) => (other.id === id ? entry : other))
        : [...backgroundTasks, entry],
    });
  }, [store, id, title, progress]);
  useEffect(() => {
    if (title === null) return undefined;
    return () =>
      store.change({ backgroundTasks: store.getState().backgroundTasks.filter((other) => other.id !== id) });
  }, [store, id, title]);
}

/** The tasks that continue in the background; each opens its dialog. */
export function BackgroundTasks() {
  const { t } = useTranslation();
  const tasks = useWindowState((state) => state.backgroundTasks);
  if (tasks.length === 0) return null;
  return (
    <ul className={styles.tasks} aria-label={t('task.running')}>
      {tasks.map(({ id, title, progress, onShow }) => (
        <li key={id}>
          <button
            type="button"
            className={styles.task}
            aria-label={t('task.show', { title })}
            onClick={onShow}
          >
            <span className={styles.title}>{title}</span>
            <ProgressBar label={title} value={progress} />
          </button>
        </li>
      ))}
    </ul>
  );
}
