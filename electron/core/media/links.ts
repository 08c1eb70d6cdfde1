import { resolve } from 'node:path';
import type { Problem } from '../../contract/problem.ts';

/** Recordings as somebody named them, told apart. */
export interface NamedRecordings {
  /** Absolute. */
  readonly paths: readonly string[];
  readonly links: readonly string[];
}

const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Tells links from paths: whatever has a scheme is a link, right or wrong. A path is meant from `folder`. */
export function splitRecordings(recordings: readonly string[], folder: string): NamedRecordings {
  return {
    paths: recordings.filter((text) => !hasScheme.test(text)).map((path) => resolve(folder, path)),
    links: recordings.filter((text) => hasScheme.test(text)),
  };
}

/** A link as somebody gave it, read. */
export type ParsedLink =
  | { readonly ok: true; readonly url: string; readonly name: string; readonly host: string }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Reads the link to a recording. It must be https, and without a user name or password: the service takes nothing
 * that asks for a login (API part 1), and a password has no place in the queue's database.
 */
export function parseLink(text: string): ParsedLink {
  const trimmed = text.trim();
  const url = URL.parse(trimmed);
  if (url?.protocol === 'http:')
    return { ok: false, problem: { code: 'insecure_remote_url', params: { link: shownLink(trimmed) } } };
  if (url?.protocol !== 'https:' || url.hostname === '' || url.username !== '' || url.password !== '') {
    return { ok: false, problem: { code: 'invalid_link', params: { link: shownLink(trimmed) } } };
  }
  url.hash = '';
  return { ok: true, url: url.href, name: nameOf(url), host: url.host };
}

/** What stands for the part of a link that nobody else is to see. */
const redacted = '…';

/**
 * A link, or what somebody took for one, as it may be shown: without user name and password, and without the query,
 * which often holds a signature that lets anyone have the recording.
 */
export function shownLink(text: string): string {
  const trimmed = text.trim();
  const url = URL.parse(trimmed);
  if (url === null || url.host === '') {
    // A password may hold anything, also what ends one: everything before the last `@` may be part of it.
    return trimmed
      .replace(/^(?:([a-z][a-z0-9+.-]*:\/+)|(?=[^@]*:)).*@/is, `$1${redacted}@`)
      .replace(/\?\S.*$/s, `?${redacted}`);
  }
  const query = url.search === '' ? '' : `?${redacted}`;
  if (url.username === '' && url.password === '') return trimmed.replace(/[?#].*$/s, '') + query;
  return `${url.protocol}//${redacted}@${url.host}${url.pathname}${query}`;
}

/** A link as it may rest in the database: one that is refused keeps no password there. */
export const storableLink = (text: string): string => (parseLink(text).ok ? text : shownLink(text));

/** What a service calls a recording: where that is its link, the name of the file that this leads to. */
export function recordingName(told: string): string {
  if (!hasScheme.test(told)) return told;
  const link = parseLink(told);
  return link.ok ? link.name : shownLink(told);
}

/** The name of the file that a link leads to, as a person would read it; the host when it names none. */
function nameOf(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  if (last === '') return url.host;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
