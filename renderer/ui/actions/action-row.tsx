import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Icon } from '../icon.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { useCallback, useSyncExternalStore } from 'react';

/** An action with its label. */
export interface Action<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

export interface ActionRowProps<Name extends string> {
  /** The most likely first. */
  readonly actions: readonly Action<Name>[];
  readonly onAction: (name: Name) => void;
}

/** Number of visible actions in narrow windows; the others are in a menu. */
const maxVisible = { narrow: 3, narrowest: 2 } as const;

/**
 * A row of text buttons for actions. In a narrow window only the most likely are visible, and a menu contains the rest.
 */
export function ActionRow<Name extends string>({ actions, onAction }: ActionRowProps<Name>) {
  const { t } = useTranslation();
  const isNarrow = useMedia('(max-width: 1055px)');
  const isNarrowest = useMedia('(max-width: 860px)');
  const maxCount = isNarrowest ? maxVisible.narrowest : isNarrow ? maxVisible.narrow : actions.length;
  // A menu with a single entry would save no space.
  const visibleCount = actions.length > maxCount + 1 ? maxCount : actions.length;
  const inMenu = actions.slice(visibleCount);

  return (
    <>
      {actions.slice(0, visibleCount).map(({ name, label }) => (
        <Button key={name} variant="plain" onClick={() => onAction(name)}>
          {label}
        </Button>
      ))}
      {inMenu.length > 0 && (
        <Menu
          button={
            <Button variant="plain">
              {t('action.more')}
              <Icon name="chevron-down" />
            </Button>
          }
        >
          {inMenu.map(({ name, label }) => (
            <MenuItem key={name} onClick={() => onAction(name)}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}

/** Whether a media query currently matches. */
function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
