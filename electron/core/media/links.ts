import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../../contract/problem.ts';
import { invisible } from '../file-name.ts';

/** Recordings as the user named them, split by kind. */
export interface RecordingInputs {
  /** Absolute. */
  readonly paths: readonly string[];
  readonly links: readonly string[];
}

const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Splits recordings into links, valid or not, and paths. Whatever has a scheme is a link, except that the `file:` links
 * of file managers count as paths. Paths are resolved from `folder`.
 */
export function splitRecordings(recordings: readonly string[], folder: string): RecordingInputs {
  const texts = recordings.map((text) => pathOfFileLink(text) ?? text);
  return {
    paths: texts.filter((text) => !hasScheme.test(text)).map((path) => resolve(folder, path)),
    links: texts.filter((text) => hasScheme.test(text)),
  };
}

/** Returns the path of a `file:` link; `null` for any other text, and for a link without a valid path. */
export function pathOfFileLink(text: string): string | null {
  if (!/^file:\/\//i.test(text)) return null;
  try {
    return fileURLToPath(text);
  } catch {
    return null;
  }
}

/** The result of parsing a link. */
export type ParsedLink =
  | { readonly ok: true; readonly url: string; readonly name: string; readonly host: string }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Parses the link to a recording. It must be HTTPS, without a user name or password: the service accepts nothing that
 * requires a login (API part 1), and a password must not be stored in the database.
 */
export function parseLink(text: string): ParsedLink {
  const trimmed = text.trim();
  const url = URL.parse(trimmed);
  if (url?.protocol === 'http:')
    return { ok: false, problem: { code: 'insecure_remote_url', params: { link: redactLink(trimmed) } } };
  if (url?.protocol !== 'https:' || url.hostname === '' || url.username !== '' || url.password !== '') {
    return { ok: false, problem: { code: 'invalid_link', params: { link: redactLink(trimmed) } } };
  }
  url.hash = '';
  return { ok: true, url: url.href, name: nameOf(url), host: url.host };
}

/** Sites whose addresses lead to pages with a player, never to a file. */
const pageSites = [
  'youtube.com',
  'youtu.be',
  'vimeo.com',
  'dailymotion.com',
  'twitch.tv',
  'tiktok.com',
  'facebook.com',
  'instagram.com',
  'x.com',
  'twitter.com',
  'soundcloud.com',
  'open.spotify.com',
  'podcasts.apple.com',
] as const;

/** Whether a valid link surely leads to a web page and not to a recording. */
export function isWebPage(link: string): boolean {
  const { hostname, pathname } = new URL(link);
  const isOnPageSite = pageSites.some((site) => hostname === site || hostname.endsWith(`.${site}`));
  return isOnPageSite || /\.x?html?$/i.test(pathname);
}

/** What replaces the secret parts of a link. */
const redactionMark = '…';

/**
 * Returns a link, valid or not, as it may be shown: without user name and password, and without the query, which often
 * contains a signature that grants access to the recording.
 */
export function redactLink(text: string): string {
  const trimmed = text.trim();
  const url = URL.parse(trimmed);
  if (url === null || url.host === '') {
    // A password may contain any character: everything before the last `@` may be part of it.
    return trimmed
      .replace(/^(?:([a-z][a-z0-9+.-]*:\/+(?!\/))|(?=[^@]*:)).*@/is, `$1${redactionMark}@`)
      .replace(/\?\S.*$/s, `?${redactionMark}`);
  }
  const query = url.search === '' ? '' : `?${redactionMark}`;
  if (url.username === '' && url.password === '') return trimmed.replace(/[?#].*$/s, '') + query;
  return `${url.protocol}//${redactionMark}@${url.host}${url.pathname}${query}`;
}

/** Returns a link as it may be stored: an invalid one without its secrets. */
export const storableLink = (text: string): string => (parseLink(text).ok ? text : redactLink(text));

/** Returns the name of a recording from the name that a service reports: for a link, that of its file. */
export function recordingName(reported: string): string {
  if (!hasScheme.test(reported)) return reported;
  const link = parseLink(reported);
  return link.ok ? link.name : redactLink(reported);
}

/** Returns the decoded file name of a link, or the host if there is none. */
function nameOf(url: URL): string {
  const encodedName = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  if (encodedName === '') return url.host;
  try {
    // Control characters were encoded until now.
    return decodeURIComponent(encodedName).replaceAll(invisible, ' ').trim() || url.host;
  } catch {
    return encodedName;
  }
}
