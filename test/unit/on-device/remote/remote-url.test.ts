import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileNameOf, parseRemoteUrl } from '../../../../electron/on-device/remote/remote-url.ts';

describe('parseRemoteUrl', () => {
  test.each([
    ['https://media.example/a.mp3', 'https://media.example/a.mp3'],
    ['https://media.example:8443/a%20b.mp3?x=1#t=3', 'https://media.example:8443/a%20b.mp3?x=1'],
    [' https://MEDIA.example/a.mp3 ', 'https://media.example/a.mp3'],
  ])('accepts %j', (text, href) => {
    expect(parseRemoteUrl(text).href).toBe(href);
  });

  test.each([
    ['', 'invalid_remote_url'],
    ['nonsense', 'invalid_remote_url'],
    ['//media.example/a.mp3', 'invalid_remote_url'],
    ['https://', 'invalid_remote_url'],
    ['https://user@media.example/a.mp3', 'invalid_remote_url'],
    ['https://:word@media.example/a.mp3', 'invalid_remote_url'],
    ['https://user:word@media.example/a.mp3', 'invalid_remote_url'],
    [`https://media.example/${'a'.repeat(9000)}`, 'invalid_remote_url'],
    ['http://media.example/a.mp3', 'insecure_remote_url'],
    ['ftp://media.example/a.mp3', 'insecure_remote_url'],
    ['file:///etc/passwd', 'insecure_remote_url'],
    ['data:audio/mp3,x', 'insecure_remote_url'],
    ['javascript:alert(1)', 'insecure_remote_url'],
  ])('rejects %j as %s', (text, code) => {
    expect(() => parseRemoteUrl(text)).toThrow(expect.objectContaining({ code }));
  });

  test('accepts an address of 8192 characters, and none longer', () => {
    const longest = `https://media.example/${'a'.repeat(8192 - 22)}`;
    expect(parseRemoteUrl(longest).href).toBe(longest);
    expect(() => parseRemoteUrl(`${longest}a`)).toThrow('valid');
  });

  test.each([
    ['nonsense', 'valid address'],
    ['http://media.example', 'https://'],
    ['https://ann@media.example', 'user name or password'],
  ])('says why it rejects %j', (text, reason) => {
    expect(() => parseRemoteUrl(text)).toThrow(reason);
  });

  test('the target of a redirect follows the same rules', () => {
    const base = new URL('https://media.example/a/b.mp3');
    expect(parseRemoteUrl('../c.mp3', base).href).toBe('https://media.example/c.mp3');
    expect(() => parseRemoteUrl('http://media.example/c.mp3', base)).toThrow(
      expect.objectContaining({ code: 'insecure_remote_url' }),
    );
  });
});

describe('fileNameOf', () => {
  test.each([
    ['https://media.example/season/ep%201.mp3?token=1', 'ep 1.mp3'],
    ['https://media.example/', 'media.example'],
    ['https://media.example/download/', 'download'],
    ['https://media.example/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'passwd'],
    ['https://media.example/a%00%0Ab.mp3', 'ab.mp3'],
    ['https://media.example/%E0%A4%A.mp3', '%E0%A4%A.mp3'],
    ['https://media.example/%2F', 'media.example'],
    ['https://media.example/C%3A%5Cx.mp3', 'x.mp3'],
    ['https://media.example/a%2F%20', 'a'],
    ['https://media.example/a%2F..', 'a'],
    ['https://media.example/a%2F.', 'a'],
    [`https://media.example/${'🎙'.repeat(300)}x`, `${'🎙'.repeat(199)}x`],
  ])('names %s %j', (url, name) => {
    expect(fileNameOf(new URL(url))).toBe(name);
  });

  test('never contains a separator or an invisible character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        const name = fileNameOf(new URL(`https://media.example/${encodeURIComponent(path.toWellFormed())}`));
        expect(name).not.toBe('');
        expect(name).not.toMatch(/[/\\\p{Cc}\p{Cs}]/u);
        expect(['.', '..']).not.toContain(name);
        expect([...name].length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
