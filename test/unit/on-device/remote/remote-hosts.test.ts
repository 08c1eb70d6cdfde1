import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { publicNetwork, RemoteHosts } from '../../../../electron/on-device/remote/remote-hosts.ts';
import { parseRemoteUrl } from '../../../../electron/on-device/remote/remote-url.ts';

/** The rules of the Internet, where every name resolves to a private address. */
const hosts = new RemoteHosts({
  ...publicNetwork,
  resolve: async () => [{ address: '192.168.1.1', family: 4 }],
});

describe('recognizes a disguised forbidden address', () => {
  test.each([
    ['decimal', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['hexadecimal', '0x7f000001'],
    ['mixed', '0x7f.1'],
    ['short', '127.1'],
    ['a trailing dot', '127.0.0.1.'],
    ['escapes', '%31%32%37.0.0.1'],
    ['wide digits', '１２７.０.０.１'],
    ['zero', '0'],
    ['mapped into IPv6', '[::ffff:127.0.0.1]'],
    ['mapped, in hexadecimal', '[::ffff:7f00:1]'],
    ['compatible with IPv6', '[::127.0.0.1]'],
    ['NAT64', '[64:ff9b::127.0.0.1]'],
    ['NAT64 of a local prefix', '[64:ff9b:1::127.0.0.1]'],
    ['6to4', '[2002:7f00:1::]'],
    ['Teredo', '[2001:0:7f00:1::]'],
    ['link-local', '[fe80::1]'],
    ['a name', 'intranet'],
    ['a name with a trailing dot', 'localhost.'],
  ])('%s: %s', async (_, host) => {
    await expect(hosts.check(parseRemoteUrl(`https://${host}/a.mp3`))).rejects.toMatchObject({
      code: 'remote_host_blocked',
    });
  });

  test.each(['[fe80::1%25eth0]', '[fe80::1%eth0]', '256.0.0.1', '1.2.3.4.5'])(
    '%s is not the address of a host',
    (host) => {
      expect(() => parseRemoteUrl(`https://${host}/a.mp3`)).toThrow(
        expect.objectContaining({ code: 'invalid_remote_url' }),
      );
    },
  );
});

test('accepts a public address in any notation', async () => {
  for (const host of ['9.9.9.9', '0x09090909', '[64:ff9b::9.9.9.9]', '[2606:4700:4700::1111]']) {
    await expect(hosts.check(parseRemoteUrl(`https://${host}/a.mp3`))).resolves.toBeUndefined();
  }
});

describe('a host name', () => {
  const url = new URL('https://media.example/a.mp3');
  const here: LookupAddress = { address: '127.0.0.1', family: 4 };
  const first: LookupAddress = { address: '9.9.9.9', family: 4 };
  const second: LookupAddress = { address: '2606:4700:4700::1111', family: 6 };

  test('is accepted if all its addresses are public', async () => {
    await expect(resolvingTo(first, second).check(url)).resolves.toBeUndefined();
    await expect(resolvingTo(first, here).check(url)).rejects.toMatchObject({
      code: 'remote_host_blocked',
      message: expect.stringContaining('public Internet'),
    });
  });

  test.each([
    ['has no address', resolvingTo(), 'remote_host_unresolved', 'no host called “media.example”'],
    ['does not exist', failing(coded('ENOTFOUND')), 'remote_host_unresolved', 'media.example'],
    ['has no records', failing(coded('ENODATA')), 'remote_host_unresolved', 'media.example'],
    ['cannot be looked up', failing(coded('EAI_AGAIN')), 'remote_dns_failed', '“media.example” could not'],
    ['cannot be looked up for another reason', failing(new Error('?')), 'remote_dns_failed', 'media.example'],
  ])('that %s is refused with %3$s', async (_, names, code, text) => {
    await expect(names.check(url)).rejects.toMatchObject({ code, message: expect.stringContaining(text) });
  });

  test('keeps the reason for the log', async () => {
    const cause = coded('EAI_AGAIN');
    await expect(failing(cause).check(url)).rejects.toMatchObject({ cause });
  });

  test('is looked up for connections under the same rules', async () => {
    expect(await connect(resolvingTo(first, second))).toEqual([null, '9.9.9.9', 4]);
    expect(await connect(resolvingTo(first, second), false)).toEqual([null, '9.9.9.9', 4]);
    expect(await connect(resolvingTo(first, second), true)).toEqual([null, [first, second]]);
    const blocked = expect.objectContaining({ code: 'remote_host_blocked' });
    expect(await connect(resolvingTo(first, here), true)).toEqual([blocked, []]);
  });

  test('of the Internet is resolved to all its addresses', async () => {
    const addresses = await publicNetwork.resolve('localhost');
    expect(addresses).toContainEqual(expect.objectContaining({ family: expect.any(Number) }));
    expect(addresses.every(({ address }) => publicNetwork.isForbidden(address))).toBe(true);
  });
});

test('trusts the certificates of its network', () => {
  expect(new RemoteHosts({ ...publicNetwork, ca: 'certificate' }).ca).toBe('certificate');
});

function resolvingTo(...addresses: readonly LookupAddress[]): RemoteHosts {
  return new RemoteHosts({ ...publicNetwork, resolve: async () => addresses });
}

function failing(error: Error): RemoteHosts {
  return new RemoteHosts({
    ...publicNetwork,
    resolve: async () => {
      throw error;
    },
  });
}

function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** Looks the host up as a connection does, and returns what it is called back with. */
function connect(names: RemoteHosts, all?: boolean): Promise<readonly unknown[]> {
  return new Promise((resolve) => {
    names.lookup('media.example', all === undefined ? {} : { all }, (...answer) => resolve(answer));
  });
}
