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
  if (url === null) throw new ServiceError('invalid_remote_url', 'This is not a valid address.');
  if (url.protocol !== 'https:') {
    throw new ServiceError('insecure_remote_url', 'The address must begin with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ServiceError('invalid_remote_url', 'The address must not contain a user name or password.');
  }
  url.hash = '';
  return url;
}

const maxNameLength = 200;

/** Returns a file name for an address: the last usable segment of its path, otherwise its host. */
export function fileNameOf(url: URL): string {
  const segment = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  const name = decode(segment)
    .replace(/[\p{Cc}\p{Cs}]/gu, '')
    .split(/[/\\]/)
    .findLast((part) => part.trim() !== '' && part !== '.' && part !== '..');
  // Cut between code points, not within a surrogate pair.
  return [...(name ?? url.hostname)].slice(-maxNameLength).join('');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
