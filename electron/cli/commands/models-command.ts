import type { ModelOption, SpeechModelView } from '../../contract/speech-models.ts';
import type { ModelsCommand } from '../cli-command.ts';
import { type CommandLineSystem, type OpenedCore, whenAborted } from '../command-line-system.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import { isInUse, withDataFolder } from '../open-library.ts';
import { problemToJson, writeJson } from '../reporting/json-reporter.ts';
import { StatusLine } from '../reporting/status-line.ts';
import { progressBar } from '../reporting/wording.ts';
import { UsageError } from '../usage-error.ts';

const megabyte = 1_000_000;

/** `longhand models`: lists, downloads, removes and chooses the speech models of this computer. */
export async function manageModels(command: ModelsCommand, system: CommandLineSystem): Promise<ExitCode> {
  const models = system.openModels('read');
  try {
    const { options } = await models.options();
    if (command.action === 'list') {
      printModels(options, await models.list(), command.json, system);
      return exitCode.done;
    }
    const model = options.find(({ id }) => id === command.model)?.id;
    if (model !== undefined) return await changeModels(command, model, system);
    const allowed = options.map(({ id }) => id).join(', ');
    throw new UsageError('unknownModel', { value: command.model, allowed });
  } finally {
    await models.close();
  }
}

type Models = ReturnType<CommandLineSystem['openModels']>;

/** Requires the lease on the data folder: two programs must not write the same files. */
async function changeModels(
  command: Exclude<ModelsCommand, { readonly action: 'list' }>,
  model: ModelOption['id'],
  system: CommandLineSystem,
): Promise<ExitCode> {
  const { stderr, translator, secrets } = system;
  try {
    return await withDataFolder(
      system,
      (onLeaseLost) => system.openCore(secrets, {}, onLeaseLost),
      (core, signal) => changeWith(core, command, model, system, signal),
    );
  } catch (error) {
    if (!isInUse(error, 'window')) throw error;
    stderr.write(`${translator.translate('cli.models.inWindow')}\n`);
    return exitCode.needsUser;
  }
}

async function changeWith(
  core: OpenedCore,
  command: Exclude<ModelsCommand, { readonly action: 'list' }>,
  model: ModelOption['id'],
  system: CommandLineSystem,
  signal: AbortSignal,
): Promise<ExitCode> {
  const models = system.openModels('write');
  whenAborted(signal, () => void models.close());
  const unsubscribe = showDownload(models, model, system);
  try {
    switch (command.action) {
      case 'remove':
        await models.remove('fast', model);
        break;
      case 'download':
        await models.download('fast', model);
        break;
      case 'use':
        core.startOnDevice();
        await models.use(command.accuracy, model, (id) => core.checkModel(id));
    }
    unsubscribe();
    if (system.interrupted.aborted) return exitCode.interrupted;
    return await printResult(command, model, models, system);
  } finally {
    unsubscribe();
    await models.close();
  }
}

/** Shows the progress of a download or check on standard error; returns a function that stops showing it. */
function showDownload(
  models: Models,
  id: ModelOption['id'],
  { stderr, clock, translator }: CommandLineSystem,
): () => void {
  const line = new StatusLine(stderr, clock);
  let isShown = true;
  const show = async (): Promise<void> => {
    const { options } = await models.options();
    const option = options.find((one) => one.id === id);
    if (!isShown || option === undefined) return;
    const { name, state, checking, sizeBytes } = option;
    if (checking) line.show(translator.translate('cli.models.checking', { name }));
    if (state.kind !== 'downloading') return;
    const [done = 0, total = 0] = [state.doneBytes, sizeBytes].map((bytes) => Math.floor(bytes / megabyte));
    const percent = total > 0 ? Math.min(Math.floor((100 * done) / total), 100) : 0;
    const text = translator.translate('cli.models.downloading', { name, done, total });
    line.show(`${progressBar(percent, translator)} · ${text}`);
  };
  const unsubscribe = models.onChange(() => void show());
  return () => {
    if (!isShown) return;
    isShown = false;
    unsubscribe();
    line.clear();
  };
}

async function printResult(
  command: Exclude<ModelsCommand, { readonly action: 'list' }>,
  id: ModelOption['id'],
  models: Models,
  system: CommandLineSystem,
): Promise<ExitCode> {
  const { stderr, translator } = system;
  const { options } = await models.options();
  const inUse = await models.list();
  printModels(
    options.filter((option) => option.id === id),
    inUse,
    command.json,
    system,
  );
  const option = options.find((one) => one.id === id);
  if (command.action === 'remove' || option === undefined) return exitCode.done;
  if (option.state.kind === 'failed') {
    stderr.write(`${translator.problem(option.state.problem)}\n`);
    return exitCode.someFailed;
  }
  if (option.state.kind !== 'ready') return exitCode.someFailed;
  if (command.action !== 'use') return exitCode.done;
  const isUsed = inUse.some((one) => one.accuracy === command.accuracy && one.id === id);
  if (isUsed) return exitCode.done;
  const { check } = option;
  stderr.write(`${translator.translate('cli.models.notUsed', { name: option.name })}\n`);
  if (check !== null) {
    stderr.write(`${translator.translate('models.report.said', { text: check.said })}\n`);
    stderr.write(`${translator.translate('models.report.heard', { text: check.heard })}\n`);
    if (check.failure !== null) stderr.write(`${check.failure}\n`);
  }
  return exitCode.someFailed;
}

function printModels(
  options: readonly ModelOption[],
  inUse: readonly SpeechModelView[],
  json: boolean,
  { stdout, translator }: CommandLineSystem,
): void {
  for (const option of options) {
    const { id, name, sizeBytes, state, check, timesRealTime, isMeasured, languages, licence } = option;
    const usedFor = inUse
      .filter((one) => one.id === id && one.ownFolder === null)
      .map(({ accuracy }) => accuracy);
    if (json) {
      const problem = state.kind === 'failed' ? { problem: problemToJson(state.problem, translator) } : {};
      writeJson(stdout, {
        type: 'model',
        model: id,
        name,
        sizeBytes,
        state: state.kind,
        ...problem,
        usedFor,
        languages,
        canTranslate: option.canTranslate,
        timesRealTime,
        isMeasured,
        licence,
        check,
      });
      continue;
    }
    const size = `${Math.round(sizeBytes / megabyte)} MB`;
    const facts = [
      translator.translate(state.kind === 'ready' ? `models.ready.${state.origin}` : 'models.absent'),
      ...usedFor.map((accuracy) => translator.translate('cli.models.usedFor', { accuracy })),
    ];
    stdout.write(`${id.padEnd(16)}${size.padStart(8)}  ${name}: ${facts.join(', ')}\n`);
  }
}
