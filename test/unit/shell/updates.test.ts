import { createHash } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { UpdateState } from '../../../electron/contract/updates.ts';
import { openUpdater } from '../../../electron/shell/updates/open-updater.ts';
import { updateMethod, Updates, type UpdatesOptions } from '../../../electron/shell/updates/updates.ts';
import { ManualClock } from '../../support/clocks/manual-clock.ts';
import { quietLogger } from '../../support/core.ts';
import { FileServer, type Behaviour } from '../../support/servers/file-server.ts';
import { testFolder } from '../../support/test-folder.ts';

// electron-updater itself, with a feed on this computer. Only an AppImage can be replaced without an installer.

const day = 24 * 60 * 60 * 1000;
const fileName = 'Longhand-9.9.9.AppImage';

let folder: string;
beforeEach(async () => {
  folder = await testFolder();
  const installed = join(folder, 'Longhand.AppImage');
  await writeFile(installed, 'the old version');
  vi.stubEnv('APPIMAGE', installed);
});
afterEach(() => void vi.unstubAllEnvs());

/** A new version that says that it was started. */
const newVersion = (): Buffer =>
  Buffer.from(`#!/bin/sh\n# ${'-'.repeat(100_000)}\necho started > '${join(folder, 'started')}'\n`);

interface Feed {
  readonly server: FileServer;
  readonly requestsOf: (name: string) => number;
}

/** Serves a feed with the new version; `behave` decides about each request for its file. */
async function startFeed(
  behave: (request: number) => Behaviour = () => ({}),
  publishedContent: Buffer = newVersion(),
): Promise<Feed> {
  const sha512 = createHash('sha512').update(newVersion()).digest('base64');
  const size = newVersion().length;
  const latest = `version: 9.9.9\nfiles:\n  - url: ${fileName}\n    sha512: ${sha512}\n    size: ${size}\n`;
  let served = 0;
  const server = await FileServer.start({}, (path) => {
    if (/\/latest.*\.yml\?/.test(path)) return { content: Buffer.from(latest) };
    if (!path.endsWith(fileName)) return { status: 404 };
    served += 1;
    return { content: publishedContent, ranges: false, ...behave(served) };
  });
  onTestFinished(() => server.stop());
  const requestsOf = (name: string): number =>
    server.requests.filter(({ path }) => path.startsWith(`/${name}`)).length;
  return { server, requestsOf };
}

interface Started {
  readonly updates: Updates;
  readonly clock: ManualClock;
  readonly states: readonly UpdateState[];
  readonly quits: () => number;
  readonly opened: readonly string[];
  readonly warnings: readonly unknown[];
  /** Resolves once the state is of a kind. */
  readonly reach: (kind: UpdateState['kind']) => Promise<UpdateState>;
}

async function startUpdates(feedUrl: string, more: Partial<UpdatesOptions> = {}): Promise<Started> {
  const configPath = join(folder, 'app-update.yml');
  await writeFile(configPath, `provider: generic\nurl: ${feedUrl}\nupdaterCacheDirName: cache\n`);
  const clock = new ManualClock();
  const states: UpdateState[] = [];
  const opened: string[] = [];
  const warnings: unknown[] = [];
  let quits = 0;
  const logger = { ...quietLogger, warn: (_text: string, details: unknown) => void warnings.push(details) };
  const updates = new Updates({
    open: () =>
      openUpdater({
        configPath,
        version: '0.1.0',
        cacheFolder: folder,
        platform: 'linux',
        logger,
      }),
    method: { kind: 'install' },
    isEnabled: () => true,
    isBusy: () => false,
    openExternal: async (address) => void opened.push(address),
    quit: () => void (quits += 1),
    releaseLock: () => undefined,
    onChange: (state) => void states.push(state),
    clock,
    logger,
    ...more,
  });
  updates.start();
  onTestFinished(() => updates.close());
  return {
    updates,
    clock,
    states,
    quits: () => quits,
    opened,
    warnings,
    reach: (kind) =>
      vi.waitFor(
        () => {
          expect(updates.state.kind).toBe(kind);
          return updates.state;
        },
        { timeout: 15_000 },
      ),
  };
}

const installedFile = (): Promise<string> => readFile(join(folder, 'Longhand.AppImage'), 'utf8');
const pendingFiles = (): Promise<readonly string[]> => readdir(join(folder, 'cache', 'pending'));

