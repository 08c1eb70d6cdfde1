import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptRow } from '../../../electron/contract/library-commands.ts';
import { MenuItem, MenuPopup, MenuSeparator, type MenuPopupProps } from '../../ui/actions/menu.tsx';
import type { LibraryAction } from './use-library-actions.tsx';

export interface LibraryMenuTarget {
  readonly row: TranscriptRow;
  readonly anchor: Exclude<MenuPopupProps['anchor'], undefined>;
}

export interface LibraryMenuProps {
  /** Takes the focus when the menu closes. */
  readonly list: RefObject<HTMLElement | null>;
  readonly open: boolean;
  /** `null` before the menu was first opened; kept while it closes. */
  readonly target: LibraryMenuTarget | null;
  /** Number of transcripts that it acts on: the row's one, or the selection that contains the row. */
  readonly count: number;
  readonly trash: boolean;
  readonly onAction: (action: LibraryAction | 'open' | 'select', row: TranscriptRow) => void;
  readonly onClose: () => void;
}

/** The actions on a transcript, or on the selection that contains it. */
export function LibraryMenu({ list, open, target, count, trash, onAction, onClose }: LibraryMenuProps) {
  const { t } = useTranslation();
  const item = (action: LibraryAction | 'open' | 'select', danger = false) =>
    target !== null && (
      <MenuItem danger={danger} onClick={() => onAction(action, target.row)}>
        {t(`library.action.${action}`)}
      </MenuItem>
    );
  return (
    <BaseMenu.Root open={open} onOpenChange={(next) => !next && onClose()} modal={false}>
      <MenuPopup anchor={target?.anchor} finalFocus={list}>
        {trash ? (
          <>
            {item('select')}
            {item('restore')}
            <MenuSeparator />
            {item('purge', true)}
          </>
        ) : (
          <>
            {count === 1 && item('open')}
            {item('select')}
            {count === 1 && item('rename')}
            {item('tag')}
            {item('export')}
            {item('identify')}
            <MenuSeparator />
            {item('trash', true)}
          </>
        )}
      </MenuPopup>
    </BaseMenu.Root>
  );
}
