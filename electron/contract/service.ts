import { z } from 'zod';
import { noInput, service, command, creditLimit, result } from './command.ts';
import { maxAccountNameLength, maxAddressLength, maxKeyLength } from './limits.ts';
import type { Problem } from './problem.ts';
import type { Settings } from './settings.ts';

/**
 * Where recordings are sent: the on-device service, or the base address of a cloud account
 * (`https://host[:port][/path]`, http for loopback only, no trailing slash).
 */
export type ServiceAddress = 'on-device' | (string & {});

/** What the user decided about the jobs of the on-device service. */
export interface JobSchedule {
  /** The jobs that it must not work on. */
  readonly paused: 'all' | readonly string[];
  /** The jobs of the queue in its order; it works on others, which another program created, as they come. */
  readonly order: readonly string[];
}

/** The schedule of a service without a queue. */
export const emptySchedule: JobSchedule = { paused: [], order: [] };

/** The condition of a service. If several apply, it is the most severe one. */
export type ServiceCondition =
  | { readonly kind: 'ready' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'offline' }
  /** `until`: Unix milliseconds. */
  | { readonly kind: 'limited'; readonly until: number }
  | { readonly kind: 'no-credits'; readonly problem: Problem }
  /** The next recording would exceed the credits that the user allows for a calendar month. */
  | { readonly kind: 'over-limit'; readonly problem: Problem }
  | { readonly kind: 'stopped'; readonly problem: Problem };

export interface ServiceStatus {
  readonly service: ServiceAddress;
  readonly condition: ServiceCondition;
  /** Remaining credits as last reported (API part 2.1); `null` if never. 1 credit = 1 billed minute. */
  readonly balanceCredits: number | null;
  /** Our active jobs on this service, or the maximum if the service reports that it is reached; see `jobSlots`. */
  readonly activeJobs: number;
}

/** Where a cloud account's key is kept. */
export type KeyStatus = 'none' | 'keychain' | 'this-run';

/** A cloud account that the user has added. */
export interface Account {
  readonly address: ServiceAddress;
  readonly keyStatus: KeyStatus;
  /** The number of its unfinished items in the queue. */
  readonly unfinishedItemCount: number;
  /** The number of watched folders whose recordings are sent to it. */
  readonly folderCount: number;
}

export const serviceCommands = {
  /** Returns the status of a service, or else of the default service; `services.changed` contains it from then on. */
  'service.status': command({
    input: z.strictObject({ service }).optional(),
    result: result<ServiceStatus>(),
  }),
  /** Checks the key with the service and adds the account; rejects with the reason. */
  'service.connect': command({
    maxConcurrentCalls: 4,
    input: z.strictObject({
      baseUrl: z.string().min(1).max(maxAddressLength),
      /** By default, the key that is already stored for this address. */
      key: z.string().min(1).max(maxKeyLength).optional(),
      /** Whether new recordings are sent to it from now on. */
      use: z.boolean(),
    }),
    result: result<{ readonly settings: Settings; readonly keyStatus: KeyStatus }>(),
  }),
  /** Retries a service at once; without one, the default service. */
  'service.tryAgain': command({ input: z.strictObject({ service }).optional() }),
} as const;

export const accountCommands = {
  'accounts.list': command({ input: noInput, result: result<readonly Account[]>() }),
  /** Sends new recordings to `on-device` or to an account from now on. */
  'accounts.use': command({ input: z.strictObject({ service }), result: result<Settings>() }),
  /** Gives an account a name; an empty one removes it. */
  'accounts.rename': command({
    input: z.strictObject({ service, name: z.string().max(maxAccountNameLength) }),
    result: result<Settings>(),
  }),
  /** Sets the most credits that an account may cost in a calendar month; `null`: no limit. */
  'accounts.setLimit': command({
    input: z.strictObject({ service, credits: creditLimit.nullable() }),
    result: result<Settings>(),
  }),
  /** Opens the website of an account in the browser: the origin of its base address. */
  'accounts.openWebsite': command({ input: z.strictObject({ service }) }),
  'accounts.forgetKey': command({ input: z.strictObject({ service }), result: result<readonly Account[]>() }),
  /**
   * Removes the account and its key. If it was in use, new recordings are sent to the on-device service, and so are those
   * of its watched folders.
   */
  'accounts.remove': command({ input: z.strictObject({ service }), result: result<readonly Account[]>() }),
} as const;