it.each([
  ['without a feed', { open: null }, 'unavailable'],
  ['that is switched off', { isEnabled: () => false }, 'none'],
] as const)('requests nothing %s', async (_name, options, kind) => {
  const feed = await startFeed();
  const { updates, clock } = await startUpdates(feed.server.origin, options);
  clock.advance(7 * day);
  await updates.download();
  expect(updates.state).toStrictEqual({ kind });
  expect(feed.server.requests).toHaveLength(0);
});

it('offers a version, and downloads it only when asked', async () => {
  const feed = await startFeed();
  const { updates, clock, reach, states } = await startUpdates(feed.server.origin);
  clock.advance(day);
  expect(await reach('offered')).toStrictEqual({ kind: 'offered', version: '9.9.9', how: 'install' });
  expect(feed.requestsOf(fileName)).toBe(0);

  await updates.download();
  expect(updates.state).toStrictEqual({ kind: 'ready', version: '9.9.9', isBusy: false });
  expect(states.map(({ kind }) => kind)).toContain('downloading');
  expect(await readFile(join(folder, 'cache', 'pending', fileName))).toStrictEqual(newVersion());
  expect(await installedFile()).toBe('the old version');
});

it('looks at once when the user switches it on, and not because another setting changes', async () => {
  let isEnabled = true;
  let checks = 0;
  const open: UpdatesOptions['open'] = async () => ({
    check: async () => {
      checks += 1;
      return null;
    },
    download: async () => undefined,
    install: async () => undefined,
  });
  const { updates, clock } = await startUpdates('', { isEnabled: () => isEnabled, open });
  updates.settingsChanged();
  clock.advance(1);
  expect(checks).toBe(0);
  isEnabled = false;
  updates.settingsChanged();
  isEnabled = true;
  updates.settingsChanged();
  clock.advance(1);
  await expect.poll(() => checks).toBe(1);
});

it('does not identify this computer to the feed', async () => {
  const feed = await startFeed();
  const { clock, reach } = await startUpdates(feed.server.origin);
  clock.advance(day);
  await reach('offered');
  expect(await readdir(folder)).not.toContain('.updaterId');
});

it('starts over after a download that was interrupted', async () => {
  const feed = await startFeed((request) => (request <= 2 ? { cutAfter: 1000 } : {}));
  const { updates, clock, reach } = await startUpdates(feed.server.origin);
  clock.advance(day);
  await reach('offered');
  await updates.download();
  expect(updates.state).toMatchObject({ kind: 'failed', problem: { code: 'update_unreachable' } });
  expect(await pendingFiles()).not.toContain(fileName);
  while (updates.state.kind === 'failed') await updates.download();
  expect(updates.state.kind).toBe('ready');
});

it('does not download again what an earlier start has downloaded', async () => {
  const feed = await startFeed();
  const first = await startUpdates(feed.server.origin);
  first.clock.advance(day);
  await first.reach('offered');
  await first.updates.download();
  first.updates.close();
  const requests = feed.requestsOf(fileName);

  const second = await startUpdates(feed.server.origin);
  second.clock.advance(day);
  await second.reach('offered');
  await second.updates.download();
  expect(second.updates.state.kind).toBe('ready');
  expect(feed.requestsOf(fileName)).toBe(requests);
});

it('refuses and deletes a file with another content than was published', async () => {
  const changed = newVersion();
  changed[50] = 0;
  const feed = await startFeed(() => ({}), changed);
  const { updates, clock, reach, quits } = await startUpdates(feed.server.origin);
  clock.advance(day);
  await reach('offered');
  await updates.download();
  expect(updates.state).toMatchObject({ kind: 'failed', problem: { code: 'update_damaged' } });
  expect(await pendingFiles()).not.toContain(fileName);
  updates.install();
  await updates.installIfRequested();
  expect(quits()).toBe(0);
  expect(await installedFile()).toBe('the old version');
});

it('never installs while work is in progress', async () => {
  const feed = await startFeed();
  let isBusy = true;
  const { updates, clock, reach, quits } = await startUpdates(feed.server.origin, { isBusy: () => isBusy });
  clock.advance(day);
  await reach('offered');
  await updates.download();
  expect(updates.state).toMatchObject({ kind: 'ready', isBusy: true });
  expect(() => updates.install()).toThrow(expect.objectContaining({ problem: { code: 'update_busy' } }));
  expect(quits()).toBe(0);
  // The program is quit without an answer to the notice.
  await updates.installIfRequested();
  expect(await installedFile()).toBe('the old version');

  isBusy = false;
  updates.activityChanged();
  expect(updates.state).toMatchObject({ kind: 'ready', isBusy: false });
});

