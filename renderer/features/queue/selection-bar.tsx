import { useTranslation } from 'react-i18next';
import { useWindow } from '../../use-store.ts';
import { ActionRow } from '../../ui/actions/action-row.tsx';
import { ScreenFooter } from '../../ui/screen/screen-footer.tsx';
import { useFormat } from '../../ui/words/use-format.ts';
import type { RowSelection } from './queue-selection.ts';
import { useSum } from './use-sum.ts';
import { actionWords, bulkActionsOf, type BulkAction } from './row-actions.ts';

export interface SelectionBarProps {
  readonly chosen: RowSelection;
  readonly onAction: (action: BulkAction) => void;
}

/** The foot of the queue: what is selected and what can be done with it, or what happens after each recording. */
export function SelectionBar({ chosen, onAction }: SelectionBarProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { saveBeside, service } = useWindow((state) => state.settings);
  const sum = useSum(chosen);

  if (chosen.count === 0) {
    return (
      <ScreenFooter
        end={
          saveBeside.length > 0 &&
          t('queue.saveBeside', { formats: format.list(saveBeside.map((name) => t(`format.${name}`))) })
        }
      >
        {t('queue.hint')}
      </ScreenFooter>
    );
  }

  // A sum of lengths that are not all known would be too low.
  const isComplete = sum !== null && sum.unknownDurations === 0;
  const words = [
    t('queue.selected', { count: chosen.count }),
    ...(isComplete ? [format.duration(sum.seconds)] : []),
    ...(isComplete && service !== 'on-device' ? [t('unit.credits', { count: sum.credits })] : []),
  ];
  return (
    <ScreenFooter
      end={
        <ActionRow
          actions={bulkActionsOf(sum?.parts ?? [], service).map((name) => ({
            name,
            words: actionWords(t, 'rowAction', name, service),
          }))}
          onAction={onAction}
        />
      }
    >
      <span role="status">{words.join(' · ')}</span>
    </ScreenFooter>
  );
}
