import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isOwnHost } from '../../../../electron/on-device/http/origin.ts';

test.each([
  '127.0.0.1:8080',
  '127.0.0.1',
  'localhost:1',
  'LOCALHOST:1',
  '[::1]:8080',
  '192.168.1.5:8080',
  hostname(),
  `${hostname()}.local:80`,
  'studio.example:8080',
])('%s is the service', (host) => {
  expect(isOwnHost(host, 'studio.example')).toBe(true);
});

test.each([
  '',
  'evil.example',
  'evil.example:8080',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '[evil.example]',
  '::1',
  '127.0.0.1:8080:9',
  'localhost:',
  'a b',
])('%j is somebody else', (host) => {
  expect(isOwnHost(host, 'studio.example')).toBe(false);
});