it('installs at the end of the program, and starts the new version', async () => {
  const feed = await startFeed();
  const { updates, clock, reach, quits } = await startUpdates(feed.server.origin);
  clock.advance(day);
  await reach('offered');
  await updates.download();
  updates.install();
  expect(quits()).toBe(1);
  expect(await installedFile()).toBe('the old version');

  updates.close();
  await updates.installIfRequested();
  expect(await installedFile()).toBe(newVersion().toString());
  await vi.waitFor(async () => expect(await readdir(folder)).toContain('started'), { timeout: 10_000 });
});

it.each([
  ['is gone', rm, 'ENOENT'],
  ['has changed', (path: string) => writeFile(path, 'another program'), 'has changed since'],
] as const)('keeps the old version when the downloaded file %s', async (_name, change, reason) => {
  const feed = await startFeed();
  const { updates, clock, reach, warnings } = await startUpdates(feed.server.origin);
  clock.advance(day);
  await reach('offered');
  await updates.download();
  updates.install();
  updates.close();
  await change(join(folder, 'cache', 'pending', fileName));
  await updates.installIfRequested();
  expect(await installedFile()).toBe('the old version');
  expect(warnings).toContainEqual({ error: expect.stringContaining(reason) });
  expect(await readdir(folder)).toStrictEqual(['Longhand.AppImage', 'app-update.yml', 'cache']);
});

it('gives an AppImage the name of its version, if it had one', async () => {
  const versioned = join(folder, 'Longhand-0.1.0.AppImage');
  await writeFile(versioned, 'the old version');
  // As after a kill.
  await writeFile(join(folder, 'Longhand.AppImage.update'), 'a part of any version');
  vi.stubEnv('APPIMAGE', versioned);
  const feed = await startFeed();
  const { updates, clock, reach } = await startUpdates(feed.server.origin);
  clock.advance(day);
  await reach('offered');
  await updates.download();
  updates.install();
  updates.close();
  await updates.installIfRequested();
  expect(await readFile(join(folder, fileName))).toStrictEqual(newVersion());
  await vi.waitFor(async () => expect(await readdir(folder)).toContain('started'), { timeout: 10_000 });
  const files = await readdir(folder);
  expect(files.filter((name) => name.startsWith('Longhand-'))).toStrictEqual([fileName]);
  expect(files.filter((name) => name.endsWith('.update'))).toStrictEqual([]);
  expect(await pendingFiles()).not.toContain(fileName);
});

it('starts the new version although the old one cannot be deleted', async () => {
  vi.stubEnv('APPIMAGE', join(folder, 'Longhand-0.1.0.AppImage'));
  const feed = await startFeed();
  const { updates, clock, reach } = await startUpdates(feed.server.origin);
  clock.advance(day);
  await reach('offered');
  await updates.download();
  updates.install();
  updates.close();
  await updates.installIfRequested();
  await vi.waitFor(async () => expect(await readdir(folder)).toContain('started'), { timeout: 10_000 });
});

it('does nothing more once it is closed, while the queue still ends', async () => {
  const feed = await startFeed();
  let isEnabled = true;
  let asked = 0;
  const isBusy = () => {
    asked += 1;
    return false;
  };
  const started = await startUpdates(feed.server.origin, { isBusy, isEnabled: () => isEnabled });
  const { updates, clock, reach } = started;
  clock.advance(day);
  await reach('offered');
  await updates.download();
  updates.close();
  const askedBefore = asked;
  updates.activityChanged();
  expect(asked).toBe(askedBefore);

  const { updates: other, clock: otherClock } = await startUpdates(feed.server.origin, {
    isEnabled: () => isEnabled,
  });
  isEnabled = false;
  other.settingsChanged();
  other.close();
  isEnabled = true;
  other.settingsChanged();
  const { length } = feed.server.requests;
  otherClock.advance(day);
  expect(feed.server.requests).toHaveLength(length);
});

