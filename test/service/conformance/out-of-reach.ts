/**
 * The document's other sentences: what no client can show or refute, because it takes days, other eyes or money. For the
 * on-device service the tests that are named hold them.
 */
export const outOfReach: readonly {
  readonly part: string;
  readonly rule: string;
  /** Where it is held for the on-device service; absent where it says nothing about that one. */
  readonly heldBy?: string;
}[] = [
  { part: '1.1', rule: 'every format of the service’s web site is taken', heldBy: 'formats.test.ts' },
  { part: '1.6', rule: 'a credit is a minute, an hour costs 0.04 US dollars; top-ups and their refund' },
  {
    part: '1.6',
    rule: 'lengths are rounded up to whole minutes: 5 min 30 s are 6',
    heldBy: 'unit/on-device/billing.test.ts, credits.test.ts',
  },
  { part: '1.6', rule: 'a failed job gives its credits back', heldBy: 'credits.test.ts' },
  { part: '1.7', rule: 'the history is kept for 30 days, audio for at most 60', heldBy: 'retention.test.ts' },
  { part: '1.7', rule: 'a video is removed after the work', heldBy: 'processing.test.ts' },
  { part: '1.7, 5.3', rule: 'of a key nothing but a hash is kept', heldBy: 'http.test.ts' },
  { part: '3', rule: 'the states of a job come in their order', heldBy: 'processing.test.ts' },
  { part: '4.2, 7', rule: 'an upload session that is over: upload_expired', heldBy: 'uploads.test.ts' },
  { part: '7', rule: 'without credits nothing is created: insufficient_credits', heldBy: 'credits.test.ts' },
  { part: '7', rule: 'too many requests: rate_limited', heldBy: 'availability.test.ts' },
  {
    part: '7',
    rule: 'upload_failed, provider_unavailable, queue_unavailable, remote_dns_failed, with a Retry-After',
    heldBy: 'uploads.test.ts, availability.test.ts, remote.test.ts',
  },
  { part: '7', rule: 'request_failed, complete_failed', heldBy: 'faults.test.ts' },
];
