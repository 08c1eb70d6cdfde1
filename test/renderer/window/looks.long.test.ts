import { describeLooks, mainScreens } from '../../support/window/looks.ts';
import { views } from '../../support/window/screens.ts';
import { useWindow } from '../../support/window/use-window.ts';

const otherScreens = Object.keys(views).filter((name) => !mainScreens.has(name));

describeLooks(useWindow('expected'), new Set(otherScreens));
