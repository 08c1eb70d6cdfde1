import { useCallback, useEffect, type ReactNode } from 'react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { undoableRuns } from '../../../../electron/contract/limits.ts';
import type { ReplaceRequest } from '../../../../electron/contract/replace.ts';
import type { Ask } from '../../../ask.ts';
import { lazyPart } from '../../../lazy-part.tsx';
import { attempt, notify, notifyUndoable } from '../../../notices.ts';
import { useStore } from '../../../use-store.ts';
import { useRunTask } from '../../tasks/running-tasks.tsx';
import { useDialogRequest } from '../tools/use-dialog-request.ts';

const ReplaceDialog = lazyPart(async () => (await import('./replace-dialog.tsx')).ReplaceDialog);

export interface ReplaceTool {
  readonly open: () => void;
  readonly dialogs: ReactNode;
}

/** Replaces in all transcripts, with progress and a notice that can undo it. */
export function useReplace(): ReplaceTool {
  const { t } = useTranslation();
  const { ask } = useStore();
  const runTask = useRunTask();
  const { request, show, close } = useDialogRequest<null>();

  const replace = useCallback(
    (request: ReplaceRequest) => {
      close();
      attempt(() => replaceAndReport(request, { t, ask, runTask }));
    },
    [ask, close, runTask, t],
  );

  useEffect(() => {
    attempt(() => reportInterrupted({ t, ask, runTask }));
  }, [ask, runTask, t]);

  const open = useCallback(() => show(null), [show]);
  const dialogs = request !== null && (
    <ReplaceDialog key={request.serial} open={request.open} onClose={close} onReplace={replace} />
  );
  return { open, dialogs };
}

interface ReplaceContext {
  readonly t: TFunction;
  readonly ask: Ask;
  readonly runTask: ReturnType<typeof useRunTask>;
}

async function replaceAndReport(
  { query, replacement, targets }: ReplaceRequest,
  context: ReplaceContext,
): Promise<void> {
  const { t, ask, runTask } = context;
  const { run, changed, renamed, unchanged, cancelled } = await runTask(
    { title: t('replaceAll.running') },
    (task) => ask('replace.run', { query, replacement, targets: [...targets], task }),
  );
  const text = shortened(query.text);
  const outcome = `${cancelled ? 'stopped' : 'done'}${replacement === '' ? 'Deletion' : ''}` as const;
  const title = t(`replaceAll.${outcome}`, { count: changed, text, replacement: shortened(replacement) });
  const description = joined([
    renamed > 0 && t('replaceAll.renamed', { count: renamed }),
    unchanged > 0 && t('replaceAll.unchanged', { count: unchanged }),
  ]);
  if (run === null) notify(title, description);
  else notifyUndoableRun(title, description, { run, text }, context);
}

/** Reports the replacement that the end of the program interrupted, if there is one. */
async function reportInterrupted(context: ReplaceContext): Promise<void> {
  const { t, ask } = context;
  const found = await ask('replace.takeInterrupted', undefined);
  if (found === null) return;
  const { run, replacement, changed, total } = found;
  const text = shortened(found.text);
  const title = t('replaceAll.interrupted', {
    count: changed,
    total,
    text,
    replacement: shortened(replacement),
  });
  notifyUndoableRun(title, t('replaceAll.interruptedNote'), { run, text }, context);
}

/** A replacement that can be undone. */
interface Run {
  readonly run: number;
  /** What was replaced, as messages show it. */
  readonly text: string;
}

function notifyUndoableRun(title: string, description: string, run: Run, context: ReplaceContext): void {
  notifyUndoable(title, () => attempt(() => undoAndReport(run, context)), {
    description,
    // The main process keeps as many runs as there are keys: the message of an earlier one loses its button.
    recentKey: `replace-in-all ${run.run % undoableRuns}`,
  });
}

async function undoAndReport({ run, text }: Run, context: ReplaceContext): Promise<void> {
  const { t, ask, runTask } = context;
  const { undone, kept, later, cancelled } = await runTask({ title: t('replaceAll.undoing') }, (task) =>
    ask('replace.undo', { run, task }),
  );
  const title = t('replaceAll.undone', { count: undone, text });
  const description = joined([
    later > 0 && t('replaceAll.later', { count: later }),
    kept > later && t('replaceAll.kept', { count: kept - later }),
  ]);
  if (later > 0 || cancelled) notifyUndoableRun(title, description, { run, text }, context);
  else notify(title, description);
}

/** Returns those parts of a description that there are. */
const joined = (parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false).join(' · ');

/** Characters of a text in a message. */
const maxShownLength = 60;

function shortened(text: string): string {
  const letters = Array.from(text);
  return letters.length > maxShownLength ? `${letters.slice(0, maxShownLength).join('')}…` : text;
}
