import { z } from 'zod';
import type { Account } from '../service.ts';
import type { Settings } from '../settings.ts';
import { nothing, service } from './inputs.ts';

export const accountCommands = {
  'accounts.list': nothing,
  'accounts.use': z.strictObject({ service }),
  'accounts.forgetKey': z.strictObject({ service }),
  'accounts.remove': z.strictObject({ service }),
} as const;

export interface AccountResults {
  'accounts.list': readonly Account[];
  /** Sends new recordings to `on-device` or to one of the accounts from now on. */
  'accounts.use': Settings;
  'accounts.forgetKey': readonly Account[];
  /** Forgets the account and its key; when it was in use, new recordings go to this computer's own service. */
  'accounts.remove': readonly Account[];
}
