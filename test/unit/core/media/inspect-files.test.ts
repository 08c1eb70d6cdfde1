import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProblemCode } from '../../../../electron/contract/problem.ts';
import {
  inspect,
  inspectFile,
  type Found,
  type InspectedFile,
} from '../../../../electron/core/media/inspect-files.ts';
import { openRegularFile, type OpenForReading } from '../../../../electron/core/media/open-file.ts';
import { probeFileDuration } from '../../../../electron/core/media/probe.ts';
import { checkSource } from '../../../../electron/core/queue/scheduling/source-file.ts';
import { putRecording } from '../../../support/put-recording.ts';
import { testFolder } from '../../../support/test-folder.ts';
import { kennedy } from '../../../support/speech/speech-audio.ts';

async function examined(
  paths: readonly string[],
  links: readonly string[] = [],
  open?: OpenForReading,
): Promise<Found[]> {
  const all: Found[] = [];
  for await (const one of inspect(paths, links, new AbortController().signal, open)) all.push(one);
  return all;
}

/** One line each: the folder and name of a recording, or why it was rejected. */
function summaries(all: readonly Found[]): string[] {
  return all.map((one) => {
    if (one.kind === 'skipped')
      return `${[...one.counts.values()].reduce((sum, count) => sum + count, 0)} skipped`;
    if (one.kind === 'transcripts') return `transcripts: ${one.paths.map((path) => basename(path)).join()}`;
    return one.kind === 'rejected' ? `${one.name}: ${one.problem.code}` : `${one.folderLabel} / ${one.name}`;
  });
}

/** Opens a file of a drive that fails as it is closed. */
const openFromFailingDrive: OpenForReading = async (path) => {
  const handle = await openRegularFile(path);
  return {
    stat: (options) => handle.stat(options),
    read: (...range) => handle.read(...range),
    close: async () => {
      await handle.close();
      throw new Error('EIO');
    },
  };
};

/** Opens a file of a drive that reports a size which no exact number has. */
const openHugeFile: OpenForReading = async (path) => {
  const handle = await openRegularFile(path);
  return {
    stat: async (options) => Object.assign(await handle.stat(options), { size: 2n ** 53n }),
    read: (...range) => handle.read(...range),
    close: () => handle.close(),
  };
};

async function fileAt(path: string): Promise<InspectedFile> {
  const one = await inspectFile(path);
  if (one.kind !== 'file') throw new Error(`left out: ${one.problem.code}`);
  return one;
}

