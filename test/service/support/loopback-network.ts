import { isForbiddenAddress } from '../../../electron/on-device/remote/address-rules.ts';
import type { RemoteNetwork } from '../../../electron/on-device/remote/remote-hosts.ts';

/**
 * A network with only this computer, so that links reach the tests' servers on 127.0.0.1 and nothing else.
 *
 * @param ca the certificate of the servers
 * @param addressesOf the addresses of a host; `undefined`: there is no such host
 */
export function loopbackNetwork(
  ca: string,
  addressesOf: (hostname: string) => readonly string[] | undefined = () => ['127.0.0.1'],
): RemoteNetwork {
  return {
    ca,
    resolve: async (hostname) => {
      const addresses = addressesOf(hostname);
      if (addresses === undefined) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
      return addresses.map((address) => ({ address, family: 4 }));
    },
    isForbidden: (address) => address !== '127.0.0.1' && isForbiddenAddress(address),
  };
}
