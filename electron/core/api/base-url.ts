import { ProblemError, type ProblemCode } from '../../contract/problem.ts';

/** Whether the host of an address is this computer. */
export const isOnThisComputer = (hostname: string): boolean => loopback.test(hostname);

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Parses the base address of a service. It must be `https`, or `http` on this computer. A missing scheme is not added,
 * because a key is sent to the address.
 *
 * @returns The address without a trailing slash, which identifies the service's key and items.
 * @throws ProblemError `address_not_https` or `wrong_address`, with the reason in `detail`.
 */
export function parseBaseUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (url === null) throw addressError(text, 'An address starts with https://', 'address_not_https');
  const isLocal = url.protocol === 'http:' && isOnThisComputer(url.hostname);
  if (url.protocol !== 'https:' && !isLocal)
    throw addressError(text, 'Only https:// addresses protect a key in transit', 'address_not_https');
  if (url.username !== '' || url.password !== '')
    throw addressError(text, 'The address must not carry a name or a password');
  return (url.origin + url.pathname).replace(/(?<!\/)\/+$/, '');
}

const addressError = (address: string, detail: string, code: ProblemCode = 'wrong_address'): ProblemError =>
  new ProblemError({ code, params: { address }, detail });
