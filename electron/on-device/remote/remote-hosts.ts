import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { errorCode } from '../../contract/errors.ts';
import { ServiceError } from '../service-error.ts';
import { isForbiddenAddress } from './address-rules.ts';

/** The network that links lead to; tests provide their own. */
export interface RemoteNetwork {
  /** Resolves a host name to all its addresses. */
  resolve(hostname: string): Promise<readonly LookupAddress[]>;
  isForbidden(address: string): boolean;
  /** Certificates that are trusted in addition to the system's. */
  readonly ca?: string;
}

const lookupAll = promisify(lookup);

/** The Internet. */
export const publicNetwork: RemoteNetwork = {
  resolve: async (hostname) => lookupAll(hostname, { all: true }),
  isForbidden: isForbiddenAddress,
};

type HostAddresses = readonly [LookupAddress, ...LookupAddress[]];

/** The callback of the `lookup` option of `net.connect`. */
type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Decides which hosts a link may lead to (API part 4.1). */
export class RemoteHosts {
  readonly #network: RemoteNetwork;

  constructor(network: RemoteNetwork) {
    this.#network = network;
  }

  /** Certificates that are trusted in addition to the system's. */
  get ca(): string | undefined {
    return this.#network.ca;
  }

  /**
   * Checks where a link currently leads.
   *
   * @throws ServiceError `remote_host_blocked`, `remote_host_unresolved` or `remote_dns_failed`.
   */
  async check(url: URL): Promise<void> {
    const literal = url.hostname.replace(/[[\]]/g, '');
    if (isIP(literal) === 0) await this.#addressesOf(url.hostname);
    else this.#assertAllowed(literal);
  }

  /**
   * The `lookup` of connections, which only returns allowed addresses. So a name that resolves to another address after
   * {@link check} (DNS rebinding) is still refused.
   */
  readonly lookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    void this.#resolveAllowed(hostname, options, callback);
  };

  async #resolveAllowed(hostname: string, options: LookupOptions, callback: LookupCallback): Promise<void> {
    let addresses: HostAddresses;
    try {
      addresses = await this.#addressesOf(hostname);
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), []);
      return;
    }
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, addresses[0].address, addresses[0].family);
  }

  async #addressesOf(hostname: string): Promise<HostAddresses> {
    const [first, ...others] = await this.#network.resolve(hostname).catch((error: unknown) => {
      throw toServiceError(error, hostname);
    });
    if (first === undefined) throw unresolvedHostError(hostname);
    const addresses = [first, ...others] as const;
    // One forbidden address is enough, since any of them may be connected to.
    for (const { address } of addresses) this.#assertAllowed(address);
    return addresses;
  }

  #assertAllowed(address: string): void {
    if (!this.#network.isForbidden(address)) return;
    throw new ServiceError('remote_host_blocked', 'The address does not lead to the public Internet.');
  }
}

function toServiceError(error: unknown, hostname: string): ServiceError {
  const code = errorCode(error);
  if (code === 'ENOTFOUND' || code === 'ENODATA') return unresolvedHostError(hostname);
  return new ServiceError('remote_dns_failed', `The host “${hostname}” could not be looked up.`, {
    cause: error,
  });
}

function unresolvedHostError(hostname: string): ServiceError {
  return new ServiceError('remote_host_unresolved', `There is no host called “${hostname}”.`);
}
