import { BlockList, isIP } from 'node:net';

/**
 * Which addresses a link may lead to: only those of the public Internet, so that a link cannot reach this computer or its
 * network through the service. From the IANA registries of special-purpose addresses.
 */

/** IPv4 blocks that are not public. */
export const forbiddenV4 = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared (carrier NAT)
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const;

/** The prefix of IPv6 addresses that embed an IPv4 address, for networks with only IPv6 (NAT64, RFC 6052). */
const nat64 = '64:ff9b::';
const nat64Prefix = 96;

/** Global unicast and NAT64. Excludes loopback, link-local, unique local, multicast and IPv4-mapped addresses. */
const publicV6 = [
  ['2000::', 3],
  [nat64, nat64Prefix],
] as const;

/** Blocks within these that are not public, or that embed an arbitrary IPv4 address. */
export const forbiddenV6 = [
  ['2001::', 23], // protocol assignments, Teredo
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['3fff::', 20], // documentation
] as const;

const forbidden = new BlockList();
for (const [network, prefix] of forbiddenV6) forbidden.addSubnet(network, prefix, 'ipv6');
for (const [network, prefix] of forbiddenV4) {
  forbidden.addSubnet(network, prefix, 'ipv4');
  forbidden.addSubnet(`${nat64}${network}`, nat64Prefix + prefix, 'ipv6');
}

const publicBlocks = new BlockList();
for (const [network, prefix] of publicV6) publicBlocks.addSubnet(network, prefix, 'ipv6');

/** Whether a link must not lead to `address`. An invalid address is forbidden. */
export function isForbiddenAddress(address: string): boolean {
  const [withoutZone = ''] = address.split('%');
  switch (isIP(withoutZone)) {
    case 4:
      return forbidden.check(withoutZone, 'ipv4');
    case 6:
      return !publicBlocks.check(withoutZone, 'ipv6') || forbidden.check(withoutZone, 'ipv6');
    default:
      return true;
  }
}
