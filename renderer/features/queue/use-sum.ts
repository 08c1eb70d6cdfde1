import { useEffect, useState } from 'react';
import type { QueueSum, QueueTarget } from '../../../electron/contract/queue.ts';
import { attempt } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { sumOfRows, type RowSelection } from './queue-selection.ts';

/** What the chosen rows come to; the main process knows of those that are not loaded. `null` until it has answered. */
export function useSum({ target, count, rows }: RowSelection): QueueSum | null {
  const { ask } = useStore();
  const isLoaded = rows.length === count;
  const question = isLoaded ? null : JSON.stringify(target);
  const [answer, setAnswer] = useState<{ readonly question: string; readonly sum: QueueSum } | null>(null);
  useEffect(() => {
    if (question === null) return;
    attempt(async () => {
      const sum = await ask('queue.sum', JSON.parse(question) as QueueTarget);
      setAnswer({ question, sum });
    });
  }, [ask, question]);
  if (isLoaded) return sumOfRows(rows);
  return answer?.question === question ? answer.sum : null;
}