describe('a folder', () => {
  it('is walked recursively in natural order, without hidden files and other than recordings', async () => {
    const root = join(await testFolder(), 'Season 9');
    await putRecording(join(root, 'Take 10.mp3'));
    await putRecording(join(root, 'Take 2.mp3'));
    await putRecording(join(root, 'Raw', 'Day 1', 'a.WAV'), kennedy.wav);
    await putRecording(join(root, '.cache', 'hidden.mp3'));
    await putRecording(join(root, '._Take 2.mp3'));
    await writeFile(join(root, 'notes.txt'), 'no recording');
    expect(summaries(await examined([root]))).toEqual([
      'Season 9 / Take 2.mp3',
      'Season 9 / Take 10.mp3',
      'Season 9 / Raw / Day 1 / a.WAV',
      '1 skipped',
    ]);
  });

  it('has transcripts to import unless it only has texts and exports beside their recordings', async () => {
    const root = join(await testFolder(), 'Season 9');
    await putRecording(join(root, 'Raw', 'Take 1.mp3'));
    await writeFile(join(root, 'Raw', 'Take 1.srt'), 'an export');
    await writeFile(join(root, 'Raw', 'Take 1.txt'), 'an export');
    await writeFile(join(root, 'notes.txt'), 'no transcript');
    expect(summaries(await examined([root]))).toEqual(['Season 9 / Raw / Take 1.mp3', '3 skipped']);
    await writeFile(join(root, 'cover.jpg'), 'a picture');
    await writeFile(join(root, 'Take 1.srt'), 'its recording is not beside it');
    expect(summaries(await examined([root]))).toEqual([
      'Season 9 / Raw / Take 1.mp3',
      'transcripts: notes.txt,Take 1.srt,Take 1.srt',
      '2 skipped',
    ]);
  });

  it('with a cycle of links is walked once', async () => {
    const root = join(await testFolder(), 'circle');
    await putRecording(join(root, 'inner', 'one.mp3'));
    await symlink(root, join(root, 'inner', 'back'));
    await symlink(join(root, 'inner'), join(root, 'twice'));
    expect(summaries(await examined([root]))).toEqual(['circle / inner / one.mp3']);
  });

  it('yields the rest if a link is dangling or a file is broken', async () => {
    const root = join(await testFolder(), 'mixed');
    await putRecording(join(root, 'b.mp3'));
    await symlink(join(root, 'gone.mp3'), join(root, 'a.mp3'));
    await writeFile(join(root, 'c.mp3'), 'this is text');
    await writeFile(join(root, 'd.mp3'), '');
    expect(summaries(await examined([root]))).toEqual([
      'a.mp3: path_missing',
      'mixed / b.mp3',
      'c.mp3: not_media',
      'd.mp3: file_empty',
    ]);
  });

  it('of source code has no recordings, although .ts is also an extension of video', async () => {
    const root = join(await testFolder(), 'sources');
    await mkdir(root);
    await writeFile(join(root, 'index.ts'), 'export const one = 1;\n');
    await putRecording(join(root, 'demo.mp3'));
    expect(summaries(await examined([root]))).toEqual(['sources / demo.mp3', '1 skipped']);
  });

  it.each<[string, ProblemCode]>([
    ['nothing', 'folder_empty'],
    ['notes.pdf', 'folder_without_media'],
    ['Harbour.SRT', 'folder_of_transcripts'],
  ])('with %s in it is reported', async (content, code) => {
    const root = await testFolder();
    if (content !== 'nothing') await writeFile(join(root, content), 'text');
    expect(await examined([root])).toMatchObject([{ kind: 'rejected', problem: { code } }]);
  });

  it('is abandoned when the user cancels', async () => {
    const root = await testFolder();
    for (let n = 0; n < 100; n += 1) await putRecording(join(root, `${n % 10}`, `${n}.mp3`));
    const stop = new AbortController();
    const names: string[] = [];
    const walking = (async () => {
      for await (const one of inspect([root], [], stop.signal)) {
        if (names.push(one.kind) === 1) stop.abort(new Error('stopped'));
      }
    })();
    await expect(walking).rejects.toThrow('stopped');
    expect(names.length).toBeLessThan(100);
  });
});

