import type { CommandInput, CommandResult } from '../../../electron/contract/commands.ts';
import type { autoExportCommands } from '../../../electron/contract/auto-exports.ts';
import type { exportCommands } from '../../../electron/contract/export.ts';
import type { FailedAutoExports } from '../../../electron/contract/auto-exports.ts';
import type { SubtitleQuality } from '../../../electron/contract/subtitle-rules.ts';

const laidOutQuality: SubtitleQuality = {
  cues: 1204,
  flagged: 14,
  tooManyLines: 0,
  tooWide: 0,
  tooShort: 2,
  tooLong: 0,
  tooFast: 12,
  tooClose: 0,
};

const rawQuality: SubtitleQuality = {
  cues: 675,
  flagged: 541,
  tooManyLines: 0,
  tooWide: 498,
  tooShort: 31,
  tooLong: 230,
  tooFast: 12,
  tooClose: 120,
};

type Handlers = {
  readonly [N in keyof (typeof exportCommands & typeof autoExportCommands)]: (
    input: CommandInput<N>,
  ) => CommandResult<N>;
};

/**
 * Returns the handlers of a main process in which every export succeeds.
 *
 * @param failedAutoExports files that could not be saved after their transcripts; the next attempt saves them.
 */
export function fakeExports(
  onFolder: (folder: string) => void,
  failedAutoExports: FailedAutoExports | null = null,
): Handlers {
  const folder = '/home/anna/Subtitles';
  return {
    'export.preview': ({ ids, formats, template, where }) => ({
      files: ids.length * formats.length,
      examples: formats.slice(0, 4).map((format) => `${template.replace('{name}', 'Interview')}.${format}`),
      folder: where === 'beside' ? 'Season 9' : 'Subtitles',
      existing: 0,
      withoutRecording: 0,
      withoutHighlights: 0,
      estimated: 0,
    }),
    'export.assess': ({ ids }) => ({
      transcripts: ids.length,
      before: rawQuality,
      after: laidOutQuality,
      flaggedCues: ids.map((transcript) => ({ transcript, name: 'Interview', startMs: 7250 })),
    }),
    'export.run': ({ ids, formats }) => ({
      run: 1,
      count: ids.length * formats.length,
      written: formats.map((format) => `Interview.${format}`),
      skippedCount: 0,
      skipped: [],
      failed: [],
      withoutHighlights: 0,
      estimated: 0,
      cancelled: false,
    }),
    'export.retry': () => {
      throw new Error('Nothing has failed.');
    },
    'export.resume': () => null,
    'export.cancel': () => {},
    'export.chooseFolder': () => {
      onFolder(folder);
      return { folder };
    },
    'export.showInFolder': () => {},
    'autoExports.failed': () => failedAutoExports,
    'autoExports.retry': () => null,
    'autoExports.retryInFolder': () => null,
    'autoExports.dismiss': () => null,
  };
}
