import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordingStatus, RecordingChange } from '../../../../electron/contract/recording-status.ts';
import { runReportingErrors, notifyError } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';
import { notifyPropertyChange } from '../editing/notify-edit.ts';
import { useWorkspace } from '../workspace.ts';

/** The recording of the open transcript, and what can be done with it. */
export interface RecordingControl {
  /** `null` until it is known. */
  readonly recording: RecordingStatus | null;
  /** Lets the user pick a file. */
  readonly choose: () => void;
  /** Uses the file that has replaced the recording. */
  readonly acceptReplaced: () => void;
  /** Detaches the recording. */
  readonly remove: () => void;
}

/** Returns the recording of the open transcript, which the user can change or remove. */
export function useRecording(): RecordingControl {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const { session } = useWorkspace();
  const { id } = session;
  const [recording, setRecording] = useState<RecordingStatus | null>(null);

  useEffect(() => {
    invoke('transcript.recording', { id }).then(setRecording).catch(notifyError);
  }, [invoke, id]);

  const show = useCallback(
    ({ recording: present, renamedTo }: RecordingChange): void => {
      setRecording(present);
      if (renamedTo !== null) void session.rename(renamedTo, true);
    },
    [session],
  );

  const applyChange = useCallback(
    (change: RecordingChange): void => {
      show(change);
      if (!change.isChanged) return;
      const titleOf = ({ name, before, renamedTo }: RecordingChange): string => {
        if (name === null) return t('transcript.recording.removed', { name: before ?? '' });
        return t(`transcript.recording.${renamedTo === null ? 'set' : 'setAndRenamed'}`, { name });
      };
      const runCommand = async (kind: 'undo' | 'redo'): Promise<string | null> => {
        const result = await invoke(`transcript.${kind}Recording`, { id });
        show(result);
        return result.isChanged ? titleOf(result) : null;
      };
      const { others } = change;
      const sharedNote = others > 0 ? t('transcript.recording.shared', { count: others }) : '';
      const commands = { undo: () => runCommand('undo'), redo: () => runCommand('redo') };
      notifyPropertyChange(session, titleOf(change), commands, sharedNote);
    },
    [invoke, id, session, show, t],
  );
  return useMemo(() => {
    const change = (command: 'choose' | 'remove') => (): void =>
      runReportingErrors(async () => applyChange(await invoke(`transcript.${command}Recording`, { id })));
    return {
      recording,
      choose: change('choose'),
      acceptReplaced: () =>
        runReportingErrors(async () => applyChange(await invoke('transcript.acceptReplaced', { id }))),
      remove: change('remove'),
    };
  }, [invoke, id, recording, applyChange]);
}
