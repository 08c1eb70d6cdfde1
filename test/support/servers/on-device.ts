import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobSchedule } from '../../../electron/contract/service.ts';
import type { Logger } from '../../../electron/core/ports.ts';
import type { Interruption } from '../../../electron/on-device/jobs/work-log.ts';
import { documentedLimits, type ServiceLimits } from '../../../electron/on-device/service-options.ts';
import {
  startService,
  type RunningService,
  type ServiceDependencies,
} from '../../../electron/on-device/start-service.ts';
import { systemClock, systemRandom } from '../../../electron/core/system.ts';
import { quickDecoder, quickEngine } from '../speech/quick-speech.ts';

/** Options of the service; everything has a default. */
export interface TestServiceOptions extends Partial<Omit<ServiceDependencies, 'limits'>> {
  /** An existing folder with the data of an earlier service; it is not removed at the end. */
  readonly dataFolder?: string;
  readonly key?: string;
  readonly port?: number;
  /** `null` for no limit. */
  readonly credits?: number | null;
  readonly limits?: Partial<ServiceLimits>;
  readonly interruption?: Interruption;
}

export interface TestService {
  readonly baseUrl: string;
  readonly key: string;
  readonly dataFolder: string;
  /** Warnings and errors that the service logged. */
  readonly complaints: readonly Complaint[];
  setJobSchedule(schedule: JobSchedule): void;
  isBusy(): boolean;
  runWithoutRecordings: RunningService['runWithoutRecordings'];
  /** Stops the service, and keeps its folder. */
  halt(): Promise<void>;
  /** Stops the service, and removes the folder if it was created for it. */
  stop(): Promise<void>;
}

export interface Complaint {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Starts the real on-device service in this process: real HTTP on a free port of 127.0.0.1, real SQLite, real files in
 * a temporary folder. Only the decoder and the speech engine are doubles unless the test passes others; see
 * `quick-speech.ts` for a recording that they understand.
 */
export async function startOnDevice(options: TestServiceOptions = {}): Promise<TestService> {
  const {
    dataFolder = await mkdtemp(join(tmpdir(), 'longhand-service-')),
    key = randomBytes(24).toString('hex'),
    credits = null,
    port = 0,
    interruption = 'crash',
  } = options;
  const complaints: Complaint[] = [];
  const logger: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message, details) => complaints.push({ level: 'warn', message, details }),
    error: (message, details) => complaints.push({ level: 'error', message, details }),
  };
  const service = await startService(
    { host: '127.0.0.1', port, key, dataFolder, credits, interruption },
    {
      engine: quickEngine(),
      decoder: quickDecoder,
      clock: systemClock,
      random: systemRandom,
      logger,
      ...options,
      // Polls every second, as the program's own service allows.
      limits: { ...documentedLimits, pollSeconds: 1, ...options.limits },
    },
  );
  return {
    baseUrl: service.baseUrl,
    key,
    dataFolder,
    complaints,
    setJobSchedule: (schedule) => service.setJobSchedule(schedule),
    isBusy: () => service.isBusy(),
    runWithoutRecordings: (work) => service.runWithoutRecordings(work),
    halt: () => service.stop(),
    async stop() {
      await service.stop();
      if (options.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
