import { setPriority } from 'node:os';
import { errorMessage, isDiskFull } from '../contract/errors.ts';
import type { SpeechOptions } from '../contract/options.ts';
import { emptySchedule } from '../contract/service.ts';
import type { Logger } from '../core/ports.ts';
import { systemClock, systemRandom } from '../core/system.ts';
import { createDecoder } from './decode/create-decoder.ts';
import type { PagePort } from './decode/page-port.ts';
import type { SpeechEngine } from './engine/speech-engine.ts';
import { createSpeechEngine } from './engine/thread/worker-engine.ts';
import { modelCatalog } from './models/model-catalog.ts';
import { findModel, type ModelFolders } from './models/model-files.ts';
import { PendingRequests } from './pending-requests.ts';
import { checkModel, measureSpeed } from './processing/speech-speed.ts';
import { documentedLimits, embeddedLimits, type ServiceLimits } from './service-options.ts';
import { type FromService, parseToService, type ServiceOptions, type ToService } from './service-protocol.ts';
import { startService, type RunningService } from './start-service.ts';
import { workerUrl } from '../workers/registry.ts';

/** The entry point of the service's process: composes the service and handles messages of the main process. */

const { parentPort } = process;
const send = (message: FromService): void => parentPort.postMessage(message);
const ports = new PendingRequests<PagePort>();
const connectPage = (): Promise<PagePort> =>
  ports.send((request) => send({ kind: 'decoder-wanted', request }));
let stop: (() => Promise<void>) | null = null;
let running: { readonly service: RunningService; readonly engine: SpeechEngine } | null = null;
let jobSchedule = emptySchedule;
const shutdown = new AbortController();

// Keeps the computer responsive during transcription.
setPriority(10);
// Only this user may read the database and the recordings.
process.umask(0o077);

parentPort.on('message', ({ data, ports: transferredPorts }) => {
  const message = parseToService(data);
  switch (message.kind) {
    case 'start':
      void start(message.options);
      return;
    case 'decoder': {
      const [port] = transferredPorts;
      if (port === undefined) ports.reject(message.request, 'the message has no port');
      else ports.resolve(message.request, port);
      return;
    }
    case 'decoder-unavailable':
      ports.reject(message.request, message.message);
      return;
    case 'measure':
      void measure(message);
      return;
    case 'check':
      void check(message);
      return;
    case 'set-job-schedule':
      jobSchedule = message.schedule;
      running?.service.setJobSchedule(jobSchedule);
      return;
    case 'stop':
      void shutDown(0);
  }
});

async function start(options: ServiceOptions): Promise<void> {
  try {
    const service = await compose(options);
    send({ kind: 'listening', baseUrl: service.baseUrl, credits: service.credits });
  } catch (error) {
    const message = errorMessage(error);
    send({ kind: 'failed', message, isDiskFull: isDiskFull(error) });
    await shutDown(1);
  }
}

async function compose(options: ServiceOptions): Promise<RunningService> {
  const folders: ModelFolders = {
    bundledFolder: options.modelsFolder,
    downloadFolder: options.downloadedModelsFolder,
  };
  const engine = createSpeechEngine({
    modelsFolder: options.modelsFolder,
    downloadedModelsFolder: options.downloadedModelsFolder,
    workerUrl: (name) => workerUrl(name, new URL('.', import.meta.url)),
    logger: standardErrorLogger,
  });
  stop = () => engine.close();
  const service = await startService(options, {
    engine,
    decoder: createDecoder({
      connectPage,
      watchdog: { clock: systemClock, onStuck: () => send({ kind: 'decoder-stuck' }) },
    }),
    clock: systemClock,
    random: systemRandom,
    logger: standardErrorLogger,
    limits: limitsFor(options),
    missingModel: async (speech) => missingModel(folders, speech),
    onSpeed: (speed) => send({ kind: 'speed', speed }),
    onDiskFull: (isFull) => send({ kind: 'disk', isFull }),
    onFault: (problem) => send({ kind: 'fault', problem }),
    jobSchedule,
  });
  service.setJobSchedule(jobSchedule);
  running = { service, engine };
  stop = async () => {
    await service.stop();
    await engine.close();
  };
  return service;
}

function missingModel(folders: ModelFolders, options: SpeechOptions): string | null {
  const { model, source } = findModel(folders, options);
  if (source !== null) return null;
  return `The speech model ${modelCatalog[model].name} is not on this computer. Download it in Longhand’s settings.`;
}

/** Measures a model's speed, which is only meaningful while the service is idle. */
async function measure({
  request,
  accuracy,
  audioFile,
}: Extract<ToService, { readonly kind: 'measure' }>): Promise<void> {
  try {
    if (running === null || running.service.isBusy()) throw new Error('recordings are being transcribed');
    const { service, engine } = running;
    const speed = await service.runWithoutRecordings(() =>
      measureSpeed(engine, audioFile, accuracy, systemClock, shutdown.signal),
    );
    if (service.isBusy()) throw new Error('a recording arrived during the measurement');
    send({ kind: 'measured', request, speed });
  } catch (error) {
    send({ kind: 'not-measured', request, message: errorMessage(error) });
  }
}

/** Checks a model. Recordings that are being transcribed go first, so its speed is only known while there are none. */
async function check({
  request,
  model,
  audioFile,
}: Extract<ToService, { readonly kind: 'check' }>): Promise<void> {
  try {
    if (running === null) throw new Error('the service is not running');
    const { service, engine } = running;
    const wasIdle = !service.isBusy();
    const wasUndisturbed = (): boolean => wasIdle && !service.isBusy();
    const task = { audioFile, model, clock: systemClock, wasUndisturbed, signal: shutdown.signal };
    const result = await service.runWithoutRecordings(() => checkModel(engine, task));
    send({ kind: 'checked', request, check: result });
  } catch (error) {
    send({ kind: 'not-checked', request, message: errorMessage(error) });
  }
}

function limitsFor({ embedded, requestsPerMinute }: ServiceOptions): ServiceLimits {
  const limits = embedded ? embeddedLimits : documentedLimits;
  return requestsPerMinute === null ? limits : { ...limits, requestsPerMinute };
}

async function shutDown(code: number): Promise<void> {
  shutdown.abort(new Error('the service is shutting down'));
  try {
    await stop?.();
  } catch (error) {
    standardErrorLogger.error('The service did not shut down cleanly.', { error });
  }
  send({ kind: 'stopped' });
  process.exit(code);
}

/** One line of JSON for each message on standard error, which the main process reads. */
const standardErrorLogger: Logger = {
  debug: () => undefined,
  info: (message, details) => writeLine('info', message, details),
  warn: (message, details) => writeLine('warn', message, details),
  error: (message, details) => writeLine('error', message, details),
};

function writeLine(level: string, message: string, details?: Readonly<Record<string, unknown>>): void {
  process.stderr.write(`${JSON.stringify({ level, message, ...details }, errorAsText)}\n`);
}

/** Converts errors to text, since JSON has no form for them. */
function errorAsText(_key: string, value: unknown): unknown {
  return value instanceof Error ? (value.stack ?? String(value)) : value;
}
