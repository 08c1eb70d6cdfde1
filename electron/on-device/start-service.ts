import { mkdir } from 'node:fs/promises';
import { isIPv6, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { emptySchedule, type JobSchedule } from '../contract/service.ts';
import type { Clock, Logger, Random } from '../core/ports.ts';
import type { Decoder } from './decode/decoder.ts';
import type { SpeechEngine } from './engine/speech-engine.ts';
import { createServer } from './http/create-server.ts';
import { BearerCheck } from './http/admission.ts';
import { CreditAccount } from './jobs/account.ts';
import { DownloadStore } from './jobs/download-store.ts';
import { JobStore } from './jobs/job-store.ts';
import { PartStore } from './jobs/part-store.ts';
import { PartialTranscripts } from './jobs/partial-transcripts.ts';
import { openOrReplaceDatabase, Sql } from './jobs/service-database.ts';
import { WorkLog } from './jobs/work-log.ts';
import { MediaFiles } from './media/media-files.ts';
import { PartWriter } from './media/part-writer.ts';
import { freeBytesOf } from './models/model-download.ts';
import { Availability, type HostEnvironment } from './processing/availability.ts';
import { Processor } from './processing/processor.ts';
import type { MeasuredSpeed } from './processing/speech-speed.ts';
import { shouldKeepMedia, Retention } from './processing/retention.ts';
import { RemoteFetch } from './remote/remote-fetch.ts';
import { publicNetwork, RemoteHosts, type RemoteNetwork } from './remote/remote-hosts.ts';
import {
  assertKeyForPublicHost,
  assertUsableKey,
  documentedLimits,
  type ServiceLimits,
} from './service-options.ts';
import type { ServiceOptions } from './service-protocol.ts';

/** The dependencies of the service, which the caller closes. */
export interface ServiceDependencies {
  readonly engine: SpeechEngine;
  readonly decoder: Decoder;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** {@link documentedLimits} unless given. */
  readonly limits?: ServiceLimits;
  /** Without it, every model counts as present. */
  readonly missingModel?: HostEnvironment['missingModel'];
  /** Called with each model's speed as measured with recordings. */
  readonly onSpeed?: (speed: MeasuredSpeed) => void;
  /** The free bytes of the data folder's disk unless given. */
  readonly freeBytes?: HostEnvironment['freeBytes'];
  readonly onDiskFull?: HostEnvironment['onDiskFull'];
  readonly onFault?: HostEnvironment['onFault'];
  /** {@link publicNetwork} unless given. */
  readonly network?: RemoteNetwork;
  /** Empty unless given. */
  readonly jobSchedule?: JobSchedule;
}

export interface RunningService {
  /** `http://host:port`, without a trailing slash. */
  readonly baseUrl: string;
  /** The balance of the account at the start; `null`: no limit. */
  readonly credits: number | null;
  /** Stops all work, which resumes at the next start, and releases the data folder. Safe to call twice. */
  stop(): Promise<void>;
  /** Whether a recording is being opened or transcribed. */
  isBusy(): boolean;
  /** Stops the work on paused jobs, which keep their partial transcripts, and starts the others in order. */
  setJobSchedule(schedule: JobSchedule): void;
  /** Works on no recording while `work` runs a model; `work` waits for the transcription in progress. */
  runWithoutRecordings<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * Starts the service on its data folder: finishes what an earlier run left, then listens.
 *
 * @throws ServiceOptionsError when it may not listen there or another service has the folder; the system's error when
 *   the port is taken or the folder cannot be written; what {@link openDatabase} throws.
 */
export async function startService(
  options: Pick<ServiceOptions, 'host' | 'port' | 'key' | 'dataFolder' | 'credits' | 'interruption'>,
  dependencies: ServiceDependencies,
): Promise<RunningService> {
  const {
    clock,
    random,
    logger,
    decoder,
    engine,
    limits = documentedLimits,
    network = publicNetwork,
    missingModel = async () => null,
    onSpeed = () => undefined,
    onDiskFull = () => undefined,
    onFault = () => undefined,
    jobSchedule = emptySchedule,
    freeBytes = () => freeBytesOf(options.dataFolder),
  } = dependencies;
  // The name stands for an IPv4 and an IPv6 address, which would be two servers, but the limits are for one.
  const host = options.host === 'localhost' ? '127.0.0.1' : options.host;
  assertKeyForPublicHost(host, options.key);
  assertUsableKey(options.key);

  await mkdir(options.dataFolder, { recursive: true, mode: 0o700 });
  const database = openOrReplaceDatabase(options.dataFolder, clock, logger);
  const files = await MediaFiles.open(join(options.dataFolder, 'media')).catch((error: unknown) => {
    database.close();
    throw error;
  });
  const sql = new Sql(database);
  const account = new CreditAccount(sql);
  const store = new JobStore(sql, account, clock, logger);
  const workLog = new WorkLog(sql, store);
  const isBusy = (): boolean => workLog.inProgress().length > 0;
  const partStore = new PartStore(sql);
  const partialTranscripts = new PartialTranscripts(sql);
  const partWriter = new PartWriter(files, partStore, clock, limits.uploadSessionMs);
  const remoteHosts = new RemoteHosts(network);
  const availability = new Availability({ missingModel, freeBytes, isBusy, onDiskFull, onFault }, clock);
  const processor = new Processor({
    store,
    account,
    downloads: new DownloadStore(sql),
    partialTranscripts,
    workLog,
    files,
    partWriter,
    remoteFetch: new RemoteFetch(remoteHosts, limits, clock),
    decoder,
    engine,
    availability,
    onSpeed,
    clock,
    logger,
    maxSeconds: limits.maxSeconds,
    keepsMedia: (job) => shouldKeepMedia(job, clock.now(), limits),
  });
  const retention = new Retention(store, files, limits, clock, logger);
  const server = createServer(
    {
      store,
      account,
      parts: partStore,
      partialTranscripts,
      files,
      partWriter,
      processor,
      availability,
      remoteHosts,
      limits,
      clock,
      random,
      logger,
    },
    new BearerCheck(options.key),
    host,
  );

  const stop = once(async () => {
    // Requests during the shutdown get an error that says to retry.
    availability.close();
    await partWriter.cancel();
    await processor.stop();
    await server.close();
    await retention.stop();
    database.close();
  });
  try {
    account.open(options.credits);
    workLog.recover(options.interruption, limits.maxCrashes);
    await retention.start();
    await server.listen({ host, port: options.port });
  } catch (error) {
    await stop();
    throw error;
  }
  processor.setJobSchedule(jobSchedule);
  return {
    baseUrl: originOf(host, server.server.address(), options.port),
    credits: account.balance(),
    stop,
    isBusy,
    setJobSchedule: (schedule) => processor.setJobSchedule(schedule),
    runWithoutRecordings: (work) => processor.runWithoutRecordings(work),
  };
}

function originOf(host: string, address: AddressInfo | string | null, port: number): string {
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${actualPort}`;
}

/** Runs `work` at the first call; every call returns its promise. */
function once(work: () => Promise<void>): () => Promise<void> {
  let promise: Promise<void> | null = null;
  return () => (promise ??= work());
}
