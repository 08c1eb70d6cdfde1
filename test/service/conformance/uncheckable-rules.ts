/**
 * The other rules of the document, which no client can check because that takes days, access to the server or money. For
 * the on-device service the named tests check them.
 */
export const uncheckableRules: readonly {
  readonly part: string;
  readonly rule: string;
  /** The tests that check it for the on-device service; absent when it does not apply there. */
  readonly testedIn?: string;
}[] = [
  { part: '1.1', rule: 'every format of the service’s web site is accepted', testedIn: 'formats.test.ts' },
  { part: '1.6', rule: 'a credit is a minute, an hour costs 0.04 US dollars; top-ups and their refund' },
  {
    part: '1.6',
    rule: 'durations are rounded up to whole minutes: 5 min 30 s are 6',
    testedIn: 'unit/on-device/billing.test.ts, credits.test.ts',
  },
  { part: '1.6', rule: 'a failed job is refunded', testedIn: 'credits.test.ts' },
  {
    part: '1.7',
    rule: 'the history is kept for 30 days, audio for at most 60',
    testedIn: 'retention.test.ts',
  },
  { part: '1.7', rule: 'a video is removed after processing', testedIn: 'processing.test.ts' },
  { part: '1.7, 5.3', rule: 'only a hash of a key is stored', testedIn: 'http.test.ts' },
  { part: '3', rule: 'a job goes through its states in order', testedIn: 'processing.test.ts' },
  { part: '4.2, 7', rule: 'an expired upload session: upload_expired', testedIn: 'uploads.test.ts' },
  {
    part: '7',
    rule: 'without credits nothing is created: insufficient_credits',
    testedIn: 'credits.test.ts',
  },
  { part: '7', rule: 'too many requests: rate_limited', testedIn: 'availability.test.ts' },
  {
    part: '7',
    rule: 'upload_failed, provider_unavailable, queue_unavailable, remote_dns_failed, with a Retry-After',
    testedIn: 'uploads.test.ts, availability.test.ts, remote.test.ts',
  },
  { part: '7', rule: 'request_failed, complete_failed', testedIn: 'faults.test.ts' },
];
