import { randomBytes } from 'node:crypto';
import { utilityProcess } from 'electron';
import type { Accuracy, ModelId } from '../../contract/choices.ts';
import { emptySchedule, type JobSchedule } from '../../contract/service.ts';
import type { ModelCheck } from '../../contract/speech-models.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Logger } from '../../core/ports.ts';
import { PendingRequests } from '../../on-device/pending-requests.ts';
import type { MeasuredSpeed } from '../../on-device/processing/speech-speed.ts';
import type { FromService, ServiceOptions, ToService } from '../../on-device/service-protocol.ts';
import type { DecoderPage } from '../pages/decoder-page.ts';
import { connectDecoder, forwardLog, UtilityChannel } from './utility-channel.ts';

/** Milliseconds that the service may take to stop. */
const maxStopMs = 10_000;

export interface OnDeviceChildOptions {
  /** Path of the built service. */
  readonly entry: string;
  /** Without a key, the service gets a random one. */
  readonly service: Omit<ServiceOptions, 'key'> & { readonly key?: string };
  readonly decoder: DecoderPage;
  readonly logger: Logger;
  /** Its first schedule; empty if absent. */
  readonly jobSchedule?: JobSchedule;
  /** Called with each model's speed as measured with recordings. */
  readonly onSpeed?: (speed: MeasuredSpeed) => void;
  /** Called when the user has to free space on the disk of the data folder, and when there is space again. */
  readonly onDiskFull?: (isFull: boolean) => void;
  /** Called when a fault of the computer stops all jobs, and with `null` when they continue. */
  readonly onFault?: (problem: Problem | null) => void;
}

/** Where the service listens, its key and the balance of its account (`null`: no limit). */
export interface ServiceEndpoint {
  readonly baseUrl: string;
  readonly key: string;
  readonly credits: number | null;
}

/** One run of the on-device service in its own process. */
export interface OnDeviceChild {
  /** Rejects with the reason when the service cannot start. */
  readonly listening: Promise<ServiceEndpoint>;
  /** Resolves with the reason when the process has ended: `disk_full` or `engine_stopped`. */
  readonly ended: Promise<Problem & { readonly detail: string }>;
  /** Measures the speed of the model for an accuracy. Rejects with the reason if that fails. */
  measure(accuracy: Accuracy, audioFile: string): Promise<MeasuredSpeed>;
  /** Lets a model transcribe a recording whose text is known. Rejects with the reason if the service cannot do that. */
  check(model: ModelId, audioFile: string): Promise<ModelCheck>;
  /** Sets the order of the service's jobs, and those that it must not work on. */
  setJobSchedule(schedule: JobSchedule): void;
  /** Lets the service stop its work, and waits until it has exited. */
  stop(): Promise<void>;
}

export function startOnDeviceChild(options: OnDeviceChildOptions): OnDeviceChild {
  const {
    entry,
    service,
    decoder,
    logger,
    jobSchedule = emptySchedule,
    onSpeed,
    onDiskFull,
    onFault,
  } = options;
  // Hexadecimal: a key that begins with a dash would be taken for an option.
  const key = service.key ?? randomBytes(32).toString('hex');
  const child = utilityProcess.fork(entry, [], {
    serviceName: 'Longhand on-device service',
    stdio: 'pipe',
  });
  const channel = new UtilityChannel<ToService>(child);
  const listening = Promise.withResolvers<ServiceEndpoint>();
  const ended = Promise.withResolvers<Problem & { readonly detail: string }>();
  const measurements = new PendingRequests<MeasuredSpeed>();
  const checks = new PendingRequests<ModelCheck>();
  let failure: Extract<FromService, { kind: 'failed' }> | null = null;
  child.stdout?.resume();
  if (child.stderr !== null) void forwardLog('on-device service', child.stderr, logger);
  child.on('message', (message: FromService) => {
    switch (message.kind) {
      case 'listening':
        listening.resolve({ baseUrl: message.baseUrl, key, credits: message.credits });
        return;
      case 'failed':
        failure = message;
        return;
      case 'disk':
        onDiskFull?.(message.isFull);
        return;
      case 'fault':
        onFault?.(message.problem);
        return;
      case 'stopped':
        // It is exiting, but Electron sometimes lets a utility process hang in its exit for seconds.
        channel.kill();
        return;
      case 'measured':
        measurements.resolve(message.request, message.speed);
        return;
      case 'not-measured':
        measurements.reject(message.request, message.message);
        return;
      case 'checked':
        checks.resolve(message.request, message.check);
        return;
      case 'not-checked':
        checks.reject(message.request, message.message);
        return;
      case 'speed':
        onSpeed?.(message.speed);
        return;
      case 'decoder-stuck':
        logger.warn('the decoder page does not respond and is reopened');
        void decoder.kill();
        return;
      case 'decoder-wanted':
        void connectDecoder(channel, decoder, message.request);
    }
  });
  child.once('exit', (code) => {
    channel.close();
    const reason = failure?.message ?? `the on-device service ended with code ${code}`;
    listening.reject(new Error(reason));
    for (const requests of [measurements, checks]) requests.rejectAll(reason);
    ended.resolve({ code: failure?.isDiskFull === true ? 'disk_full' : 'engine_stopped', detail: reason });
  });
  // A rejection is handled by the callers that await it; without any, it is not an error.
  listening.promise.catch(() => undefined);
  // Sent before the start, so that the service never works on a paused job.
  channel.send({ kind: 'set-job-schedule', schedule: jobSchedule });
  channel.send({ kind: 'start', options: { ...service, key } });
  return {
    listening: listening.promise,
    ended: ended.promise,
    measure: (accuracy, audioFile) =>
      measurements.send((request) => channel.send({ kind: 'measure', request, accuracy, audioFile })),
    check: (model, audioFile) =>
      checks.send((request) => channel.send({ kind: 'check', request, model, audioFile })),
    setJobSchedule: (schedule) => channel.send({ kind: 'set-job-schedule', schedule }),
    stop: async () => {
      channel.send({ kind: 'stop' });
      // A native call that hangs must not keep the program alive; the work resumes at the next start anyway.
      const killTimer = setTimeout(() => channel.kill(), maxStopMs);
      await ended.promise;
      clearTimeout(killTimer);
    },
  };
}
