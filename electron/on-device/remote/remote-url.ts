import { ServiceError } from '../service-error.ts';

const maxUrlLength = 8192;

/**
 * Reads the address of a remote file (API part 4.1, "Remote address rules"): HTTPS, no user name or password.
 *
 * @param base for the targets of redirects, which may be relative.
 * @throws ServiceError `invalid_remote_url` or `insecure_remote_url`.
 */
export function parseRemoteUrl(text: string, base?: URL): URL {
  const url = text.length <= maxUrlLength ? URL.parse(text, base) : null;
  if (url === null) throw new ServiceError('invalid_remote_url', 'This is no address of a file.');
  if (url.protocol !== 'https:' || url.hostname === '') {
    throw new ServiceError('insecure_remote_url', 'The address has to begin with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ServiceError('invalid_remote_url', 'The address may not carry a user name or password.');
  }
  url.hash = '';
  return url;
}

const maxNameLength = 200;

/** A name for what the address leads to: the last piece of its path that can be shown, else its host. */
export function fileNameOf(url: URL): string {
  const piece = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  const name = decode(piece)
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .split(/[/\\]/)
    .findLast((part) => part.trim() !== '' && part !== '.' && part !== '..');
  // By whole characters: half of one could not be shown.
  return [...(name ?? url.hostname)].slice(-maxNameLength).join('');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
