import { z } from 'zod';
import { nothing, service, command, result } from './command.ts';
import { maxAddressLength, maxKeyLength } from './limits.ts';
import type { Problem } from './problem.ts';
import type { Settings } from './settings.ts';

/**
 * Where recordings are sent: Longhand's own service on this computer, or the base address of a cloud account
 * (`https://host[:port][/path]`, http for loopback alone, no trailing slash).
 */
export type ServiceAddress = 'on-device' | (string & {});

/** The condition of a whole service. Only one obstacle counts at a time. */
export type ServiceCondition =
  | { readonly kind: 'ready' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'offline' }
  /** `until`: Unix milliseconds. */
  | { readonly kind: 'limited'; readonly until: number }
  | { readonly kind: 'no-credits'; readonly problem: Problem }
  | { readonly kind: 'stopped'; readonly problem: Problem };

export interface ServiceStatus {
  readonly service: ServiceAddress;
  readonly condition: ServiceCondition;
  /** Remaining credits as last reported (API part 2.1); `null` if never. 1 credit = 1 billed minute. */
  readonly balanceCredits: number | null;
  /** Active jobs of ours on this service, or the maximum if it says that is reached; see `jobSlots`. */
  readonly activeJobs: number;
}

/** Where a cloud account's key is kept. */
export type KeyStatus = 'none' | 'keychain' | 'this-run';

/** A cloud account that the user has added. */
export interface Account {
  readonly address: ServiceAddress;
  readonly keyStatus: KeyStatus;
  /** Unfinished recordings in the queue that are transcribed there. */
  readonly unfinishedCount: number;
}

export const serviceCommands = {
  /** Absent: the service in use. */
  'service.status': command({
    input: z.strictObject({ service }).optional(),
    result: result<ServiceStatus>(),
  }),
  'service.useOnDevice': command({ input: nothing, result: result<Settings>() }),
  /** Checks the key with the service, and adds the account; refuses with the reason. */
  'service.connect': command({
    input: z.strictObject({
      baseUrl: z.string().min(1).max(maxAddressLength),
      /** Absent: the key that is already kept for this address. */
      key: z.string().min(1).max(maxKeyLength).optional(),
      /** `false` leaves the service that new recordings go to as it is. */
      use: z.boolean().optional(),
    }),
    result: result<{ readonly settings: Settings; readonly keyStatus: KeyStatus }>(),
  }),
  'service.tryAgain': command({ input: nothing }),
} as const;

export const accountCommands = {
  'accounts.list': command({ input: nothing, result: result<readonly Account[]>() }),
  /** Sends new recordings to `on-device` or to an account from now on. */
  'accounts.use': command({ input: z.strictObject({ service }), result: result<Settings>() }),
  'accounts.forgetKey': command({ input: z.strictObject({ service }), result: result<readonly Account[]>() }),
  /** Forgets the account and its key; when it was in use, new recordings go to this computer's own service. */
  'accounts.remove': command({ input: z.strictObject({ service }), result: result<readonly Account[]>() }),
} as const;
