import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completionScript } from '../../../electron/cli/completions.ts';
import {
  commandNames,
  commands,
  optionName,
  options,
  type CommandSpec,
} from '../../../electron/cli/command-table.ts';
import { manPage } from '../../../electron/cli/man-page.ts';
import { Translator } from '../../../electron/core/translator.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';
import { testFolder } from '../../support/test-folder.ts';

const translator = await Translator.load();
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

/** What fish offers for a line. */
function offeredInFish(folder: string, line: string): readonly string[] {
  const script = `source .fish; complete -C '${line}'`;
  const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .flatMap((one) => one.split('\t')[0] || [])
    .toSorted();
}

describe('the completion', () => {
  let temporary: TemporaryFolder;
  let folder = '';

  beforeAll(async () => {
    temporary = await temporaryFolder();
    folder = temporary.path;
    await mkdir(join(folder, 'season'));
    await writeFile(join(folder, 'talk one.mp3'), '');
    for (const shell of ['bash', 'zsh', 'fish'] as const)
      await writeFile(join(folder, `.${shell}`), completionScript(shell, translator));
  });

  afterAll(() => temporary.remove());

  /** What bash offers for the last of the words. */
  function offered(...typed: readonly string[]): readonly string[] {
    const script = `source .bash; compopt() { :; }; COMP_WORDS=(longhand "$@"); COMP_CWORD=$#; _longhand; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...typed], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .toSorted();
  }

  it('offers commands and files first', () => {
    expect(offered('tr')).toEqual(['transcribe']);
    expect(offered('s')).toEqual(['search', 'season', 'serve', 'show', 'speakers', 'status']);
    expect(offered('talk')).toEqual(['talk one.mp3']);
    expect(offered('')).not.toContain('man-page');
  });

  it('offers the commands of a group, and options and their values', () => {
    expect(offered('library', '')).toEqual(['backup', 'restore']);
    expect(offered('library', 'backup', '--r')).toEqual(['--replace']);
    expect(offered('library', 'restore', '--r')).toEqual([]);
    expect(offered('export', '--pre')).toEqual(['--preset']);
    expect(offered('transcribe', '--accuracy', '')).toEqual(['accurate', 'balanced', 'fast']);
    expect(offered('transcribe', 'a', '--out', '')).toEqual(['season']);
    expect(offered('transcribe', 't')).toEqual(['talk one.mp3']);
    expect(offered('completion', 'z')).toEqual(['zsh']);
    expect(offered('list', '')).toEqual([]);
  });

  it.runIf(has('zsh'))('is a valid script for zsh', () => {
    expect(spawnSync('zsh', ['-n', '.zsh'], { cwd: folder, encoding: 'utf8' }).stderr).toBe('');
  });

  it.runIf(has('fish'))('offers the same in fish', () => {
    expect(offeredInFish(folder, 'longhand tr')).toEqual(['transcribe']);
    expect(offeredInFish(folder, 'longhand library ')).toEqual(['backup', 'restore']);
    expect(offeredInFish(folder, 'longhand library backup --re')).toEqual(['--replace']);
    expect(offeredInFish(folder, 'longhand transcribe --accuracy ')).toEqual([
      'accurate',
      'balanced',
      'fast',
    ]);
    expect(offeredInFish(folder, 'longhand transcribe t')).toEqual(['talk one.mp3']);
  });
});

describe('the manual page', () => {
  const page = manPage(translator, '1.2.3');

  it('describes every command and option', () => {
    for (const name of commandNames) {
      const spec: CommandSpec = commands[name];
      if (spec.isHidden === true) continue;
      expect(page).toContain(`.SS longhand ${name.replaceAll('-', String.raw`\-`)}`);
    }
    for (const id of Object.keys(options) as (keyof typeof options)[])
      expect(page).toContain(String.raw`\fB\-\-${optionName(id).replaceAll('-', String.raw`\-`)}\fR`);
    expect(page).not.toContain('cli.');
  });

  it.runIf(has('man'))('is valid', async () => {
    const file = join(await testFolder(), 'longhand.1');
    await writeFile(file, page);
    const { stdout, stderr } = spawnSync('man', ['--warnings', '-l', file], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MANPAGER: 'cat' },
    });
    expect(stderr).toBe('');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'transcribe recordings, on this computer or with a cloud account',
    );
  });
});
