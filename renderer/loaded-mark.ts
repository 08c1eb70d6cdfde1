/** The performance mark that is set once every part of the window has been loaded. */
export const allLoadedMark = 'all parts are loaded';
