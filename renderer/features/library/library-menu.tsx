import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import type { TranscriptRow } from '../../../electron/contract/library-commands.ts';
import { MenuItem, MenuPopup, MenuSeparator, type MenuPopupProps } from '../../ui/actions/menu.tsx';
import type { LibraryAction } from './use-library-actions.tsx';

export interface LibraryMenuTarget {
  /** The transcripts that it acts on: that of the row, or the selection. */
  readonly ids: readonly TranscriptId[];
  readonly anchor: Exclude<MenuPopupProps['anchor'], undefined>;
}

export interface LibraryMenuProps {
  /** Takes the focus when the menu closes. */
  readonly list: RefObject<HTMLElement | null>;
  readonly open: boolean;
  /** `null` before the menu was first opened; kept while it closes. */
  readonly target: LibraryMenuTarget | null;
  /** The only transcript that it acts on, if it is loaded. */
  readonly row: TranscriptRow | undefined;
  /** Whether what it acts on is selected already. */
  readonly isSelected: boolean;
  readonly trash: boolean;
  readonly onAction: (action: LibraryAction | 'open' | 'select', ids: readonly TranscriptId[]) => void;
  readonly onClose: () => void;
}

/** The actions on a transcript, or on the selection that contains it. */
export function LibraryMenu(props: LibraryMenuProps) {
  const { list, open, target, row, isSelected, trash, onAction, onClose } = props;
  const { t } = useTranslation();
  const renderItem = (action: LibraryAction | 'open' | 'select', danger = false) =>
    target !== null && (
      <MenuItem danger={danger} onClick={() => onAction(action, target.ids)}>
        {action === 'trash' && target.ids.length > 1
          ? t('library.action.trashMany', { count: target.ids.length })
          : t(`library.action.${action}`)}
      </MenuItem>
    );
  return (
    <BaseMenu.Root open={open} onOpenChange={(next) => !next && onClose()} modal={false}>
      <MenuPopup anchor={target?.anchor} finalFocus={list}>
        {row !== undefined && renderItem('open')}
        {trash ? (
          <>
            {!isSelected && renderItem('select')}
            {renderItem('restore')}
            <MenuSeparator />
            {renderItem('purge', true)}
          </>
        ) : (
          <>
            {!isSelected && renderItem('select')}
            {row !== undefined && renderItem('rename')}
            {renderItem('tag')}
            {renderItem('export')}
            {renderItem('identify')}
            <MenuSeparator />
            {renderItem('trash', true)}
          </>
        )}
      </MenuPopup>
    </BaseMenu.Root>
  );
}
