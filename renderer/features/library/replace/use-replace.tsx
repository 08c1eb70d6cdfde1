import { useCallback, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { undoableRuns } from '../../../../electron/contract/limits.ts';
import type {
  ReplacementTexts,
  ReplaceRequest,
  StoredReplacement,
} from '../../../../electron/contract/replace.ts';
import type { Invoke } from '../../../invoke.ts';
import { lazyPart } from '../../../lazy-part.tsx';
import {
  runReportingErrors,
  notices,
  notify,
  notifyWithAction,
  addToRecentNotices,
  replaceNotice,
  untilDismissed,
  withdrawNotice,
  type NoticeAction,
} from '../../../notices.ts';
import type { Format } from '../../../ui/text/format.ts';
import { problemText } from '../../../ui/text/problem-text.ts';
import { shortened } from '../../../ui/text/shortened.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useStore } from '../../../use-store.ts';
import { useRunTask } from '../../tasks/running-tasks.tsx';
import { useDialogRequest } from '../../../ui/dialog/use-dialog-request.ts';
import type { LibraryChange, LibraryUndo, UndoOutcome } from '../use-library-undo.ts';
import type { ReplaceDraft, ReplaceScope } from './replace-dialog.tsx';

const ReplaceDialog = lazyPart(async () => (await import('./replace-dialog.tsx')).ReplaceDialog);

export interface ReplaceTool {
  /** `scope`: where to replace unless the user chooses all transcripts; `null` for all. */
  readonly open: (scope: ReplaceScope | null) => void;
  readonly dialogs: ReactNode;
}

/** Replaces in all transcripts, with progress. A notice and the undo history of the library can undo it. */
export function useReplace(history: LibraryUndo): ReplaceTool {
  const { t } = useTranslation();
  const format = useFormat();
  const { invoke } = useStore();
  const runTask = useRunTask();
  const context = useMemo(
    () => ({ t, format, invoke, runTask, reported: new Map<number, () => void>() }),
    [t, format, invoke, runTask],
  );
  const { request, show, close: hide } = useDialogRequest<ReplaceScope | null>();
  const [draft, setDraft] = useState<ReplaceDraft | null>(null);
  const close = useCallback(() => {
    hide();
    setDraft(null);
  }, [hide]);

  const replace = useCallback(
    (replaceRequest: ReplaceRequest, isPreviewCapped: boolean) => {
      close();
      runReportingErrors(() =>
        history.record(() => replaceAndRecord(replaceRequest, isPreviewCapped, history, context)),
      );
    },
    [close, history, context],
  );

  const onStart = useEffectEvent(() => runReportingErrors(() => restoreReplaceNotices(history, context)));
  useEffect(() => onStart(), []);

  const dialogs = request !== null && (
    <ReplaceDialog
      key={request.serial}
      scope={request.content}
      draft={draft}
      open={request.open}
      onClose={close}
      onDismiss={(typed) => {
        hide();
        setDraft(typed);
      }}
      onReplace={replace}
    />
  );
  return { open: show, dialogs };
}

interface ReplaceContext {
  readonly t: TFunction;
  readonly format: Format;
  readonly invoke: Invoke;
  readonly runTask: ReturnType<typeof useRunTask>;
  /** What undoes each run whose interruption is reported. */
  readonly reported: Map<number, () => void>;
}

/**
 * Replaces, and adds the replacement to the undo history, where a redo replaces again.
 *
 * @param isPreviewCapped whether the preview did not list all matches
 */
async function replaceAndRecord(
  request: ReplaceRequest,
  isPreviewCapped: boolean,
  history: LibraryUndo,
  context: ReplaceContext,
): Promise<void> {
  const text = shortened(request.query.text, maxShownLength);
  let latestRun: number | null = null;
  let change: LibraryChange | null = null;
  const replace = async (): Promise<void> => {
    const undo = (run: number): void => {
      // After an undo, the button tries again in the transcripts that kept the replacement.
      if (run !== latestRun || change?.undo() !== true) startUndo({ run, text }, context);
    };
    latestRun = (await replaceAndReport(request, isPreviewCapped, undo, context)) ?? latestRun;
  };
  await replace();
  if (latestRun === null) {
    history.noteNoChange();
    return;
  }
  change = history.add({
    undo: async () => (latestRun === null ? 'undone' : undoAndReport({ run: latestRun, text }, context)),
    redo: replace,
  });
}

/**
 * Replaces, and reports the result.
 *
 * @param isPreviewCapped whether the preview did not list all matches
 * @param undo called by the button of the notice
 * @returns the number of the run; `null` if nothing was changed
 */
async function replaceAndReport(
  request: ReplaceRequest,
  isPreviewCapped: boolean,
  undo: (run: number) => void,
  context: ReplaceContext,
): Promise<number | null> {
  const { t, invoke, runTask } = context;
  const { run, changed, renamed, merged, unchanged, tooLong, outcome } = await runTask(
    { title: t('replaceAll.running') },
    (task) => invoke('replace.run', { ...request, task }),
  );
  const text = shortened(request.query.text, maxShownLength);
  const replacement = shortened(request.replacement, maxShownLength);
  const isNamesOnly = changed === 0 && renamed > 0;
  const textKey =
    `${outcome === 'finished' ? 'done' : 'stopped'}${replacement === '' ? 'Deletion' : ''}` as const;
  const title = isNamesOnly
    ? t(outcome === 'finished' ? 'replaceAll.renamed' : 'replaceAll.stoppedRenamed', { count: renamed })
    : t(`replaceAll.${textKey}`, { count: changed, text, replacement });
  const description = joinParts([
    !isNamesOnly && renamed > 0 && t('replaceAll.renamed', { count: renamed }),
    merged > 0 && t('replaceAll.merged', { count: merged }),
    unchanged > 0 && t('replaceAll.unchanged', { count: unchanged }),
    tooLong > 0 && t('replaceAll.tooLong', { count: tooLong }),
    isPreviewCapped && t('replaceAll.more'),
    typeof outcome !== 'string' && problemText(t, outcome),
  ]);
  if (run === null) notify(title, description);
  else
    notifyWithAction(
      title,
      description,
      undoAction(run, () => undo(run), context),
    );
  await withdrawInterruptions(context);
  return run;
}

/**
 * Adds the replacements of earlier sessions that can be undone to the recent messages. Reports one that was interrupted
 * when the program ended, and adds it to the undo history: the user sees it as the last change.
 */
async function restoreReplaceNotices(history: LibraryUndo, context: ReplaceContext): Promise<void> {
  const { t, invoke } = context;
  for (const stored of await invoke('replace.stored', undefined)) {
    const { run, changed, total, interrupted } = stored;
    const replacement = { run, text: shownTexts(stored).text };
    if (interrupted === null) {
      addStoredToRecent(stored, () => startUndo(replacement, context), context);
      continue;
    }
    const key = interrupted === 'undo' ? 'replaceAll.interruptedUndo' : 'replaceAll.interrupted';
    const change = history.add({ undo: () => undoAndReport(replacement, context) });
    const undo = (): void => {
      if (!change.undo()) startUndo(replacement, context);
    };
    context.reported.set(run, undo);
    notices.add({
      title: t(key, { count: changed, total, ...shownTexts(stored) }),
      description: t(`${key}Note`),
      // Stays until the user decides, or completes the replacement in another way.
      timeout: untilDismissed,
      data: {
        actions: [undoAction(run, undo, context)],
        onDismiss: () => runReportingErrors(() => invoke('replace.dismissInterruption', { run })),
      },
    });
  }
}

/** Withdraws the reports of interrupted replacements that were finished or undone since. */
async function withdrawInterruptions(context: ReplaceContext): Promise<void> {
  const { invoke, reported } = context;
  if (reported.size === 0) return;
  const all = await invoke('replace.stored', undefined);
  for (const [run, undo] of reported) {
    const stored = all.find((one) => one.run === run);
    if (stored !== undefined && stored.interrupted !== null) continue;
    reported.delete(run);
    withdrawNotice(undoKeyOf(run));
    if (stored !== undefined) addStoredToRecent(stored, undo, context);
  }
}

const shownTexts = ({ text, replacement }: StoredReplacement): ReplacementTexts => ({
  text: shortened(text, maxShownLength),
  replacement: shortened(replacement, maxShownLength),
});

function addStoredToRecent(stored: StoredReplacement, undo: () => void, context: ReplaceContext): void {
  const outcome = stored.replacement === '' ? 'doneDeletion' : 'done';
  const title = context.t(`replaceAll.${outcome}`, { count: stored.changed, ...shownTexts(stored) });
  addToRecentNotices(stored.at, title, undoAction(stored.run, undo, context));
}

/** A replacement that can be undone. */
interface UndoableReplacement {
  readonly run: number;
  /** What was replaced, as messages show it. */
  readonly text: string;
}

/**
 * Returns the `recentKey` of a replacement. The main process keeps the last `undoableRuns` replacements, so a new one takes
 * over the key, and with it the Undo button, of the one that is no longer kept.
 */
const undoKeyOf = (run: number): string => `replace-in-all ${run % undoableRuns}`;

const undoAction = (run: number, undo: () => void, { t }: ReplaceContext): NoticeAction => ({
  label: t('action.undo'),
  run: undo,
  recentKey: undoKeyOf(run),
  isRepeatable: true,
  isUndo: true,
});

const startUndo = (replacement: UndoableReplacement, context: ReplaceContext): void =>
  runReportingErrors(async () => void (await undoAndReport(replacement, context)));

/** Undoes a replacement, and reports the result. */
async function undoAndReport(
  { run, text }: UndoableReplacement,
  context: ReplaceContext,
): Promise<UndoOutcome> {
  const { t, format, invoke, runTask } = context;
  const {
    undone,
    kept,
    edited,
    later: laterReplacement,
    cancelled,
  } = await runTask({ title: t('replaceAll.undoing') }, (task) => invoke('replace.undo', { run, task }));
  await withdrawInterruptions(context);
  if (kept === 0 && !cancelled) withdrawNotice(undoKeyOf(run));
  const title = t(cancelled ? 'replaceAll.undoStopped' : 'replaceAll.undone', { count: undone, text });
  const editedCount = kept - (laterReplacement?.count ?? 0);
  const unnamedCount = editedCount - edited.length;
  const names = [
    ...edited.map((name) => t('replaceAll.keptName', { name })),
    ...(unnamedCount > 0 ? [t('replaceAll.keptMore', { count: unnamedCount })] : []),
  ];
  const description = joinParts([
    laterReplacement !== null &&
      t(laterReplacement.replacement === '' ? 'replaceAll.laterDeletion' : 'replaceAll.later', {
        count: laterReplacement.count,
        text: shortened(laterReplacement.text, maxShownLength),
        replacement: shortened(laterReplacement.replacement, maxShownLength),
      }),
    editedCount > 0 && t('replaceAll.kept', { count: editedCount, names: format.list(names) }),
    cancelled && t('replaceAll.undoStoppedNote'),
  ]);
  // An undo that changed nothing replaces its earlier message instead of adding another one.
  if (undone === 0) replaceNotice(`undo ${undoKeyOf(run)}`, title, description);
  else notify(title, description);
  // A later replacement has to be undone first, so the rest of this one must not come before it.
  if (laterReplacement !== null || (kept === 0 && !cancelled)) return 'undone';
  return undone === 0 ? 'blocked' : 'unfinished';
}

/** Joins the parts of a description that apply. */
const joinParts = (parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false).join(' · ');

/** Characters of a text in a message. */
const maxShownLength = 60;
