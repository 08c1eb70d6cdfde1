import type {
  AddSheetRow,
  AddSheetSelection,
  AddSheetSummary,
  AddSheetView,
} from '../../../electron/contract/add-sheet-commands.ts';
import type { Accuracy, AddSheetGroup } from '../../../electron/contract/choices.ts';
import { defaultJobOptions } from '../../../electron/contract/options.ts';
import { creditsFor } from '../../../electron/contract/pricing.ts';

/** A recording on the add sheet, unless a test changes it. */
export const sampleAddSheetRow = (row: Partial<AddSheetRow> & { readonly id: number }): AddSheetRow => ({
  name: `Episode ${100 + row.id}.wav`,
  folderLabel: 'Season 9 / Raw',
  source: 'file',
  sizeBytes: 612_000_000,
  durationSeconds: 3501,
  measuring: false,
  unmeasured: null,
  presentPercent: null,
  options: defaultJobOptions,
  ownOptions: false,
  included: true,
  duplicate: null,
  mayBeWebPage: false,
  problem: null,
  ...row,
});

/** What a podcaster may drop: a season, partly known, partly broken. */
export const seasonAddSheet: readonly AddSheetRow[] = [
  ...Array.from({ length: 132 }, (_, index) =>
    sampleAddSheetRow({
      id: index + 1,
      durationSeconds: 2700 + ((index * 431) % 1500),
      sizeBytes: 480_000_000 + ((index * 7_300_000) % 190_000_000),
      ...(index === 2 && {
        options: {
          language: 'de',
          accuracy: 'accurate',
          translateToEnglish: false,
          terms: [],
          speakers: 3,
        } as const,
        ownOptions: true,
      }),
      ...(index === 4 && { included: false }),
    }),
  ),
  sampleAddSheetRow({
    id: 133,
    name: 'town-hall.mp4',
    folderLabel: 'media.example.org',
    source: 'link',
    sizeBytes: null,
    durationSeconds: null,
  }),
  sampleAddSheetRow({
    id: 134,
    name: 'Episode 139 – Two rivers.mp3',
    included: false,
    duplicate: {
      kind: 'transcript',
      transcriptId: 3,
      isTrashed: false,
      name: 'Episode 139 – Two rivers.mp3',
    },
  }),
  sampleAddSheetRow({
    id: 135,
    name: 'Episode 141 (copy).wav',
    included: false,
    duplicate: { kind: 'queue', itemId: 1, name: 'Episode 141 – The lighthouse keeper.wav' },
  }),
  sampleAddSheetRow({
    id: 136,
    name: 'Episode 102 again.wav',
    included: false,
    duplicate: { kind: 'copy', name: 'Episode 102.wav' },
  }),
  ...(
    [
      ['notes.mp3', 'not_media'],
      ['silence.wav', 'file_empty'],
      ['Locked', 'path_unreadable'],
    ] as const
  ).map(([name, code], index) =>
    sampleAddSheetRow({
      id: 137 + index,
      name,
      folderLabel: name === 'Locked' ? 'Season 9' : 'Season 9 / Raw',
      sizeBytes: null,
      durationSeconds: null,
      included: false,
      problem: { code },
    }),
  ),
];

const groupOf = ({ duplicate, problem }: AddSheetRow): AddSheetGroup =>
  problem !== null ? 'rejected' : duplicate === null ? 'ready' : 'duplicates';

export const rowsOfGroup = (rows: readonly AddSheetRow[], group: AddSheetGroup): readonly AddSheetRow[] =>
  rows.filter((row) => groupOf(row) === group);

/** Sums up recordings, as the main process does. */
export function totalsOf(rows: readonly AddSheetRow[]): AddSheetSelection {
  const durations = rows.flatMap(({ durationSeconds }) => durationSeconds ?? []);
  return {
    recordings: rows.length,
    seconds: durations.reduce((sum, seconds) => sum + seconds, 0),
    credits: durations.reduce((sum, seconds) => sum + creditsFor(seconds), 0),
    bytes: rows.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0),
    unknownDurations: rows.length - durations.length,
  };
}

/** A part of the sheet, as sent by the main process. */
export function addSheetView(
  rows: readonly AddSheetRow[],
  {
    group,
    offset,
    limit,
  }: { readonly group: AddSheetGroup; readonly offset: number; readonly limit: number },
  revision: number,
  patch: Partial<AddSheetSummary>,
): AddSheetView {
  const listed = rowsOfGroup(rows, group);
  const chosen = rows.filter(({ included }) => included);
  const secondsOf = (accuracy: Accuracy): number =>
    totalsOf(chosen.filter(({ options }) => options.accuracy === accuracy)).seconds;
  const files = rows.filter(({ source, problem }) => source === 'file' && problem === null);
  return {
    revision,
    group,
    total: listed.length,
    offset,
    limit,
    rows: listed.slice(offset, offset + limit),
    summary: {
      phase: 'ready',
      isRestored: false,
      counts: {
        ready: rowsOfGroup(rows, 'ready').length,
        duplicates: rowsOfGroup(rows, 'duplicates').length,
        rejected: rowsOfGroup(rows, 'rejected').length,
      },
      leftOut: rows.filter(
        ({ unmeasured, presentPercent, included }) =>
          !included && ((unmeasured !== null && unmeasured !== 'undetermined') || presentPercent !== null),
      ).length,
      skippedFiles: 0,
      transcripts: { toImport: 0, imported: 0 },
      measured: files.filter(({ measuring }) => !measuring).length,
      toMeasure: files.length,
      chosen: totalsOf(chosen),
      secondsByAccuracy: {
        fast: secondsOf('fast'),
        balanced: secondsOf('balanced'),
        accurate: secondsOf('accurate'),
      },
      service: 'on-device',
      options: defaultJobOptions,
      canUseLastOptions: false,
      withOwnOptions: rows.filter(({ ownOptions }) => ownOptions).length,
      formats: null,
      ...patch,
    },
  };
}
