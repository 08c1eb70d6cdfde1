import { ProblemError, type ProblemCode } from '../../contract/problem.ts';

/** Whether the host of an address is this computer. */
export const isOnThisComputer = (hostname: string): boolean => loopback.test(hostname);

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Parses the base address of a service. Only `https`, or `http` on this computer; a key is sent there, so a missing
 * scheme is not added.
 *
 * @returns The address without a trailing slash, which identifies the service's key and items.
 * @throws ProblemError `address_not_https` or `wrong_address`, with the reason in `detail`.
 */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (url === null) throw wrong(text, 'An address starts with https://', 'address_not_https');
  const local = url.protocol === 'http:' && isOnThisComputer(url.hostname);
  if (url.protocol !== 'https:' && !local)
    throw wrong(text, 'Only https:// addresses protect a key in transit', 'address_not_https');
  if (url.username !== '' || url.password !== '')
    throw wrong(text, 'The address must not carry a name or a password');
  return (url.origin + url.pathname).replace(/(?<!\/)\/+$/, '');
}

const wrong = (address: string, detail: string, code: ProblemCode = 'wrong_address'): ProblemError =>
  new ProblemError({ code, params: { address }, detail });
