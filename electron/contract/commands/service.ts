import { z } from 'zod';
import type { KeyStatus, ServiceStatus } from '../service.ts';
import type { Settings } from '../settings.ts';
import { nothing, service } from './inputs.ts';
import { maxAddressLength, maxKeyLength } from '../limits.ts';

export const serviceCommands = {
  /** Absent: the service in use. */
  'service.status': z.strictObject({ service }).optional(),
  'service.useOnDevice': nothing,
  'service.connect': z.strictObject({
    baseUrl: z.string().min(1).max(maxAddressLength),
    /** Absent: the key that is already kept for this address. */
    key: z.string().min(1).max(maxKeyLength).optional(),
    /** `false` leaves the service that new recordings go to as it is. */
    use: z.boolean().optional(),
  }),
  'service.tryAgain': nothing,
} as const;

export interface ServiceResults {
  'service.status': ServiceStatus;
  'service.useOnDevice': Settings;
  /** Asks the service once with the key before anything is saved; refuses with the reason otherwise. Adds the account. */
  'service.connect': { readonly settings: Settings; readonly keyStatus: KeyStatus };
  'service.tryAgain': void;
}
