import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/actions/menu.tsx';
import { useLibraryTools } from './library-tools.tsx';

/** What can be done with the whole library. */
export function ToolsMenu() {
  const { t } = useTranslation();
  const { importFolder, backUp, restore, replace, findRecordings } = useLibraryTools();
  return (
    <Menu
      button={
        <IconButton aria-label={t('library.more')}>
          <Icon name="more" />
        </IconButton>
      }
    >
      <MenuItem onClick={importFolder}>{t('library.tool.importFolder')}</MenuItem>
      <MenuSeparator />
      <MenuItem onClick={replace}>{t('library.tool.replace')}</MenuItem>
      <MenuItem onClick={findRecordings}>{t('library.tool.recordings')}</MenuItem>
      <MenuSeparator />
      <MenuItem onClick={backUp}>{t('library.tool.backup')}</MenuItem>
      <MenuItem onClick={restore}>{t('library.tool.restore')}</MenuItem>
    </Menu>
  );
}
