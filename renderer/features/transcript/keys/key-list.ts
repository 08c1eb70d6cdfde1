/** Every key that works in a transcript, with what it does. `Mod` is Cmd on a Mac and Ctrl elsewhere. */
export const transcriptKeys = {
  listening: [
    ['play', 'Tab'],
    ['back', 'Shift+Tab'],
    ['fromHere', 'Alt+Enter'],
    ['playReading', 'Space'],
    ['skip', '← →'],
    ['speed', '< >'],
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
    ['undo', 'Mod+Z'],
    ['redo', 'Mod+Shift+Z'],
  ],
  more: [
    ['speaker', 'Alt+1 … Alt+9'],
    ['note', 'Alt+N'],
    ['quote', 'Mod+Shift+C'],
    ['find', 'Mod+F'],
    ['review', 'F8'],
    ['reviewBack', 'Shift+F8'],
    ['menu', 'Shift+F10'],
  ],
} as const;
