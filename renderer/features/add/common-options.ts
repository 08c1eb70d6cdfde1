import type { JobOptions } from '../../../electron/contract/options.ts';

/** What several rows have in common. */
export function commonOf(all: readonly JobOptions[]): Partial<JobOptions> {
  const [first] = all;
  if (first === undefined) return {};
  const same = Object.entries(first).filter(([name, value]) =>
    all.every((one) => one[name as keyof JobOptions] === value),
  );
  return Object.fromEntries(same);
}
