import type { Dirent } from 'node:fs';

/** Names of files of ours: part of a regular expression. */
export const uuidForm = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';

/**
 * Returns the names of the files in a folder that have the exact form of ours. A clean-up may remove no others: the user
 * chooses the data folder, which may contain other files, even in a subfolder that has the name of ours.
 *
 * @param entries what `readdir` has returned with `withFileTypes`
 * @param form matches the whole name
 */
export const ownFiles = (entries: readonly Dirent[], form: RegExp): readonly string[] =>
  entries.filter((entry) => entry.isFile() && form.test(entry.name)).map(({ name }) => name);
