import { expect, test } from 'vitest';
import {
  assertKeyForPublicHost,
  assertUsableKey,
  ServiceOptionsError,
} from '../../../electron/on-device/service-options.ts';

const goodKey = 'k'.repeat(16);

test.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])(
  '%s is this computer alone: any key will do',
  (host) => {
    expect(() => assertKeyForPublicHost(host, '')).not.toThrow();
  },
);

test.each(['0.0.0.0', '::', '192.168.1.5', 'fe80::1', 'studio.local', '127.0.0.1.example.com', ''])(
  '%j lets others in: only with a key of one’s own',
  (host) => {
    expect(() => assertKeyForPublicHost(host, '')).toThrow(ServiceOptionsError);
    expect(() => assertKeyForPublicHost(host, 'short')).toThrow(/16 characters/);
    expect(() => assertKeyForPublicHost(host, goodKey)).not.toThrow();
  },
);

test.each(['', 'two words', 'naïve', 'line\n'])('no request could carry the key %j', (key) => {
  expect(() => assertUsableKey(key)).toThrow(ServiceOptionsError);
});