describe('a path', () => {
  it('of a recording yields what the queue needs to know', async () => {
    const path = join(await testFolder(), 'Interview.mp3');
    await putRecording(path);
    await utimes(path, 1_700_000_000.123_456, 1_700_000_000.123_456);
    const file = await fileAt(path);
    expect(file).toMatchObject({ name: 'Interview.mp3', mimeType: 'audio/mpeg' });
    // The queue compares exactly these values before it sends each part.
    await expect(checkSource(file)).resolves.toBeUndefined();
    await appendFile(path, 'more');
    await expect(checkSource(file)).rejects.toThrow('file_changed');
  });

  it('is accepted if its drive fails as it is closed', async () => {
    const path = join(await testFolder(), 'one', 'a.mp3');
    await putRecording(path);
    expect(summaries(await examined([path], [], openFromFailingDrive))).toEqual(['one / a.mp3']);
  });

  it('is rejected if its drive reports a size that no row of the queue can have', async () => {
    const path = join(await testFolder(), 'a.mp3');
    await putRecording(path);
    expect(summaries(await examined([path], [], openHugeFile))).toEqual(['a.mp3: file_too_large']);
  });

  it('of a recording without an extension is recognized by its content', async () => {
    const path = join(await testFolder(), 'recording');
    await putRecording(path, kennedy.wav);
    expect(await inspectFile(path)).toMatchObject({ kind: 'file', mimeType: 'application/octet-stream' });
  });

  it('is yielded once if it is given twice, or again through its folder', async () => {
    const root = join(await testFolder(), 'twice');
    const path = join(root, 'one.mp3');
    await putRecording(path);
    expect(summaries(await examined([path, root, join(root, '.', 'one.mp3')]))).toEqual([
      'twice / one.mp3',
      'one.mp3: already_queued',
      'one.mp3: already_queued',
    ]);
  });

  it.skipIf(process.platform === 'win32')(
    'that is missing, dangling, text or a pipe is rejected with the reason',
    async () => {
      const root = await testFolder();
      const pipe = join(root, 'pipe.mp3');
      execFileSync('mkfifo', [pipe]);
      await writeFile(join(root, 'page.mp3'), '<html>Not found</html>');
      await writeFile(join(root, 'picture.mp4'), Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'));
      await writeFile(join(root, 'data'), Buffer.alloc(100));
      await symlink(join(root, 'loop.mp3'), join(root, 'loop.mp3'));
      const names = ['missing.mp3', 'loop.mp3', 'page.mp3', 'picture.mp4', 'pipe.mp3', 'data'];
      expect(summaries(await examined(names.map((name) => join(root, name))))).toEqual([
        'missing.mp3: path_missing',
        'loop.mp3: path_unreadable',
        'page.mp3: not_media',
        'picture.mp4: not_media',
        'pipe.mp3: not_a_file',
        'data: not_media',
      ]);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'of a pipe named like a recording is reported in a folder too, and never opened',
    async () => {
      const root = join(await testFolder(), 'pipes');
      await mkdir(root);
      const pipe = join(root, 'pipe.mp3');
      execFileSync('mkfifo', [pipe, join(root, 'pipe.txt')]);
      expect(summaries(await examined([root]))).toEqual(['pipe.mp3: not_a_file']);
      expect(await inspectFile(pipe)).toMatchObject({ problem: { code: 'not_a_file' } });
      expect(await probeFileDuration(pipe)).toStrictEqual({ seconds: null, unmeasured: 'unreadable' });
    },
  );

  it('of an unknown format is left for the service to judge', async () => {
    const path = join(await testFolder(), 'call.amr');
    await writeFile(path, Buffer.from([0x00, 0x91, 0x17, 0x02, 0x10]));
    expect(await inspectFile(path)).toMatchObject({
      kind: 'file',
      mimeType: 'audio/amr',
    });
  });
});

describe('links', () => {
  it('come after the files, invalid ones with the reason', async () => {
    const links = [
      ' https://example.org/talks/Day%201.mp3?token=1#t=10 ',
      'http://example.org/a.mp3',
      'nonsense',
    ];
    const all = await examined([kennedy.mp3], links);
    expect(all.map(({ kind }) => kind)).toEqual(['file', 'link', 'rejected', 'rejected']);
    expect(all.slice(1)).toMatchObject([
      { url: 'https://example.org/talks/Day%201.mp3?token=1', name: 'Day 1.mp3', folderLabel: 'example.org' },
      { name: 'http://example.org/a.mp3', problem: { code: 'insecure_remote_url' } },
      { name: 'nonsense', problem: { code: 'invalid_link' } },
    ]);
  });

  it.each([
    'https://',
    'https://user:secret@example.org/a.mp3',
    'ftp://example.org/a.mp3',
    '',
    '/home/a.mp3',
  ])('such as %j are rejected', async (link) => {
    expect(await examined([], [link])).toMatchObject([{ problem: { code: 'invalid_link' } }]);
  });

  it.each([
    ['https://user:secret@example.org/a.mp3?sign=secret#secret', 'https://…@example.org/a.mp3?…'],
    ['http://secret@example.org/a.mp3', 'http://…@example.org/a.mp3'],
    ['https:\\\\user:secret@example.org\\a.mp3', 'https://…@example.org/a.mp3'],
    ['ftp://user:se@cret@example.org/a@b.mp3', 'ftp://…@example.org/a@b.mp3'],
    ['https://user:sec/ret?secret@example .org/a.mp3', 'https://…@example .org/a.mp3'],
    ['user:secret@example.org/a.mp3', '…@example.org/a.mp3'],
    ['http://example.org/a.mp3?sign=secret', 'http://example.org/a.mp3?…'],
  ])('such as %s are shown without secrets', async (link, name) => {
    const [one] = await examined([], [link]);
    expect(one).toMatchObject({ kind: 'rejected', name });
    expect(JSON.stringify(one)).not.toContain('secret');
  });

  it.each([
    'https://www.youtube.com/watch?v=abc',
    'https://youtu.be/abc',
    'https://open.spotify.com/episode/abc',
    'https://example.org/episodes/12.html',
  ])('such as %s lead to web pages and are rejected', async (link) => {
    expect(await examined([], [link])).toMatchObject([{ kind: 'rejected', problem: { code: 'web_page' } }]);
  });

  it('without a file are named after their host', async () => {
    expect(await examined([], ['https://example.org/'])).toMatchObject([
      { kind: 'link', name: 'example.org' },
    ]);
  });
});
