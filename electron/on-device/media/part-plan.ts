import type { UploadPlan } from '../jobs/job.ts';

/** The numbered parts of a file of `sizeBytes` (API part 2.3). */
export function planParts(sizeBytes: number, partSize: number, expiresAt: number): UploadPlan {
  return { partSize, partCount: Math.ceil(sizeBytes / partSize), expiresAt };
}

/** Where part `number` (1-based) begins in the file, and its length in bytes (API part 2.3). */
export function partRange(
  sizeBytes: number,
  plan: UploadPlan,
  number: number,
): { readonly offset: number; readonly length: number } {
  const offset = (number - 1) * plan.partSize;
  return { offset, length: Math.min(plan.partSize, sizeBytes - offset) };
}
