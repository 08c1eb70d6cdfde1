import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/actions/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem } from '../../ui/actions/menu.tsx';
import { LinksDialog } from './links-dialog.tsx';
import { useAdd } from './use-add.ts';

/** The button that adds files, a folder or links. */
export function AddMenu() {
  const { t } = useTranslation();
  const { pick } = useAdd();
  const [linksOpen, setLinksOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Menu
        button={
          <Button ref={button} variant="main">
            {t('add.button')}
            <Icon name="chevron-down" />
          </Button>
        }
      >
        <MenuItem onClick={() => pick('files')}>{t('add.files')}</MenuItem>
        <MenuItem onClick={() => pick('folder')}>{t('add.folder')}</MenuItem>
        <MenuItem onClick={() => setLinksOpen(true)}>{t('add.links')}</MenuItem>
      </Menu>
      <LinksDialog open={linksOpen} onClose={() => setLinksOpen(false)} finalFocus={button} />
    </>
  );
}

/** The entries of the menu as buttons, for a screen without other actions. */
export function AddButtons() {
  const { t } = useTranslation();
  const { pick } = useAdd();
  const [linksOpen, setLinksOpen] = useState(false);
  return (
    <>
      <Button variant="main" onClick={() => pick('files')}>
        {t('add.chooseFiles')}
      </Button>
      <Button onClick={() => pick('folder')}>{t('add.chooseFolder')}</Button>
      <Button onClick={() => setLinksOpen(true)}>{t('add.enterLinks')}</Button>
      <LinksDialog open={linksOpen} onClose={() => setLinksOpen(false)} />
    </>
  );
}
