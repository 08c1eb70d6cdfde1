/** The mark in the page's timeline once every part of the window has been loaded. */
export const allLoadedMark = 'all parts are loaded';
