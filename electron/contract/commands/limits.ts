/**
 * The most that one command may bring. Nobody who uses the window meets these: they keep a page that has gone wrong
 * from taking the main process's memory and time.
 */

/** Rows of a list, files of a drop: twice of what the queue and the library are measured with. */
export const mostRows = 200_000;
/** Segments of one transcript: a day of speech has 50,000. */
export const mostSegments = 1_000_000;
/** Rows that the window shows at a time, with those that are kept ready around them. */
export const mostRowsOnScreen = 500;
/** Links that are pasted at once. */
export const mostLinks = 10_000;
/** Jobs: twice of what the list of a service holds. */
export const mostJobs = 200;

/** Characters of a path: Windows takes no longer ones. */
export const longestPath = 32_768;
/** Characters of a link: servers take no longer ones. */
export const longestLink = 8192;
/** Characters of the address of a service, which has no query. */
export const longestAddress = 2048;
/** Characters of a key: a header that holds more is refused by most servers. */
export const longestKey = 4096;
/** Characters of what is looked for in transcripts, and of what takes its place. */
export const longestFind = 1000;
/** Characters of a whole transcript without times: two hundred hours of speech. */
export const longestText = 10_000_000;
/** Characters of the template that names of files are made by; no file system takes a longer name. */
export const longestTemplate = 500;
