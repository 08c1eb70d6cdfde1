import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type CommandLine, startCommandLine, type CommandOptions } from '../../support/command-line-here.ts';

const serving = async (): ReturnType<NonNullable<CommandOptions['serve']>> => ({
  address: 'http://127.0.0.1:1',
  key: 'key',
  credits: null,
  ended: new Promise<string>(() => undefined),
  stop: async () => undefined,
});

/** Runs `doctor --json`, and returns the result and message of each check and the exit code. */
async function checksOf(
  { run, service }: CommandLine,
  options: CommandOptions = {},
): Promise<{ readonly code: number; readonly checks: Readonly<Record<string, readonly unknown[]>> }> {
  const environment = { DISPLAY: ':0', LONGHAND_MODEL_MIRRORS: service.baseUrl, ...options.environment };
  const { code, json } = await run(['doctor', '--json'], { serve: serving, ...options, environment });
  return {
    code,
    checks: Object.fromEntries(json.map(({ check, result, message }) => [check, [result, message]])),
  };
}

it('says that all is well', async () => {
  const line = await startCommandLine();
  const { code, checks } = await checksOf(line);
  expect(code).toBe(0);
  expect(Object.values(checks).filter(([result]) => result === 'failed')).toEqual([]);
  for (const name of ['permissions', 'keychain', 'engine', 'network', 'service'])
    expect(checks[name]?.[0]).toBe('ok');
  const { stdout } = await line.run(['doctor'], { serve: serving });
  expect(stdout).toMatch(/^ok +The keychain stores keys\.$/m);
});

it('says what to do about what is missing, and exits with 1 only if something does not work', async () => {
  const line = await startCommandLine();
  const { code, checks } = await checksOf(line, {
    environment: { DISPLAY: '', WAYLAND_DISPLAY: '', LONGHAND_MODEL_MIRRORS: 'http://127.0.0.1:9' },
    secrets: {
      get: async () => null,
      set: async () => ({ keptIn: 'this-run', problem: { code: 'keychain_unavailable' } }),
      remove: async () => undefined,
      status: async () => 'none',
    },
  });
  expect(code).toBe(0);
  const display = process.platform === 'linux' ? 'advice' : 'ok';
  expect(checks['display']?.[0]).toBe(display);
  expect(checks['keychain']).toEqual(['advice', expect.stringContaining('GNOME Keyring')]);
  expect(checks['network']).toEqual(['advice', expect.stringContaining('LONGHAND_MODEL_MIRRORS')]);
});

it('checks the account of the default service: no key, a refused one, the right one', async () => {
  const line = await startCommandLine();
  const { baseUrl, key } = line.service;
  const of = async (given: Record<string, string>) => {
    const { code, checks } = await checksOf(line, { environment: { LONGHAND_BASE_URL: baseUrl, ...given } });
    return [code, checks['service']];
  };
  expect(await of({})).toEqual([1, ['failed', expect.stringContaining('longhand key set')]]);
  expect(await of({ LONGHAND_API_KEY: 'wrong' })).toEqual([1, ['failed', expect.stringContaining(baseUrl)]]);
  expect(await of({ LONGHAND_API_KEY: key })).toEqual([0, ['ok', expect.stringContaining(baseUrl)]]);
});

it('reports a service that does not start and a data folder that cannot be used', async () => {
  const line = await startCommandLine();
  await writeFile(join(line.folder, 'file'), '');
  const { code, checks } = await checksOf(line, {
    dataFolder: join(line.folder, 'file', 'data'),
    serve: () => Promise.reject(new Error('no engine')),
  });
  expect(code).toBe(1);
  expect(checks['engine']).toEqual(['failed', expect.stringContaining('no engine')]);
  expect(checks['permissions']).toEqual(['failed', expect.stringContaining('LONGHAND_DATA')]);
});
