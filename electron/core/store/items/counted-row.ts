import type { StateKind } from '../../item/item.ts';
import type { Counted } from './tally.ts';

/** The columns of an item that the running totals are made of. */
export interface CountedRow {
  readonly kind: StateKind;
  /** `null`: as `kind`. */
  readonly step: StateKind | null;
  readonly service: string;
  readonly size_bytes: number;
  readonly sent_bytes: number | null;
  readonly duration_seconds: number | null;
  readonly progress: number | null;
  readonly holds_ticket: 0 | 1;
}

const isHeld = `kind IN ('paused', 'blocked')`;

/** As {@link CountedRow}. Only states that hold a step or a number are looked into: most rows of a long queue do not. */
export const countedColumns = `
  kind, service, size_bytes, duration_seconds, idempotency_key IS NOT NULL AS holds_ticket,
  CASE WHEN ${isHeld} THEN json_extract(state, '$.at.kind') END AS step,
  CASE WHEN kind = 'uploading' THEN json_extract(state, '$.partsSent') * json_extract(state, '$.session.partSize')
    WHEN ${isHeld} THEN json_extract(state, '$.at.partsSent') * json_extract(state, '$.at.session.partSize')
    END AS sent_bytes,
  CASE WHEN kind = 'transcribing' THEN json_extract(state, '$.progress')
    WHEN ${isHeld} THEN json_extract(state, '$.at.progress') END AS progress`;

export const countedOf = (row: CountedRow): Counted => ({
  kind: row.kind,
  step: row.step ?? row.kind,
  service: row.service,
  sizeBytes: row.size_bytes,
  sentBytes: row.sent_bytes ?? 0,
  durationSeconds: row.duration_seconds,
  progress: Math.min(100, Math.max(0, row.progress ?? 0)),
  holdsTicket: row.holds_ticket === 1,
});