it('ends a download when the program closes', async () => {
  const feed = await startFeed(() => ({ stallAfter: 1000 }));
  const { updates, clock, reach } = await startUpdates(feed.server.origin);
  clock.advance(day);
  await reach('offered');
  const downloading = updates.download();
  await vi.waitFor(() => expect(feed.requestsOf(fileName)).toBeGreaterThan(0));
  updates.close();
  await downloading;
  expect(updates.state.kind).toBe('downloading');
  expect(await pendingFiles()).not.toContain(fileName);
});

it.each([
  ['a feed', 'http://192.0.2.1/feed', null],
  ['a redirect', null, 'http://192.0.2.1/latest.yml'],
] as const)('refuses %s that anyone on the network could change', async (_name, feedUrl, redirectTo) => {
  const server = await FileServer.start({}, () => (redirectTo === null ? {} : { redirectTo }));
  onTestFinished(() => server.stop());
  const { updates, clock, warnings } = await startUpdates(feedUrl ?? server.origin);
  clock.advance(day);
  await vi.waitFor(() =>
    expect(warnings).toContainEqual({ error: expect.stringContaining('address_not_https') }),
  );
  expect(updates.state).toStrictEqual({ kind: 'none' });
});

it('opens the address of the new version where it cannot be installed', async () => {
  const feed = await startFeed();
  const method = {
    kind: 'website',
    addressOf: ({ files: [file = ''] }) => file,
  } as const satisfies UpdatesOptions['method'];
  const { updates, clock, reach, opened } = await startUpdates(feed.server.origin, { method });
  vi.stubEnv('APPIMAGE', undefined);
  clock.advance(day);
  expect(await reach('offered')).toMatchObject({ how: 'website' });
  await updates.download();
  expect(opened).toStrictEqual([`${feed.server.origin}/${fileName}`]);
  expect(feed.requestsOf(fileName)).toBe(0);
});

const homepage = 'https://longhand.example';
const executable = '/tmp/.mount_Longha/longhand';
const files = ['https://feed.example/a.AppImage', 'https://feed.example/a.deb', 'https://feed.example/a.rpm'];

const image = { APPIMAGE: '/home/ann/Longhand.AppImage', APPDIR: '/tmp/.mount_Longha' };

it.each([
  ['linux', image, '', null],
  // Started from a program that is an AppImage.
  ['linux', { APPIMAGE: '/home/ann/Editor.AppImage', APPDIR: '/tmp/.mount_Editor' }, '', homepage],
  ['linux', { APPIMAGE: '/home/ann/Editor.AppImage', APPDIR: '/tmp/.mount_Longh' }, '', homepage],
  ['linux', { APPIMAGE: '/home/ann/Editor.AppImage' }, '', homepage],
  ['linux', { APPIMAGE: '/home/ann/Editor.AppImage', APPDIR: '' }, '', homepage],
  ['linux', {}, 'deb', 'https://feed.example/a.deb'],
  ['linux', {}, 'rpm', 'https://feed.example/a.rpm'],
  ['linux', {}, '', homepage],
  ['win32', {}, '', null],
  ['win32', { PORTABLE_EXECUTABLE_FILE: 'E:\\Longhand.exe' }, '', homepage],
  ['darwin', {}, '', null],
] as const)(
  'on %s with %o and package type "%s", opens %s',
  (platform, environment, packageType, address) => {
    const method = updateMethod({
      platform,
      environment,
      executable,
      packageType,
      homepage,
      mayDownload: true,
    });
    const opened = method.kind === 'install' ? null : method.addressOf({ version: '9.9.9', files });
    expect(opened).toBe(address);
  },
);

it.each(['file:///usr/bin/a.deb', 'javascript:a.deb', 'http://feed.example/a.deb', 'a.deb'])(
  'opens the homepage instead of %s',
  (file) => {
    const method = updateMethod({
      platform: 'linux',
      environment: {},
      executable,
      packageType: 'deb',
      homepage,
      mayDownload: true,
    });
    expect(method.kind === 'website' && method.addressOf({ version: '9.9.9', files: [file] })).toBe(homepage);
  },
);

it('opens the homepage where another user could exchange the download', () => {
  const facts = { platform: 'darwin', environment: {}, executable, packageType: '', homepage } as const;
  const method = updateMethod({ ...facts, mayDownload: false });
  expect(method.kind === 'website' && method.addressOf({ version: '9.9.9', files })).toBe(homepage);
});
