import type { QueueGroup, SelectionSummary } from '../../contract/queue-commands.ts';
import { creditsFor } from '../../contract/pricing.ts';

/** What a summary needs to know of an item. */
export interface SummaryInput {
  readonly kind: QueueGroup['kind'];
  readonly service: string;
  /** `null` if unknown. */
  readonly durationSeconds: number | null;
}

/** Summarizes items; the duration of each is rounded up to whole minutes (API part 1). */
export function summarizeItems(items: Iterable<SummaryInput>): SelectionSummary {
  const groups = new Map<string, QueueGroup>();
  let count = 0;
  let seconds = 0;
  let credits = 0;
  let creditsOfAll = 0;
  let unknownDurations = 0;
  for (const { kind, service, durationSeconds } of items) {
    count += 1;
    if (durationSeconds === null) unknownDurations += 1;
    else {
      seconds += durationSeconds;
      const cost = creditsFor(durationSeconds);
      creditsOfAll += cost;
      if (service !== 'on-device') credits += cost;
    }
    const key = `${kind} ${service}`;
    groups.set(key, { kind, service, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return { count, seconds, credits, creditsOfAll, unknownDurations, groups: [...groups.values()] };
}
