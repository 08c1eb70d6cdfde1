import { accountChecks } from './account.ts';
import { authenticationChecks } from './authentication.ts';
import type { Check } from './check.ts';
import { completionChecks } from './completion.ts';
import { creationChecks } from './creation.ts';
import { deletionChecks } from './deletion.ts';
import { idempotencyChecks } from './idempotency.ts';
import { linkChecks } from './links.ts';
import { partChecks } from './parts.ts';
import { readingChecks } from './reading.ts';
import { resourceChecks } from './resources.ts';

/** All checks, in the order of the document's parts. */
export const checks: readonly Check[] = [
  ...accountChecks,
  ...resourceChecks,
  ...creationChecks,
  ...linkChecks,
  ...idempotencyChecks,
  ...partChecks,
  ...completionChecks,
  ...readingChecks,
  ...deletionChecks,
  ...authenticationChecks,
];
