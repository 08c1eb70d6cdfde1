import type { Problem } from '../../contract/problem.ts';

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
    return { ok: false, problem: { code: 'insecure_remote_url', params: { link: trimmed } } };
  if (url?.protocol !== 'https:' || url.hostname === '' || url.username !== '' || url.password !== '') {
    return { ok: false, problem: { code: 'invalid_link', params: { link: trimmed } } };
  }
  url.hash = '';
  return { ok: true, url: url.href, name: nameOf(url), host: url.host };
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
