import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  forbiddenV4,
  forbiddenV6,
  isForbiddenAddress,
} from '../../../../electron/on-device/remote/address-rules.ts';

/** Addresses as plain numbers: the test's own arithmetic, independent of the code's block lists. */
const v4ToNumber = (text: string): number =>
  text.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
const numberToV4 = (n: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(n / 2 ** bits) % 256).join('.');
const numberToV6 = (n: bigint): string =>
  Array.from({ length: 8 }, (_, i) => ((n >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':');

function v6ToNumber(text: string): bigint {
  const [head = '', tail = ''] = text.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const words = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return words.reduce((sum, word) => (sum << 16n) + BigInt(`0x${word}`), 0n);
}

const v4Blocks = forbiddenV4.map(([network, prefix]) => {
  const first = v4ToNumber(network);
  return { first, last: first + 2 ** (32 - prefix) - 1 };
});

test('every address of a forbidden IPv4 block is forbidden, from the first to the last', () => {
  const inBlock = fc
    .constantFrom(...v4Blocks)
    .chain(({ first, last }) =>
      fc.oneof(fc.constant(first), fc.constant(last), fc.integer({ min: first, max: last })),
    );
  fc.assert(
    fc.property(inBlock, (address) => {
      expect(isForbiddenAddress(numberToV4(address))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('every other IPv4 address is allowed, next to the blocks too', () => {
  const isFree = (n: number): boolean => !v4Blocks.some(({ first, last }) => n >= first && n <= last);
  const edges = v4Blocks.flatMap(({ first, last }) => [first - 1, last + 1]);
  const free = fc
    .oneof(fc.constantFrom(...edges), fc.integer({ min: 0, max: 2 ** 32 - 1 }))
    .filter((n) => n >= 0 && n < 2 ** 32 && isFree(n));
  fc.assert(
    fc.property(free, (address) => {
      expect(isForbiddenAddress(numberToV4(address))).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test('of other IPv6 addresses only global unicast outside the special blocks is allowed', () => {
  const blocks = forbiddenV6.map(([network, prefix]) => {
    const first = v6ToNumber(network);
    return { first, last: first + (1n << BigInt(128 - prefix)) - 1n };
  });
  const globals = {
    first: v6ToNumber('2000::'),
    last: v6ToNumber('3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'),
  };
  const edges = [globals, ...blocks].flatMap(({ first, last }) => [first - 1n, first, last, last + 1n]);
  const address = fc.oneof(
    fc.constantFrom(...edges),
    // The probability of one that embeds an IPv4 address is negligible.
    fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
    fc.bigInt({ min: globals.first, max: globals.last }),
    fc.constantFrom(...blocks).chain(({ first, last }) => fc.bigInt({ min: first, max: last })),
  );
  fc.assert(
    fc.property(address, (n) => {
      const isPublic =
        n >= globals.first && n <= globals.last && !blocks.some(({ first, last }) => n >= first && n <= last);
      expect(isForbiddenAddress(numberToV6(n))).toBe(!isPublic);
    }),
    { numRuns: 2000 },
  );
});

test('an address that embeds an IPv4 address follows the rules of that one', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isForbiddenAddress(`64:ff9b::${address}`)).toBe(isForbiddenAddress(address));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2002:7f00:1::',
  '2001:0:1::',
  'fec0::1',
])('%s is forbidden', (address) => {
  expect(isForbiddenAddress(address)).toBe(true);
});

test.each([
  '2606:4700:4700::1111',
  '2a00:1450:4001:82b::200e',
  '2001:4860:4860::8888',
  '9.9.9.9',
  '64:ff9b::9.9.9.9',
])('%s is allowed', (address) => {
  expect(isForbiddenAddress(address)).toBe(false);
});

test('an invalid address is forbidden', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^[\d.]+$|:/.test(text));
      expect(isForbiddenAddress(text)).toBe(true);
    }),
  );
});
