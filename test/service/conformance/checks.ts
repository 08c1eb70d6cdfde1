import { authenticationChecks } from './authentication.ts';
import type { Check } from './check.ts';
import { creationChecks } from './creation.ts';
import { resultChecks } from './results.ts';
import { uploadingChecks } from './uploading.ts';

/** All checks, in the order of the document's parts. */
export const checks: readonly Check[] = [
  ...creationChecks,
  ...uploadingChecks,
  ...resultChecks,
  ...authenticationChecks,
];
