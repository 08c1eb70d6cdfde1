import { errorMessage } from './errors.ts';
import type { ServiceAddress } from './service.ts';

/** The codes of the service's errors (API part 7). */
export const apiErrorCodes = [
  'invalid_json',
  'invalid_idempotency_key',
  'empty_upload',
  'invalid_part',
  'part_size_mismatch',
  'invalid_parts',
  'invalid_remote_url',
  'insecure_remote_url',
  'remote_host_blocked',
  'invalid_api_key',
  'insufficient_credits',
  'not_found',
  'idempotency_pending',
  'idempotency_conflict',
  'invalid_status',
  'upload_session_missing',
  'upload_incomplete',
  'upload_expired',
  'file_too_large',
  'unsupported_file',
  'invalid_file_signature',
  'remote_host_unresolved',
  'active_job_limit',
  'rate_limited',
  'request_failed',
  'upload_failed',
  'complete_failed',
  'remote_dns_failed',
  'provider_unavailable',
  'queue_unavailable',
] as const;
export type ApiErrorCode = (typeof apiErrorCodes)[number];

/** Local problems of a recording, its item, its job or its service. */
export const itemProblemCodes = [
  // a recording that cannot be added
  'path_missing',
  'path_unreadable',
  'folder_empty',
  'folder_without_media',
  'folder_of_transcripts',
  'folder_of_known_transcripts',
  'file_empty',
  'not_media',
  'not_a_file',
  'already_queued',
  'already_transcribed',
  'probably_unusable',
  'invalid_link',
  'web_page',
  // an item in progress
  'file_missing',
  'file_changed',
  'file_unreadable',
  'other_content',
  'disk_full',
  'job_gone',
  'job_failed',
  'job_deleted',
  'unexpected_answer',
  'foreign_address',
  // a job of the service that is not in the queue
  'not_at_service',
  'not_finished',
  'job_in_queue',
  // a whole service
  'offline',
  'wrong_address',
  'certificate_untrusted',
  'address_not_https',
  'key_missing',
  'account_removed',
  'service_unavailable',
  'credit_limit',
  'engine_stopped',
  'computer_fault',
  // a speech model of this computer
  'model_unreachable',
  'model_damaged',
  'model_folder_unreachable',
  'model_folder_empty',
  'model_folder_incomplete',
  'model_folder_unsuitable',
  'model_not_measured',
] as const;
export type ItemProblemCode = (typeof itemProblemCodes)[number];

/** Problems that do not come from the service. */
export const localProblemCodes = [
  ...itemProblemCodes,
  // the program itself
  'keychain_unavailable',
  'keychain_unreadable',
  'key_not_deleted',
  'settings_broken',
  'setting_broken',
  'window_crashed',
  'no_sandbox',
  'sheet_full',
  'sheet_incomplete',
  'folder_watched',
  'folder_is_link',
  'watch_failed',
  'data_folder_unwritable',
  'data_folder_foreign',
  'database_newer',
  'database_unreadable',
  'database_damaged',
  'database_begun_anew',
  'data_folder_in_use',
  'update_unreachable',
  'update_damaged',
  'update_busy',
  'dialog_open',
  'too_many_tasks',
  'not_allowed',
  'files_changed',
  'export_failed',
  'export_folder_gone',
  'export_not_allowed',
  'export_not_a_folder',
  'no_highlights',
  'too_long_for_word',
  'too_many_tags',
  'not_a_transcript',
  'encoding_guessed',
  'transcript_broken',
  'transcript_value_broken',
  'transcript_newer',
  'transcript_too_large',
  'name_unknown',
  'not_queued',
  'queue_paused',
  // a backup of the library
  'backup_missing',
  'backup_unreadable',
  'file_exists',
  'backup_failed',
  'backup_no_room',
  'backup_folder_gone',
  'backup_foreign',
  'backup_newer',
  'backup_damaged',
  // an import or a restore that was interrupted
  'interrupted_missing',
  // a recording of the library
  'recording_unknown',
  // the speakers of a transcript
  'recording_missing',
  'recording_changed',
  'transcript_untimed',
  'speaker_models_missing',
  'speaker_models_unusable',
  'speakers_not_identified',
  'voice_too_short',
  // a transcript that is being edited
  'transcript_changed',
  'transcript_gone',
  'history_damaged',
  // a command whose input its schema refuses
  'input_refused',
  'internal',
] as const;
export type LocalProblemCode = (typeof localProblemCodes)[number];

export type ProblemCode = ApiErrorCode | LocalProblemCode;

/**
 * Something that went wrong, as data. Its message is in `resources/locales`, under `problem.<code>`, so that the window
 * and the command line show the same text in the user's language.
 */
export interface Problem {
  readonly code: ProblemCode;
  /** Values for the placeholders of the message. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** The service's or the system's own message, shown under "Details". */
  readonly detail?: string;
}

/**
 * Returns the context in which i18next chooses a text about a recording (`<key>_onDevice`): nothing is sent from this
 * computer, and no text may say so.
 */
export const textContext = (service: ServiceAddress): { readonly context?: 'onDevice' } =>
  service === 'on-device' ? { context: 'onDevice' } : {};

/** Returns a problem of a recording or its service as its message is worded for that service; see {@link textContext}. */
export const problemAt = (service: ServiceAddress, problem: Problem): Problem =>
  service === 'on-device' ? { ...problem, params: { ...problem.params, ...textContext(service) } } : problem;

/** Returns the problem for a fault of the computer that is waited for. */
export function computerFault(error: unknown): Problem {
  const detail = errorMessage(error);
  return { code: 'computer_fault', params: { reason: detail.replace(/\.$/u, '') }, detail };
}

/** An error with a {@link Problem}; any other error is a bug. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.detail === undefined ? problem.code : `${problem.code}: ${problem.detail}`, options);
    this.problem = problem;
  }
}
