#!/usr/bin/env node
/**
 * `node scripts/package/merge-feeds.mjs FROM TO`: copies the files of each build, one folder each in FROM, into the
 * folder TO. The feed of updates has the same name for both processors of a system: both lists of files become one, from
 * which the updater chooses by the processor.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

/**
 * @typedef {object} Feed What electron-builder writes; other fields are kept.
 * @property {string} version
 * @property {readonly object[]} files
 */

const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined)
  throw new Error('Name the folder of the builds and that of the release.');
await mkdir(to, { recursive: true });
/** @type {Map<string, Feed>} */
const feeds = new Map();
// x64 before arm64: updaters that do not know processors take the first file.
for (const build of (await readdir(from)).toSorted().toReversed()) {
  for (const name of (await readdir(join(from, build))).toSorted()) {
    const path = join(from, build, name);
    if (/^latest.*\.yml$/u.test(name))
      feeds.set(name, mergeFeeds(name, feeds.get(name), parse(await readFile(path, 'utf8'))));
    else await copyFile(path, join(to, name), constants.COPYFILE_EXCL);
  }
}
for (const [name, feed] of feeds) await writeFile(join(to, name), stringify(feed));

/**
 * Joins the lists of files of two feeds of one name and version.
 *
 * @param {string} name
 * @param {Feed | undefined} before
 * @param {Feed} feed
 * @returns {Feed}
 */
function mergeFeeds(name, before, feed) {
  if (before === undefined) return feed;
  if (before.version !== feed.version)
    throw new Error(`${name} is of version ${before.version} and of version ${feed.version}.`);
  return { ...before, files: [...before.files, ...feed.files] };
}
