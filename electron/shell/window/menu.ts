import { Menu } from 'electron';
import type { Words } from '../../core/words.ts';
import { menuTemplate, type MenuActions } from './menu-template.ts';

/** Shows the native menu. */
export function setMenu(words: Words, actions: MenuActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate([...menuTemplate(words, actions, process.platform)]));
}
