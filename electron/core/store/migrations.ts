import type { Migration } from '../../sqlite/open-database.ts';
import { queueAndLibrary } from './migrations/001-queue-and-library.ts';
import { requestSeeds } from './migrations/002-request-seeds.ts';
import { transcriptEdits } from './migrations/006-transcript-edits.ts';
import { serviceJobs } from './migrations/007-service-jobs.ts';
import { library } from './migrations/008-library.ts';
import { watchedFolders } from './migrations/009-watched-folders.ts';
import { transcriptTexts } from './migrations/013-transcript-texts.ts';
import { timesAndSheets } from './migrations/015-times-and-sheets.ts';
import { failedAutoExports } from './migrations/019-failed-saves.ts';
import { ranks } from './migrations/021-ranks.ts';
import { foldedLetters } from './migrations/024-folded-letters.ts';
import { recordings } from './migrations/025-recordings.ts';
import { steadyMerging } from './migrations/028-steady-merging.ts';
import { segmentExtras } from './migrations/029-segment-extras.ts';
import { queueOrder } from './migrations/030-queue-order.ts';
import { requestNames } from './migrations/031-request-names.ts';
import { batchSubtitles } from './migrations/032-batch-subtitles.ts';
import { speakerRequests } from './migrations/033-speaker-requests.ts';
import { folderLimits } from './migrations/034-folder-limits.ts';
import { batchFormats } from './migrations/035-batch-formats.ts';
import { knownRecordings } from './migrations/036-known-recordings.ts';
import { replaceRuns } from './migrations/037-replace-runs.ts';
import { originalSpeakers } from './migrations/038-original-speakers.ts';
import { folderServices } from './migrations/039-folder-services.ts';
import { longUntimedTexts } from './migrations/040-long-untimed-texts.ts';
import { closedSheets } from './migrations/043-closed-sheets.ts';
import { jobsOfDoneItems } from './migrations/044-jobs-of-done-items.ts';
import { replaceRunTimes } from './migrations/045-replace-run-times.ts';
import { leftJobs } from './migrations/047-left-jobs.ts';
import { transcribedContent } from './migrations/048-transcribed-content.ts';
import { statedDurations } from './migrations/049-stated-durations.ts';
import { unreadableDurations } from './migrations/051-unreadable-durations.ts';
import { replaceRunTargets } from './migrations/052-replace-run-targets.ts';
import { writtenPaths } from './migrations/053-written-paths.ts';
import { namesOfAutoExports } from './migrations/054-names-of-auto-exports.ts';
import { countedCosts } from './migrations/055-counted-costs.ts';
import { grownFiles } from './migrations/056-grown-files.ts';
import { earlierNames } from './migrations/057-earlier-names.ts';
import { contentHashes } from './migrations/058-content-hashes.ts';

/** All migrations of Longhand's database, in order. */
export const migrations: readonly Migration[] = [
  queueAndLibrary,
  requestSeeds,
  transcriptEdits,
  serviceJobs,
  library,
  watchedFolders,
  transcriptTexts,
  timesAndSheets,
  failedAutoExports,
  ranks,
  foldedLetters,
  recordings,
  steadyMerging,
  segmentExtras,
  queueOrder,
  requestNames,
  batchSubtitles,
  speakerRequests,
  folderLimits,
  batchFormats,
  knownRecordings,
  replaceRuns,
  originalSpeakers,
  folderServices,
  longUntimedTexts,
  closedSheets,
  jobsOfDoneItems,
  replaceRunTimes,
  leftJobs,
  transcribedContent,
  statedDurations,
  unreadableDurations,
  replaceRunTargets,
  writtenPaths,
  namesOfAutoExports,
  countedCosts,
  grownFiles,
  earlierNames,
  contentHashes,
];
