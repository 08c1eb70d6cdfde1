/** Joins class names and skips missing ones. */
export const classes = (...names: readonly (string | false | undefined)[]): string =>
  names.filter((name) => typeof name === 'string').join(' ');
