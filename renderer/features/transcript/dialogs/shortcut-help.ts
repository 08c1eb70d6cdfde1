import type { TFunction } from 'i18next';
import type { ShortcutGroup } from '../../../ui/text/key-names.ts';

/** The shortcuts that the help of a transcript lists, by group: action and keys. `Mod` is Cmd on a Mac and Ctrl elsewhere. */
export const transcriptKeys = {
  listening: [
    ['play', 'Tab'],
    ['back', 'Shift+Tab'],
    ['fromHere', 'Alt+Enter'],
    ['onlyWords', 'Alt+Shift+Enter'],
    ['fromClick', 'Mod+Click'],
    ['playReading', 'Space'],
    ['skip', '← →'],
    ['speed', '< >'],
    ['subtitles', 'Alt+S'],
  ],
  writing: [
    ['edit', 'Enter'],
    ['leave', 'Esc'],
    ['split', 'Enter'],
    ['splitHere', 'Mod+Enter'],
    ['mergeBefore', 'Alt+↑'],
    ['mergeAfter', 'Alt+↓'],
    ['insert', 'Alt+I'],
    ['delete', 'Alt+Del'],
    ['start', 'Alt+['],
    ['end', 'Alt+]'],
    ['startEarlier', 'Alt+Shift+['],
    ['startLater', 'Alt+Shift+↑'],
    ['endLater', 'Alt+Shift+]'],
    ['endEarlier', 'Alt+Shift+↓'],
    ['times', 'Alt+T'],
    ['undo', 'Mod+Z'],
    ['redo', 'Mod+Shift+Z'],
  ],
  more: [
    ['speaker', 'Alt+1 … Alt+9'],
    ['speakerFromHere', 'Alt+Shift+1 … Alt+Shift+9'],
    ['selectMore', 'Mod+Shift+↓'],
    ['highlight', 'Alt+H'],
    ['note', 'Alt+N'],
    ['quote', 'Mod+Shift+C'],
    ['find', 'Mod+F'],
    ['findNext', 'Mod+G … F3'],
    ['findBack', 'Mod+Shift+G … Shift+F3'],
    ['nextFound', 'Alt+F3'],
    ['previousFound', 'Alt+Shift+F3'],
    ['first', 'Mod+Home'],
    ['last', 'Mod+End'],
    ['review', 'F8'],
    ['reviewBack', 'Shift+F8'],
    ['reviewListen', 'Space'],
    ['reviewAccept', 'Enter'],
    ['reviewEdit', 'F2'],
    ['change', 'F8'],
    ['changeBack', 'Shift+F8'],
    ['restoreChange', 'Enter'],
    ['menu', 'Shift+F10'],
  ],
} as const;

/** Returns the shortcuts of a transcript for the help. */
export const transcriptShortcuts = (t: TFunction): readonly ShortcutGroup[] =>
  (Object.keys(transcriptKeys) as (keyof typeof transcriptKeys)[]).map((group) => ({
    title: t(`transcript.keys.${group}`),
    entries: transcriptKeys[group].map(([action, keys]) => ({
      action: t(`transcript.keys.${action}`),
      combinations: keys.split(' … '),
    })),
  }));
