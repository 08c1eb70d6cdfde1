import type { ApiErrorCode, ItemProblemCode, ProblemCode } from '../../../electron/contract/problem.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';

/** What the user can do about a problem of a recording. */
export interface Remedy {
  /** `remove`: only another recording or link helps; offered once the item has failed. */
  readonly action: 'retry' | 'locate' | 'settings' | 'remove';
  /** What a retry does, where a more precise label says it. */
  readonly retryLabel?: 'sendAgain' | 'sendAsIs' | 'startOver' | 'tryAgain';
}

const retry: Remedy = { action: 'retry' };
const locate: Remedy = { action: 'locate' };
const settings: Remedy = { action: 'settings' };
const remove: Remedy = { action: 'remove' };

/** Lists every code that an item can have, so that the compiler reports a new code that is missing here. */
const remedies: Readonly<Record<ApiErrorCode | ItemProblemCode, Remedy>> = {
  invalid_json: retry,
  invalid_idempotency_key: retry,
  empty_upload: retry,
  invalid_part: retry,
  part_size_mismatch: retry,
  invalid_parts: retry,
  invalid_remote_url: remove,
  insecure_remote_url: remove,
  remote_host_blocked: remove,
  invalid_api_key: settings,
  insufficient_credits: retry,
  not_found: retry,
  idempotency_pending: retry,
  idempotency_conflict: { action: 'retry', retryLabel: 'startOver' },
  invalid_status: retry,
  upload_session_missing: { action: 'retry', retryLabel: 'sendAgain' },
  upload_incomplete: retry,
  upload_expired: { action: 'retry', retryLabel: 'sendAgain' },
  file_too_large: remove,
  unsupported_file: remove,
  invalid_file_signature: remove,
  remote_host_unresolved: remove,
  active_job_limit: retry,
  rate_limited: retry,
  request_failed: retry,
  upload_failed: retry,
  complete_failed: retry,
  remote_dns_failed: retry,
  provider_unavailable: retry,
  queue_unavailable: retry,
  path_missing: retry,
  path_unreadable: retry,
  folder_empty: retry,
  folder_without_media: retry,
  folder_of_transcripts: retry,
  folder_of_known_transcripts: retry,
  file_empty: remove,
  not_media: remove,
  not_a_file: remove,
  already_queued: retry,
  already_transcribed: retry,
  probably_unusable: retry,
  invalid_link: remove,
  web_page: remove,
  file_missing: locate,
  file_changed: { action: 'retry', retryLabel: 'sendAsIs' },
  file_unreadable: { action: 'locate', retryLabel: 'tryAgain' },
  other_content: retry,
  disk_full: { action: 'retry', retryLabel: 'tryAgain' },
  job_gone: { action: 'retry', retryLabel: 'sendAgain' },
  job_failed: retry,
  job_deleted: { action: 'retry', retryLabel: 'sendAgain' },
  unexpected_answer: { action: 'retry', retryLabel: 'tryAgain' },
  foreign_address: settings,
  not_at_service: retry,
  not_finished: retry,
  job_in_queue: retry,
  offline: retry,
  wrong_address: settings,
  certificate_untrusted: settings,
  address_not_https: settings,
  key_missing: settings,
  account_removed: settings,
  service_unavailable: retry,
  credit_limit: settings,
  engine_stopped: retry,
  computer_fault: retry,
  model_unreachable: retry,
  model_damaged: retry,
  model_folder_unreachable: retry,
  model_folder_empty: retry,
  model_folder_incomplete: retry,
  model_folder_unsuitable: retry,
  model_not_measured: retry,
};

/**
 * Returns the remedy for a problem of a recording at a service. Problems of the program itself can only be retried. The
 * on-device service has no account, so the settings cannot help there either.
 */
export function remedyFor(code: ProblemCode, service: ServiceAddress): Remedy {
  const remedy = Object.hasOwn(remedies, code) ? remedies[code as keyof typeof remedies] : retry;
  return remedy.action === 'settings' && service === 'on-device' ? retry : remedy;
}
