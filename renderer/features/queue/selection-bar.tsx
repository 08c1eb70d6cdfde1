import { useTranslation } from 'react-i18next';
import type { QueueRow } from '../../../electron/contract/model/queue.ts';
import { useWindow } from '../../use-store.ts';
import { Button } from '../../ui/button.tsx';
import { ScreenFooter } from '../../ui/screen-footer.tsx';
import { useFormat } from '../../ui/use-format.ts';
import { bulkActions, bulkActionsOf, type BulkAction } from './row-actions.ts';
import { sumOf, type Selection } from './selection.ts';

export interface SelectionBarProps {
  readonly items: Selection['items'];
  /** Those of the selected rows that are loaded. */
  readonly rows: readonly QueueRow[];
  readonly onAction: (action: BulkAction) => void;
}

/** The foot of the queue: what is selected and what can be done with it, or what happens after each recording. */
export function SelectionBar({ items, rows, onAction }: SelectionBarProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { saveBeside, service } = useWindow((state) => state.settings);

  if (items.size === 0) {
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

  const { seconds, credits, complete } = sumOf(items);
  const words = [
    t('queue.selected', { count: items.size }),
    ...(complete ? [format.duration(seconds)] : []),
    ...(complete && service !== 'on-device' ? [t('unit.credits', { count: credits })] : []),
  ];
  // What is not loaded may be in any state: the main process leaves out what does not fit.
  const actions = rows.length === items.size ? bulkActionsOf(rows) : bulkActions;
  return (
    <ScreenFooter
      end={actions.map((action) => (
        <Button key={action} look="plain" onClick={() => onAction(action)}>
          {t(`rowAction.${action}`)}
        </Button>
      ))}
    >
      <span role="status">{words.join(' · ')}</span>
    </ScreenFooter>
  );
}
