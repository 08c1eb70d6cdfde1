import { resolve } from 'node:path';
import { pathOfFileLink } from '../../core/media/links.ts';
import type { ImportCommand } from '../cli-command.ts';
import type { CommandLineSystem, OpenedCore } from '../command-line-system.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { throwIfLeaseLost, withDataFolder } from '../open-library.ts';
import type { LibraryReporter } from '../reporting/library-reporters.ts';
import { expandStdinPaths } from '../stdin-paths.ts';

/**
 * `longhand import`: adds transcript files, and those in folders, to the library. Content that it already has is not added
 * again.
 */
export async function importTranscripts(
  { files, tags }: ImportCommand,
  system: CommandLineSystem,
  reporter: LibraryReporter,
): Promise<ExitCode> {
  const { workingFolder, secrets, stderr, translator } = system;
  const typedPaths = await expandStdinPaths(files, system);
  const paths = typedPaths.map((path) => pathOfFileLink(path) ?? resolve(workingFolder, path));
  const open = (onLeaseLost: () => void): OpenedCore => system.openCore(secrets, {}, onLeaseLost);
  return withDataFolder(system, open, async ({ longhand: { library } }, signal) => {
    const { added, known, trashed, guessed, rejected, unread } = await library.importFiles(paths, {
      signal,
      onProgress: ({ done, total }) => reporter.report({ type: 'progress', task: 'import', done, total }),
    });
    throwIfLeaseLost(signal);
    if (tags.length > 0) {
      library.tag(
        added.map(({ id }) => id),
        tags,
        [],
      );
    }
    for (const { id, name } of added) reporter.report({ type: 'imported', transcript: id, name });
    for (const { name, problem } of rejected) reporter.report({ type: 'left-out', name, problem });
    reporter.report({
      type: 'import-end',
      outcome: unread === null ? 'finished' : 'interrupted',
      added: added.length,
      known,
      trashed: trashed.length,
      failed: rejected.length,
      left: unread ?? 0,
    });
    if (guessed.length > 0)
      stderr.write(`${translator.translate('import.guessed', { count: guessed.length })}\n`);
    if (unread !== null) return exitCode.interrupted;
    return rejected.length > 0 ? exitCode.someFailed : exitCode.done;
  });
}
