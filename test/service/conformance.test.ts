import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOnDevice, type TestService } from '../support/on-device.ts';
import { checks } from './conformance/checks.ts';
import { Api } from './support/api.ts';

describe('the on-device service keeps the API', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startOnDevice({ credits: 1000 });
  });
  afterAll(async () => service.stop());

  test.each(checks)('part $part: $rule', async (check) => {
    await expect(check.run(new Api(service))).resolves.toBeUndefined();
  });
});

/** Runs the command as a user does. */
const run = async (...args: readonly string[]): Promise<{ code: number; output: string }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'conformance/run.ts'), ...args], {
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

describe('the command that tries a service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startOnDevice({ credits: 1000 });
  });
  afterAll(async () => service.stop());

  test('only reads unless it is told otherwise', async () => {
    const { code, output } = await run('--base', `${service.baseUrl}/`, '--key', service.key);
    expect(output).toContain('nothing is made or charged');
    expect(output).toMatch(/\d+ kept, 0 broken, \d+ not tried/);
    expect(code).toBe(0);
    expect((await new Api(service).list()).body).toMatchObject({
      data: [],
      meta: { balance_credits: 1000 },
    });
  });

  test('leaves nothing active behind and spends nothing when it may make jobs', async () => {
    const { code } = await run('--base', service.baseUrl, '--key', service.key, '--create');
    expect(code).toBe(0);
    const { data, meta } = (await new Api(service).list()).body as {
      data: { status: string }[];
      meta: { balance_credits: number };
    };
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['deleted']));
    expect(meta.balance_credits).toBe(1000);
  });

  test.each([
    ['a key that is refused', (base: string) => ['--base', base, '--key', 'wrong'], 'refuses this key'],
    ['nobody there', () => ['--base', 'http://127.0.0.1:9', '--key', 'k'], 'Nobody answers'],
    ['another address', (base: string) => ['--base', `${base}/x`, '--key', 'KEY'], 'base address right'],
    ['no key', (base: string) => ['--base', base], 'Give a key'],
    ['no address', () => ['--key', 'k'], 'Name the service'],
  ])('says what is the matter with %s', async (_, args, words) => {
    const given = args(service.baseUrl).map((arg) => (arg === 'KEY' ? service.key : arg));
    const { code, output } = await run(...given);
    expect(output).toContain(words);
    expect(code).toBe(2);
  });
});
