import { useCallback } from 'react';
import { importableTranscripts } from '../../../electron/contract/rejection.ts';
import { isBackupName, isTranscriptName } from '../../../electron/contract/choices.ts';
import type { AddReport } from '../../../electron/contract/queue-commands.ts';
import { i18n } from '../../i18n.ts';
import {
  runReportingErrors,
  notify,
  notifyAdded,
  notifyError,
  notifyTranscripts,
  notifyWhileBusy,
} from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { useLibraryTools } from '../library/tools/library-tools.tsx';
import { linksIn, looksLikeLinks } from './incoming.ts';

export interface AddActions {
  /** Adds paths and links. Shows an error, and then resolves with `false`. */
  readonly add: (paths: readonly string[], links: readonly string[]) => Promise<boolean>;
  /** Adds what was dropped or pasted. */
  readonly addFrom: (data: DataTransfer) => void;
  /** Opens the system's dialog to choose files or a folder. */
  readonly pick: (what: 'files' | 'folder') => void;
}

/** Returns the ways to add recordings to the queue. Each reports what was added and what was rejected. */
export function useAdd(): AddActions {
  const store = useStore();
  const { restore, imports } = useLibraryTools();
  const importFiles = imports.files;

  const showReport = useCallback(
    (report: AddReport) => {
      const { folders, count } = importableTranscripts(report.rejected);
      // With other rejections, the notice lists the reasons instead, where a button for one of them has no room.
      if (report.added === 0 && folders.length === report.rejected.length && count > 0)
        notifyTranscripts(count, () => runReportingErrors(() => importFiles(folders)));
      else notifyAdded(report, store);
    },
    [importFiles, store],
  );

  const add = useCallback(
    async (paths: readonly string[], links: readonly string[]) => {
      try {
        const report = await notifyWhileBusy('adding', i18n.t('add.working'), () =>
          store.invoke('queue.add', { paths: [...paths], links: [...links] }),
        );
        if (report === null) return true;
        showReport(report);
        return true;
      } catch (error) {
        notifyError(error);
        return false;
      }
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the linter does not see it used inside the promise
    [store, showReport],
  );

  const addFrom = useCallback(
    (data: DataTransfer) => {
      const paths = Array.from(data.files, (file) => store.bridge.pathForFile(file)).filter(Boolean);
      const transcripts = paths.filter(isTranscriptName);
      // Only one backup is open at a time; the others are rejected like other files without a recording.
      const backup = paths.find(isBackupName);
      const recordings = paths.filter((path) => !isTranscriptName(path) && path !== backup);
      if (backup !== undefined) restore(backup);
      if (transcripts.length > 0) runReportingErrors(() => importFiles(transcripts));
      if (recordings.length > 0) void add(recordings, []);
      if (paths.length > 0) return;
      const text = data.getData('text/uri-list') || data.getData('text/plain');
      if (looksLikeLinks(text)) void add([], linksIn(text));
      else if (text.trim() !== '') notify(i18n.t('add.noLink'), i18n.t('add.noLinkNote'));
    },
    [add, importFiles, restore, store],
  );

  const pick = useCallback(
    (what: 'files' | 'folder') => {
      runReportingErrors(async () => {
        const report = await store.invoke('queue.pick', { what });
        if (report !== null) showReport(report);
      });
    },
    [store, showReport],
  );

  return { add, addFrom, pick };
}
