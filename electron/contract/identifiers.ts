/** The identifier of an item: the row of the queue, ours. */
export type ItemId = number;

/** The identifier of a saved transcript, ours. */
export type TranscriptId = number;

/** The number of a segment within its transcript; it stays with the segment whatever is edited around it. */
export type SegmentId = number;
