import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ServiceAddress, ServiceStatus } from '../../../contract/service.ts';
import type { Clock, Logger } from '../../ports.ts';
import { readLeaseProgram } from '../../store/database/lease.ts';
import { problemSchema } from '../../store/items/item-json-schemas.ts';
import { Throttle } from '../../throttle.ts';

/** Milliseconds between two writes. */
const intervalMs = 500;

/** The folder may contain a `services.json` of another program. */
const pathIn = (dataFolder: string): string => join(dataFolder, 'longhand-services.json');

const publishedSchema = z.array(
  z.object({
    service: z.string(),
    condition: z.discriminatedUnion('kind', [
      z.object({ kind: z.enum(['ready', 'starting', 'offline']) }),
      z.object({ kind: z.literal('limited'), until: z.number() }),
      z.object({ kind: z.enum(['no-credits', 'over-limit', 'stopped']), problem: problemSchema }),
    ]),
    balanceCredits: z.number().nullable(),
    activeJobs: z.number(),
  }),
) satisfies z.ZodType<readonly ServiceStatus[]>;

export interface PublishedStatusesOptions {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns the statuses to publish. */
  readonly statuses: () => readonly ServiceStatus[];
}

/**
 * Publishes the statuses of the services in a file of the data folder, so that other programs can report the same. Only
 * the program that holds the folder's lease may do so.
 */
export class PublishedStatuses {
  readonly #options: PublishedStatusesOptions;
  readonly #throttle: Throttle;
  #writtenJson = '';

  constructor(options: PublishedStatusesOptions) {
    this.#options = options;
    this.#throttle = new Throttle(options.clock, intervalMs, () => this.#write());
    // A program that was killed leaves its file behind.
    this.#delete();
  }

  /** Records that a status may have changed. */
  update(): void {
    this.#throttle.schedule();
  }

  /** Stops publishing; the file stays. */
  stop(): void {
    this.#throttle.stop();
  }

  /** Stops publishing and deletes the file: without a running program, nothing is known about the services. */
  close(): void {
    this.stop();
    this.#delete();
  }

  #write(): void {
    const { dataFolder, statuses, logger } = this.#options;
    const json = JSON.stringify(statuses());
    if (json === this.#writtenJson) return;
    const path = pathIn(dataFolder);
    try {
      writeFileSync(`${path}.part`, json, { mode: 0o600 });
      renameSync(`${path}.part`, path);
      this.#writtenJson = json;
    } catch (error) {
      logger.warn('the status of the services could not be published', { error: String(error) });
    }
  }

  #delete(): void {
    const { dataFolder, logger } = this.#options;
    try {
      rmSync(pathIn(dataFolder), { force: true });
    } catch (error) {
      logger.warn('the published status of the services could not be deleted', { error: String(error) });
    }
  }
}

/** Returns the statuses that the program that uses a data folder has published; empty if there is none. */
export function readPublishedStatuses(
  dataFolder: string,
  clock: Pick<Clock, 'now'>,
): ReadonlyMap<ServiceAddress, ServiceStatus> {
  if (readLeaseProgram(dataFolder, clock) === null) return new Map();
  try {
    const published = publishedSchema.parse(JSON.parse(readFileSync(pathIn(dataFolder), 'utf8')));
    return new Map(published.map((status) => [status.service, status]));
  } catch {
    // The program has just started, has not used a service yet, or is of another version.
    return new Map();
  }
}
