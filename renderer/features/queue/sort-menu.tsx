import { useTranslation } from 'react-i18next';
import type { QueueSort } from '../../../electron/contract/queue.ts';
import { attempt, notifyWhileBusy } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/actions/menu.tsx';
import { useAnnouncement } from './use-announcement.ts';

const sorts = {
  name: { by: 'name', descending: false },
  shortest: { by: 'length', descending: false },
  longest: { by: 'length', descending: true },
  smallest: { by: 'size', descending: false },
  oldest: { by: 'added', descending: false },
} as const satisfies Record<string, QueueSort>;
const names = [
  'name',
  'shortest',
  'longest',
  'smallest',
  'oldest',
] as const satisfies readonly (keyof typeof sorts)[];

/** Puts what waits into another order, which is the order in which it is worked on. */
export function SortMenu() {
  const { t } = useTranslation();
  const { ask } = useStore();
  const [said, say] = useAnnouncement();
  const sort = (name: keyof typeof sorts): void =>
    attempt(async () => {
      await notifyWhileBusy('sorting', t('sort.working'), () => ask('queue.sortWaiting', sorts[name]));
      say(t('queue.sorted', { order: t(`sort.${name}`) }));
    });
  return (
    <>
      <Menu
        button={
          <Button look="plain">
            {t('sort.button')}
            <Icon name="chevron-down" />
          </Button>
        }
      >
        {names.map((name) => (
          <MenuItem key={name} onClick={() => sort(name)}>
            {t(`sort.${name}`)}
          </MenuItem>
        ))}
      </Menu>
      <span aria-live="polite" className="visually-hidden">
        {said}
      </span>
    </>
  );
}
