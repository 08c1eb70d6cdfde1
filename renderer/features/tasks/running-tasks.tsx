import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import type { TaskId } from '../../../electron/contract/library-task.ts';
import type { DialogProps } from '../../ui/dialog/dialog.tsx';
import { TaskDialog } from './task-dialog.tsx';

/** Runs a long task with a new id, and shows its progress. Rejects with the error of the task. */
export type RunTask = <T>(
  task: Pick<DialogProps, 'title' | 'finalFocus'>,
  work: (id: TaskId) => Promise<T>,
) => Promise<T>;

const TasksContext = createContext<RunTask>((_task, work) => work(crypto.randomUUID()));

/** Returns the function that runs a task. */
export const useRunTask = (): RunTask => useContext(TasksContext);

interface RunningTask extends Pick<DialogProps, 'title' | 'finalFocus'> {
  readonly id: TaskId;
  /** The task continues when the user closes its dialog. */
  readonly isOpen: boolean;
  readonly isOver: boolean;
}

/** Holds long tasks and the dialogs of their progress, on every screen. */
export function TasksProvider({ children }: { readonly children: ReactNode }) {
  const [tasks, setTasks] = useState<readonly RunningTask[]>([]);
  const change = useCallback(
    (id: TaskId, patch: Partial<RunningTask>) =>
      setTasks((now) => now.map((task) => (task.id === id ? { ...task, ...patch } : task))),
    [],
  );
  const run = useCallback<RunTask>(
    async (task, work) => {
      const id = crypto.randomUUID();
      // Keep a closed dialog mounted for its exit animation; drop it when the next task starts.
      setTasks((now) => [
        ...now.filter(({ isOver }) => !isOver),
        { ...task, id, isOpen: true, isOver: false },
      ]);
      try {
        return await work(id);
      } finally {
        change(id, { isOver: true });
      }
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the linter misses its use in `finally`
    [change],
  );
  // One at a time: a dialog on top of another one would hide it.
  const visibleTask = tasks.find(({ isOpen, isOver }) => isOpen && !isOver);
  return (
    <TasksContext value={run}>
      {children}
      {tasks.map(({ id, title, isOpen, isOver, finalFocus }) => (
        <TaskDialog
          key={id}
          task={id}
          title={title}
          finalFocus={finalFocus}
          open={visibleTask?.id === id}
          isInBackground={!isOpen && !isOver}
          onShow={() => change(id, { isOpen: true })}
          onClose={() => change(id, { isOpen: false })}
        />
      ))}
    </TasksContext>
  );
}
