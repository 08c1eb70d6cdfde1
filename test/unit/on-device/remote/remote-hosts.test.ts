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
    '%s is no address of a host',
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
