import type { CommandInput, CommandResult } from '../../../electron/contract/commands.ts';
import type { backupCommands } from '../../../electron/contract/backup.ts';
import type { replaceCommands } from '../../../electron/contract/replace.ts';
import type { speakerCommands } from '../../../electron/contract/speakers.ts';
import type { updateCommands } from '../../../electron/contract/updates.ts';

const nothing = (): void => {};

type VoiceCommands = Pick<
  typeof speakerCommands,
  'speakers.voices' | 'speakers.rememberVoices' | 'speakers.forgetVoice' | 'speakers.suggestNames'
>;
type Handlers = {
  readonly [
    N in keyof (typeof backupCommands & typeof replaceCommands & typeof updateCommands & VoiceCommands)
  ]: (input: CommandInput<N>) => CommandResult<N>;
};

/** Handlers by which every dialog is cancelled, nothing matches, and no voice or newer version is known. */
export const fakeLibraryTools: Handlers = {
  'backup.write': () => null,
  'backup.open': () => null,
  'backup.restore': () => ({ added: 0, addedAsCopies: 0, outcome: 'finished' }),
  'backup.resume': () => ({ added: 0, addedAsCopies: 0, outcome: 'finished' }),
  'backup.close': nothing,
  'backup.show': nothing,
  'library.cancel': nothing,
  'replace.stored': () => [],
  'replace.dismissInterruption': nothing,
  'replace.find': () => ({ groups: [], isCapped: false }),
  'replace.stopFinding': nothing,
  'replace.run': ({ targets, mergesSpeakers }) => {
    const renamed = targets.filter(({ speakers }) => speakers.length > 0).length;
    return {
      run: targets.length === 0 ? null : 1,
      changed: targets.filter(({ matches }) => matches.length > 0).length,
      renamed,
      merged: mergesSpeakers ? renamed : 0,
      unchanged: 0,
      tooLong: 0,
      outcome: 'finished',
    };
  },
  'speakers.voices': () => [],
  'speakers.rememberVoices': () => [],
  'speakers.forgetVoice': () => [],
  'speakers.suggestNames': () => [],
  'updates.state': () => ({ kind: 'unavailable' }),
  'updates.download': nothing,
  'updates.install': nothing,
  'replace.undo': () => ({ undone: 0, kept: 0, edited: [], later: null, cancelled: false }),
};
