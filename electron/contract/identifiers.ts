/** The local ID of an item of the queue. */
export type ItemId = number;

/** The local ID of a saved transcript. */
export type TranscriptId = number;

/** The number of a segment within its transcript, which stays the same when other segments are edited. */
export type SegmentId = number;
