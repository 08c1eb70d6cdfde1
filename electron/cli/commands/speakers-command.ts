import { resolve } from 'node:path';
import type { TranscriptId } from '../../contract/identifiers.ts';
import { ProblemError } from '../../contract/problem.ts';
import type { TaskOptions } from '../../core/library/task/run-task.ts';
import { chooseTranscripts } from '../../core/library/choose-transcripts.ts';
import type { SpeakersCommand } from '../cli-command.ts';
import type { CommandLineSystem, OpenedCore } from '../command-line-system.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { openLibraryReader, withDataFolder } from '../open-library.ts';
import { unknownName, type LibraryReporter } from '../reporting/library-reporters.ts';

/** `longhand speakers`: assigns the segments of transcripts to those who speak in their recordings. */
export async function identifySpeakers(
  command: SpeakersCommand,
  system: CommandLineSystem,
  reporter: LibraryReporter,
): Promise<ExitCode> {
  return withDataFolder(
    system,
    (onLeaseLost) => system.openCore(system.secrets, {}, onLeaseLost),
    (core, signal) => identifyAll(core, command, system, reporter, signal),
  );
}

/** @throws CancelledError; ProblemError `speaker_models_missing`, or why the folder cannot be used */
async function identifyAll(
  core: OpenedCore,
  { names, count, modelsFolder }: SpeakersCommand,
  system: CommandLineSystem,
  reporter: LibraryReporter,
  signal: AbortSignal,
): Promise<ExitCode> {
  const customDiarizer =
    modelsFolder === null ? null : await core.createDiarizer(resolve(system.workingFolder, modelsFolder));
  // Throws now, rather than at the first transcript, if the models are missing.
  if (customDiarizer === null) await core.createDiarizer(null);
  const database = openLibraryReader(system);
  const { ids, unknown } = chooseTranscripts(database, { kind: 'named', names });
  database.close();
  for (const one of unknown) reporter.report(unknownName(one));
  let failed = unknown.length;
  const onProgress: TaskOptions['onProgress'] = ({ done, total }) =>
    reporter.report({ type: 'progress', task: 'speakers', done, total });
  const identify = async (transcript: TranscriptId, name: string): Promise<void> => {
    try {
      const report = await core.longhand.speakers.identify(
        transcript,
        count,
        { signal, onProgress },
        customDiarizer,
      );
      reporter.report({ type: 'speakers', transcript, name, ...report });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      failed += 1;
      reporter.report({ type: 'left-out', name, problem: error.problem });
    }
  };
  for (const id of ids) await identify(id, core.longhand.transcripts.get(id)?.name ?? '');
  return failed > 0 ? exitCode.someFailed : exitCode.done;
}
