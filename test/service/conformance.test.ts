import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isForbiddenAddress } from '../../electron/on-device/remote/address-rules.ts';
import type { RemoteNetwork } from '../../electron/on-device/remote/remote-hosts.ts';
import { startOnDevice, type TestService } from '../support/servers/on-device.ts';
import { checks } from './conformance/checks.ts';
import { uncheckableRules } from './conformance/uncheckable-rules.ts';
import { Api } from './support/api.ts';
import { listSchema } from './support/document.ts';
import { startTamperingProxy } from './support/tampering-proxy.ts';

/** An unused address in place of example.com. */
const example = '127.0.0.9';

/** An Internet with only example.com and this computer. */
const network: RemoteNetwork = {
  async resolve(hostname) {
    const address = { 'example.com': example, localhost: '127.0.0.1' }[hostname];
    if (address === undefined) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
    return [{ address, family: 4 }];
  },
  isForbidden: (address) => address !== example && isForbiddenAddress(address),
};

describe('the on-device service conforms to the API', () => {
  let service: TestService;
  let api: Api;
  beforeAll(async () => {
    service = await startOnDevice({ credits: 1000, network });
    api = new Api(service);
  });
  afterAll(async () => service.stop());

  test('describes itself, so that each response below is checked against that too', async () => {
    expect(await api.description()).not.toBeNull();
  });

  test.each(checks)('part $part: $rule', async (check) => {
    await expect(check.run(api)).resolves.toBeUndefined();
  });

  test('every part of the document with a rule is checked or listed as out of reach', () => {
    const parts = ['1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '2.1', '2.2', '2.3', '3'];
    parts.push('4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '5.1', '5.2', '5.3', '7', '8');
    const covered = new Set([...checks, ...uncheckableRules].flatMap(({ part }) => part.split(', ')));
    expect(parts.filter((part) => !covered.has(part))).toEqual([]);
  });
});

/** Runs the command like a user. */
const run = async (...args: readonly string[]): Promise<{ code: number; output: string }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'conformance/run-checks.ts'), ...args], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', LONGHAND_API_KEY: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], output, errors] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code: Number(code), output: output + errors };
};

describe('the conformance command', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startOnDevice({ credits: 1000, network });
  });
  afterAll(async () => service.stop());

  test('only reads unless asked otherwise', async () => {
    const { code, output } = await run('--base', `${service.baseUrl}/`, '--key', service.key);
    expect(output).toContain('nothing is made or charged');
    expect(output).toMatch(/\d+ rules create jobs and delete them: --create checks them too/);
    expect(output).toMatch(/\d+ rules cost at most 5 credits: --pay checks them too/);
    expect(output).toContain('checked against the service’s /openapi.json');
    expect(output).toMatch(/\d+ passed, 0 failed, 1 inconclusive, \d+ not checked/);
    expect(code).toBe(0);
    expect((await new Api(service).list()).body).toMatchObject({
      data: [],
      meta: { balance_credits: 1000 },
    });
  });

  test('with --create, leaves no active job and spends nothing', async () => {
    const { code, output } = await run('--base', service.baseUrl, '--key', service.key, '--create');
    expect(output).toMatch(/\d+ passed, 0 failed, 0 inconclusive/);
    expect(code).toBe(0);
    const { body } = await new Api(service).list();
    expect(new Set(listSchema.parse(body).map(({ status }) => status))).toEqual(new Set(['deleted']));
    expect(body).toMatchObject({ meta: { balance_credits: 1000 } });
  });

  test('accepts the record of a deleted failed job', async () => {
    const api = new Api(service);
    const { id, upload } = await api.session('a.mp3', 12);
    await api.put(upload, 1, Buffer.from('Hello world!'));
    expect((await api.complete(id)).status).toBe(415);
    await api.delete(id);
    const { code, output } = await run('--base', service.baseUrl, '--key', service.key);
    expect(output).toMatch(/\d+ passed, 0 failed, 0 inconclusive/);
    expect(code).toBe(0);
  });

  test('reports each response that differs from the description of the service', async () => {
    const proxy = await startTamperingProxy(service.baseUrl, (body) =>
      body.replaceAll('"invalid_api_key"', '"invalid_key"'),
    );
    const { code, output } = await run('--base', proxy.baseUrl, '--key', service.key);
    await proxy.stop();
    expect(output).toMatch(
      /FAILED +GET .* without a valid key: invalid_api_key \(5\.1, 5\.2\)\n +with no key: /,
    );
    expect(code).toBe(1);
  });

  test('prints its usage', async () => {
    const { code, output } = await run('--help');
    expect(output).toContain('npm run conformance -- --base URL --key KEY');
    expect(code).toBe(0);
  });

  test.each([
    ['a rejected key', (base: string) => ['--base', base, '--key', 'wrong'], 'refuses this key'],
    ['an unreachable service', () => ['--base', 'http://127.0.0.1:9', '--key', 'k'], 'Nobody answers'],
    ['another address', (base: string) => ['--base', `${base}/x`, '--key', 'KEY'], 'base address right'],
    ['no key', (base: string) => ['--base', base], 'Give a key'],
    ['a key with a line break', (base: string) => ['--base', base, '--key', 'a\nb'], 'no request can carry'],
    ['no address', () => ['--key', 'k'], 'Name the service'],
    ['an unknown option', () => ['--bass', 'k'], '--bass'],
  ])('reports %s', async (_, args, words) => {
    const given = args(service.baseUrl).map((arg) => (arg === 'KEY' ? service.key : arg));
    const { code, output } = await run(...given);
    expect(output).toContain(words);
    expect(code).toBe(2);
  });
});
