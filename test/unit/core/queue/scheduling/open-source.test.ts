import { execFileSync } from 'node:child_process';
import { copyFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inspectFile } from '../../../../../electron/core/media/inspect-files.ts';
import { fileSourceOf } from '../../../../../electron/core/queue/adding/item-adder.ts';
import type { FileSource } from '../../../../../electron/core/item/item.ts';
import {
  checkSource,
  diskFiles,
  openSource,
  partBody,
  type SourceFiles,
  type SourceHandle,
} from '../../../../../electron/core/queue/scheduling/source-file.ts';
import { silentWav } from '../../../../support/speech/quick-speech.ts';
import { testFolder } from '../../../../support/test-folder.ts';

const whole = 1_700_000_000;

async function added(): Promise<FileSource> {
  const path = join(await testFolder(), 'talk.wav');
  await writeFile(path, silentWav(1, 50_000));
  await utimes(path, whole, whole);
  const inspected = await inspectFile(path);
  if (inspected.kind !== 'file') throw new Error('no recording');
  return fileSourceOf(inspected);
}

/** Replaces a recording by another file with the same modification time. */
async function replace({ path, inode }: FileSource, change: (bytes: Buffer) => void): Promise<void> {
  const bytes = silentWav(1, 50_000);
  change(bytes);
  await writeFile(`${path}.new`, bytes);
  await utimes(`${path}.new`, whole, whole);
  await rename(`${path}.new`, path);
  expect(String((await stat(path)).ino)).not.toBe(inode);
}

it('accepts a file with another inode, the same time and the same content', async () => {
  const source = await added();
  await replace(source, () => undefined);
  await expect(checkSource(source)).resolves.toBeUndefined();
});

it.each([0, 25_000, 49_999])('rejects a file whose byte %i differs', async (index) => {
  const source = await added();
  await replace(source, (bytes) => {
    bytes[index] = (bytes[index] ?? 0) ^ 1;
  });
  await expect(checkSource(source)).rejects.toMatchObject({ problem: { code: 'file_changed' } });
});

it.skipIf(process.platform === 'win32')('rejects a pipe without waiting for it', async () => {
  const source = await added();
  await rm(source.path);
  execFileSync('mkfifo', [source.path]);
  await expect(checkSource(source)).rejects.toMatchObject({ problem: { code: 'file_changed' } });
});

it('rejects a file with the same content and another time', async () => {
  const source = await added();
  await copyFile(source.path, `${source.path}.copy`);
  await rename(`${source.path}.copy`, source.path);
  await expect(checkSource(source)).rejects.toMatchObject({ problem: { code: 'file_changed' } });
});

/** A drive that fails in `step` with a system error. */
function failing(step: 'stat' | 'read' | 'close', code: string): SourceFiles {
  const fail = async (): Promise<never> => {
    throw Object.assign(new Error(code), { code });
  };
  return {
    async open(path) {
      const handle = await diskFiles.open(path);
      const broken: SourceHandle = { ...handle, [step]: fail };
      return { ...broken, close: () => handle.close().then(fail) };
    },
  };
}

it('accepts an unchanged file whose drive fails as it is closed', async () => {
  await expect(checkSource(await added(), failing('close', 'EIO'))).resolves.toBeUndefined();
});

it.each(['EIO', 'ENODEV', 'ESTALE'])('reports a drive that fails with %s as unreadable', async (code) => {
  const source = await added();
  const unreadable = { problem: { code: 'file_unreadable', params: { path: source.path } } };
  await expect(openSource(source, failing('stat', code))).rejects.toMatchObject(unreadable);
  const handle = await openSource(source, failing('read', code));
  const part = { number: 1, offset: 0, length: 50_000 };
  const chunks = partBody(handle, source.path, part, () => undefined).chunks(() => undefined);
  const read = async (): Promise<void> => {
    for await (const piece of chunks) expect(piece).toBeDefined();
  };
  await expect(read()).rejects.toMatchObject(unreadable);
});
