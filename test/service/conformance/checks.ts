import { accountChecks } from './account-checks.ts';
import { authenticationChecks } from './authentication.ts';
import type { Check } from './check.ts';
import { completionChecks } from './completion.ts';
import { creationChecks } from './creation.ts';
import { deletionChecks } from './deletion.ts';
import { idempotencyChecks } from './idempotency.ts';
import { linkChecks } from './link-jobs.ts';
import { partChecks } from './parts.ts';
import { readingChecks } from './reading.ts';
import { resourceChecks } from './resources.ts';

/** Checks about one subject. */
export interface CheckGroup {
  readonly title: string;
  readonly checks: readonly Check[];
}

/** All checks by subject, in the order of the document's parts. */
export const checkGroups: readonly CheckGroup[] = [
  { title: 'The account', checks: accountChecks },
  { title: 'Jobs, transcripts and upload sessions', checks: resourceChecks },
  { title: 'Creating a job for a file', checks: creationChecks },
  { title: 'Creating a job for a link', checks: linkChecks },
  { title: 'Idempotency keys', checks: idempotencyChecks },
  { title: 'Sending parts', checks: partChecks },
  { title: 'Completing an upload', checks: completionChecks },
  { title: 'Reading', checks: readingChecks },
  { title: 'Deleting', checks: deletionChecks },
  { title: 'The key', checks: authenticationChecks },
];

export const checks: readonly Check[] = checkGroups.flatMap((group) => group.checks);
