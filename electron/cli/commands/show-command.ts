import { defaultExportScope, subtitleFormats } from '../../contract/choices.ts';
import { isUntimed } from '../../core/formats/content.ts';
import { writeTranscript } from '../../core/formats/formats.ts';
import { writeOptionsFor } from '../../core/formats/write/write-options.ts';
import { chooseTranscripts } from '../../core/library/choose-transcripts.ts';
import { ExportSources } from '../../core/store/library/export-sources.ts';
import type { ShowCommand } from '../cli-command.ts';
import type { CommandLineSystem } from '../command-line-system.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { openLibraryReader, prepareLibrary } from '../open-library.ts';
import { unknownName, type LibraryReporter } from '../reporting/library-reporters.ts';

/** `longhand show`: prints a transcript with its edits; if several have the name, the newest. */
export async function show(
  { name, format, notes }: ShowCommand,
  system: CommandLineSystem,
  reporter: LibraryReporter,
): Promise<ExitCode> {
  const { stdout, stderr, translator } = system;
  await prepareLibrary(system, reporter, { completeSearchIndex: false });
  const database = openLibraryReader(system);
  try {
    const { ids, unknown } = chooseTranscripts(database, { kind: 'named', names: [name] });
    const [newest] = ids.toSorted((a, b) => b - a);
    const content = newest === undefined ? null : new ExportSources(database).content(newest);
    if (content === null) {
      for (const one of unknown) reporter.report(unknownName(one));
      return exitCode.someFailed;
    }
    if (ids.length > 1) stderr.write(`${translator.translate('cli.sameName', { count: ids.length })}\n`);
    if (subtitleFormats.includes(format) && isUntimed(content))
      stderr.write(`${translator.translate('cli.library.estimated', { count: 1 })}\n`);
    const { exporting, ownSubtitleRules } = system.settings();
    const scope = { ...defaultExportScope, notes };
    const writing = writeOptionsFor(exporting, ownSubtitleRules, scope);
    const formatted = await writeTranscript(content, format, writing);
    const text = typeof formatted === 'string' ? formatted : new TextDecoder().decode(formatted);
    stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    return exitCode.done;
  } finally {
    database.close();
  }
}
