/**
 * The limits of what comes from outside: a command of the window, a response of a service, an imported file or what is
 * stored. Users never reach them: they keep faulty input from using up the main process's memory and time.
 */

/** Rows of a list, files of a drop: twice the size with which the queue and the library are benchmarked. */
export const maxRows = 200_000;
/** Segments of one transcript: a day of speech has 50,000. */
export const maxSegments = 1_000_000;
/** Rows that the window shows at a time, including the overscan. */
export const maxRowsOnScreen = 500;
/** Bytes of all paths and links that are stored until they are in the queue. */
export const maxSheetBytes = 64_000_000;
/** Links in one paste. */
export const maxLinks = 10_000;
/** Jobs: twice the length of a service's list. */
export const maxJobs = 200;

/** Characters of a path: the limit of Windows. */
export const maxPathLength = 32_768;
/** Characters of a link: servers do not accept longer ones. */
export const maxLinkLength = 8192;
/** Characters of the address of a service, which has no query. */
export const maxAddressLength = 2048;
/** Characters of a key: most servers refuse a longer header. */
export const maxKeyLength = 4096;
/** Transcripts of an export whose subtitles are checked. */
export const maxAssessedTranscripts = 200;
/** Subtitles that the export dialog links to because they violate a rule. */
export const maxFlaggedCues = 5;
/** Characters of the search text and of the replacement in transcripts. */
export const maxFindLength = 1000;
/** Characters of the key of a review finding. */
export const maxFindingLength = 500;
/** Accepted findings of a transcript that are read: more than a person accepts. */
export const maxAcceptedFindings = 50_000;
/** How many of the latest replacements in all transcripts can be undone. */
export const undoableRuns = 5;
/** Spellings of one name: more than the review compares. */
export const maxSpellings = 1000;
/** Characters of a whole transcript without times: two hundred hours of speech. */
export const maxTextLength = 10_000_000;
/** UTF-16 units of the text of one segment or note. */
export const maxSegmentTextLength = 100_000;
/** Characters of the name of a language. */
export const maxLanguageLength = 100;
/** Speakers of one transcript: more than anyone can distinguish. */
export const maxSpeakers = 100;
/** Characters of the name of a speaker. */
export const maxSpeakerNameLength = 200;
/** Limits of a stored transcript, wider than those of other input: it may be from an earlier version or another program. */
export const storedLimits = {
  segments: 2_000_000,
  /** Tags of the library. */
  tags: 2000,
  /** Tags of one transcript. */
  tagsOfTranscript: 100,
  /** UTF-16 units of a segment or a note. */
  textLength: 1_000_000,
  /** UTF-16 units of a transcript without times. */
  wholeTextLength: 20_000_000,
  notes: 20_000,
  speakers: 1000,
  /** UTF-16 units of the name of a speaker. */
  nameLength: 2000,
  seconds: 1e9,
  /** Bytes of the extras of a segment. */
  extrasBytes: 200_000,
  /** Bytes of one edit in the history, with the segments before and after it. */
  changeBytes: 256 * 1024 * 1024,
  /** JSON values of one edit in the history: an edit of every segment has fewer. */
  changeValues: 20_000_000,
  /** Bytes of the names of all speakers of a transcript. */
  speakersBytes: 16_000_000,
  /** Bytes of all notes of a transcript: more than anyone writes. */
  notesBytes: 64_000_000,
  /** The highest id of a segment or a note. */
  number: 1e12,
} as const;

/** Notes of one transcript: more than anyone writes. */
export const maxNotes = 10_000;
/** Seconds: no recording is longer than 1,000 hours, so no time is later. */
export const maxTimeSeconds = 3_600_000;
/** Characters of a template for file names; no file system accepts a longer name. */
export const maxTemplateLength = 500;
/** Characters of the name of a transcript. */
export const maxNameLength = 500;
export const maxTagLength = 60;
/** Characters of a library search. */
export const maxQueryLength = 1000;

/** Names and terms of a recording: their number, the characters of each, and the characters in total. */
export const termLimits = { count: 200, length: 80, total: 4000 } as const;

/** Bytes per second that uploads may be limited to: below the minimum, the service would abandon an upload. */
export const uploadLimits = { min: 50_000, max: 1_000_000_000 } as const;

/** How much of the width a video beside the text may have. */
export const videoShareLimits = { min: 0.2, max: 0.6 } as const;

/** Jobs that an account may have active at a time (API part 8). */
export const jobSlots = 50;

/** UTF-16 units of the name of an account. */
export const maxAccountNameLength = 60;

/** The highest limit of credits for a month. */
export const maxCreditLimit = 1_000_000;
