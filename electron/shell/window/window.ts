import { BrowserWindow, nativeTheme } from 'electron';
import { pageOrigin, pagePreferences } from '../pages/pages.ts';
import { minWindowSize, defaultWindowSize } from './window-bounds.ts';

export const windowUrl = `${pageOrigin}/index.html`;

/** Returns the colour of the page before it is painted, in the theme in use: `--paper` of the design tokens. */
export const paperColour = (): string => (nativeTheme.shouldUseDarkColors ? '#191817' : '#fbfaf8');

export interface OpenedWindow {
  readonly window: BrowserWindow;
  /** Resolves when the first frame is ready. */
  readonly firstFrame: Promise<void>;
}

export interface WindowFiles {
  readonly preload: string;
  readonly icon: string;
}

/** Opens the one window, still hidden: its page loads while the program opens its data. */
export function openWindow({ preload, icon }: WindowFiles): OpenedWindow {
  const window = new BrowserWindow({
    ...defaultWindowSize,
    minWidth: minWindowSize.width,
    minHeight: minWindowSize.height,
    title: 'Longhand',
    show: false,
    ...(process.platform === 'linux' ? { icon } : {}),
    backgroundColor: paperColour(),
    webPreferences: { ...pagePreferences, preload },
  });
  const firstFrame = new Promise<void>((resolve) => {
    window.once('ready-to-show', () => resolve());
  });
  void window.loadURL(windowUrl);
  return { window, firstFrame };
}
