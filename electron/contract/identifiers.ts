/** The local ID of an item of the queue. */
export type ItemId = number;

/** The local ID of a saved transcript. */
export type TranscriptId = number;

/** The id of a segment within its transcript, which stays the same when other segments are edited. */
export type SegmentId = number;

/** The maximum number of characters of a job's ID. */
const maxJobIdLength = 256;

/**
 * Parses the ID of a job from a service, a backup or the window. It becomes a segment of the path of later requests;
 * `null` if it is invalid or would not be exactly one segment.
 */
export function parseJobId(value: unknown): string | null {
  const id = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof id !== 'string' || id.length > maxJobIdLength || !id.isWellFormed()) return null;
  return id === '' || id === '.' || id === '..' || /[\p{Cc}/\\]/u.test(id) ? null : id;
}
