import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  ExportChoices,
  ExportPreview,
  ExportProgress,
  ExportReport,
  FlaggedCue,
} from '../../../electron/contract/export.ts';
import {
  type CollisionPolicy,
  defaultExportScope,
  type ExportScope,
  unknownField,
} from '../../../electron/contract/choices.ts';
import type { TranscriptId } from '../../../electron/contract/identifiers.ts';
import {
  exportNoticeText,
  notifyError,
  notifyExported,
  runReportingErrors,
  retryExportKey,
  withdrawNotice,
} from '../../notices.ts';
import { withdrawFinished } from '../library/tools/use-interrupted-tasks.ts';
import { useBackgroundTask } from '../tasks/background-tasks.tsx';
import { ProgressDialog } from '../../ui/dialog/progress-dialog.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useDebouncedCommand } from '../../use-debounced-command.ts';
import { useGoTo, useSend, useStore, useWindowState } from '../../use-store.ts';
import { ExportForm } from './export-form.tsx';
import { ExportWarnings } from './export-warnings.tsx';
import { ScrollGroup } from '../../ui/screen/scroll-group.tsx';
import { RejectionList } from '../../ui/feedback/notice-details-dialog.tsx';
import styles from './export-form.module.css';
import { useDelayed } from '../../ui/time/timers.ts';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';

export interface ExportSheetProps {
  readonly open: boolean;
  readonly ids: readonly TranscriptId[];
  /** Whether it was opened over the original of the only transcript. */
  readonly isOriginalShown: boolean;
  readonly onClose: () => void;
  /** Opens the sheet again, while its export runs in the background. */
  readonly onShow: () => void;
  readonly onRunning: (isRunning: boolean) => void;
}

type IdlePhase = { readonly kind: 'choosing' } | { readonly kind: 'done'; readonly report: ExportReport };

type Phase =
  | IdlePhase
  /** Nothing is written yet: the program may be asking whether files may be replaced. */
  | { readonly kind: 'starting'; readonly before: IdlePhase }
  | { readonly kind: 'running'; readonly progress: ExportProgress };

/** The dialog of an export: its options, then its progress, then its result. */
export function ExportSheet(props: ExportSheetProps) {
  const { open, ids, isOriginalShown, onClose, onShow, onRunning } = props;
  const { t } = useTranslation();
  const { invoke, bridge, change } = useStore();
  const send = useSend();
  const settings = useWindowState((state) => state.settings);
  const route = useWindowState((state) => state.route);
  const [choices, setChoices] = useState(settings.exporting);
  const [rules, setRules] = useState(settings.ownSubtitleRules);
  const [scope, setScope] = useState(defaultExportScope);
  const [existing, setExisting] = useState<CollisionPolicy>(settings.exporting.existing);
  const [phase, setPhase] = useState<Phase>({ kind: 'choosing' });
  const { preview, isCounting } = useExportPreview(ids, choices, existing, scope, settings.exportFolder);

  const isOpen = useRef(open);
  useEffect(() => {
    isOpen.current = open;
  }, [open]);

  useEffect(
    () =>
      bridge.on('export.progress', (progress) =>
        setPhase((now) =>
          now.kind === 'running' || now.kind === 'starting' ? { kind: 'running', progress } : now,
        ),
      ),
    [bridge],
  );
  useBackgroundTask(
    phase.kind === 'running' && !open
      ? { title: t('export.running'), progress: fractionDone(phase.progress), onShow }
      : null,
  );

  const needsFolder = choices.where === 'folder' && settings.exportFolder === null;
  const isTemplateValid = unknownField(choices.template) === null;
  const files = needsFolder || !isTemplateValid ? 0 : (preview?.files ?? 0);
  const filesToWrite = existing === 'skip' ? files - Math.min(files, preview?.existing ?? 0) : files;
  const closeButton = useRef<HTMLButtonElement>(null);

  const isStarting = phase.kind === 'starting';
  const shownPhase = isStarting ? phase.before : phase;
  /**
   * Runs an export, and shows its progress and result. Until the first progress, and if it cannot start, the dialog is in
   * the phase `before`.
   */
  const run = async (before: IdlePhase, start: () => Promise<ExportReport>): Promise<void> => {
    if (isStarting) return;
    setPhase({ kind: 'starting', before });
    onRunning(true);
    try {
      const report = await start();
      setPhase({ kind: 'done', report });
      runReportingErrors(() => withdrawFinished('export', invoke));
      if (isOpen.current) return;
      notifyExported(report, {
        showInFolder: () => send('export.showInFolder', { run: report.run }),
        retry: () => {
          onShow();
          void retry(report);
        },
      });
    } catch (error) {
      setPhase(before);
      notifyError(error);
    } finally {
      onRunning(false);
    }
  };
  const retry = (report: ExportReport): Promise<void> =>
    run({ kind: 'done', report }, () => invoke('export.retry', { run: report.run }));
  // The notice of a sheet that no longer exists cannot retry anything.
  const lastRun = shownPhase.kind === 'done' ? shownPhase.report.run : null;
  useEffect(
    () => () => {
      if (lastRun !== null) withdrawNotice(retryExportKey(lastRun));
    },
    [lastRun],
  );
  const save = (): Promise<void> =>
    run({ kind: 'choosing' }, async () => {
      const exporting = { ...choices, existing: existing === 'replace' ? choices.existing : existing };
      const patch = { exporting: { ...exporting, formats: [...exporting.formats] }, ownSubtitleRules: rules };
      change({ settings: await invoke('settings.change', patch) });
      return invoke('export.run', { ...patch.exporting, ids: [...ids], existing, scope });
    });

  const goTo = useGoTo();
  /** Closes the dialog and shows a subtitle in its transcript, whose preview follows the stored choices. */
  const showCue = async ({ transcript, startMs }: FlaggedCue): Promise<void> => {
    const { formats, subtitles, speakers } = choices;
    const patch = {
      exporting: { ...settings.exporting, formats: [...formats], subtitles, speakers },
      ownSubtitleRules: rules,
      showSubtitlePreview: true,
    };
    change({ settings: await invoke('settings.change', patch) });
    const from = route.screen === 'transcript' ? route.from : 'library';
    const shown = route.screen === 'transcript' && route.id === transcript ? route : null;
    goTo({
      ...(shown ?? { screen: 'transcript', id: transcript, from }),
      cue: { startSeconds: startMs / 1000 },
    });
    onClose();
  };

  if (shownPhase.kind === 'done') {
    const { report } = shownPhase;
    return (
      <Dialog
        // Another dialog than that of the options, so that it takes the focus.
        key="done"
        open={open}
        onClose={onClose}
        title={exportNoticeText(t, report)}
        initialFocus={() => closeButton.current}
        actions={
          <>
            {report.count > 0 && (
              <Button onClick={() => send('export.showInFolder', { run: report.run })}>
                {t('export.showInFolder')}
              </Button>
            )}
            {report.failed.length > 0 && (
              <Button onClick={() => void retry(report)}>{t('export.retry')}</Button>
            )}
            {report.failed.length > 0 && report.count === 0 && (
              <Button onClick={() => setPhase({ kind: 'choosing' })}>{t('autoExports.retryInFolder')}</Button>
            )}
            <Button ref={closeButton} variant="main" onClick={onClose}>
              {t('action.close')}
            </Button>
          </>
        }
      >
        <ReportList report={report} folder={choices.where === 'folder' ? settings.exportFolder : null} />
      </Dialog>
    );
  }
  if (shownPhase.kind === 'running') {
    return (
      <ProgressDialog
        open={open}
        onClose={onClose}
        title={t('export.running')}
        onStop={() => send('export.cancel', undefined)}
      >
        <RunningExport progress={shownPhase.progress} />
      </ProgressDialog>
    );
  }
  return (
    <Dialog
      wide
      open={open}
      onClose={onClose}
      title={t('export.title', { count: ids.length })}
      actions={
        <>
          <span className={styles.counting} role="status">
            {isCounting && <Counting />}
          </span>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button variant="main" disabled={filesToWrite === 0 || isCounting} onClick={() => void save()}>
            {t('export.save', { count: filesToWrite })}
          </Button>
        </>
      }
    >
      {isOriginalShown && <p className={styles.warn}>{t('export.yourVersion')}</p>}
      <ExportForm
        ids={ids}
        choices={choices}
        rules={rules}
        folder={settings.exportFolder}
        preview={preview}
        onChoices={(patch) => setChoices({ ...choices, ...patch })}
        onRules={setRules}
        scope={scope}
        onScope={(patch) => setScope({ ...scope, ...patch })}
        onShowCue={(cue) => runReportingErrors(() => showCue(cue))}
      />
      {preview !== null && !needsFolder && (
        <ExportWarnings
          preview={preview}
          where={choices.where}
          existing={existing}
          onExisting={setExisting}
        />
      )}
    </Dialog>
  );
}

/** Says that files are being counted, but only when that takes long, for example with thousands of transcripts. */
function Counting() {
  const { t } = useTranslation();
  return useDelayed() ? t('export.countingFiles') : null;
}

interface ReportListProps {
  readonly report: ExportReport;
  /** Where the files were to be saved; `null`: next to their recordings. */
  readonly folder: string | null;
}

/** Lists what was not saved, with reasons, then what was saved. */
export function ReportList({ report, folder }: ReportListProps) {
  const { t } = useTranslation();
  const { count, written, skippedCount, skipped, failed, estimated, withoutHighlights } = report;
  return (
    <ScrollGroup className={styles.report} label={t('action.details')}>
      {estimated > 0 && <p className={styles.warn}>{t('export.estimated', { count: estimated })}</p>}
      {withoutHighlights > 0 && (
        <p className={styles.quiet}>{t('export.withoutHighlights', { count: withoutHighlights })}</p>
      )}
      {failed.length > 0 && (
        <section>
          <h3 className={styles.heading}>
            {folder === null
              ? t('export.failed', { count: failed.length })
              : t('autoExports.failedIn', { count: failed.length, folder })}
          </h3>
          <RejectionList entries={failed} />
        </section>
      )}
      {skipped.length > 0 && (
        <NameList title={t('export.skipped', { count: skippedCount })} names={skipped} total={skippedCount} />
      )}
      {written.length > 0 && <NameList title={t('export.written')} names={written} total={count} />}
    </ScrollGroup>
  );
}

/** The first few names, and the number of the others. */
function NameList(props: {
  readonly title: string;
  readonly names: readonly string[];
  readonly total: number;
}) {
  const { t } = useTranslation();
  const { title, names, total } = props;
  return (
    <section>
      <h3 className={styles.heading}>{title}</h3>
      <ul>
        {withKeys(names).map(({ key, name }) => (
          <li key={key}>
            <bdi className={styles.example}>{name}</bdi>
          </li>
        ))}
      </ul>
      {total > names.length && (
        <p className={styles.quiet}>{t('export.more', { count: total - names.length })}</p>
      )}
    </section>
  );
}

/** Returns names with React keys: files next to different recordings may have the same name. */
const withKeys = (names: readonly string[]) =>
  names.map((name, index) => ({ key: `${index} ${name}`, name }));

const fractionDone = ({ done, total }: ExportProgress): number => (total === 0 ? 0 : done / total);

/** The progress of a running export. */
export function RunningExport({ progress }: { readonly progress: ExportProgress }) {
  const { t } = useTranslation();
  return (
    <div className={styles.running}>
      <ProgressBar thick label={t('export.running')} value={fractionDone(progress)} />
      <p className={styles.quiet}>{t('export.progress', { done: progress.done, count: progress.total })}</p>
    </div>
  );
}

/**
 * Returns what an export would do; `null` until the first response, or after an error. A preview stays while the next one
 * is being counted.
 */
function useExportPreview(
  ids: readonly TranscriptId[],
  choices: ExportChoices,
  existing: CollisionPolicy,
  scope: ExportScope,
  folder: string | null,
): { readonly preview: ExportPreview | null; readonly isCounting: boolean } {
  const input = useMemo(
    () =>
      // Nothing can be counted before a folder has been chosen.
      choices.where === 'folder' && folder === null
        ? null
        : { ...choices, formats: [...choices.formats], ids: [...ids], existing, scope },
    [ids, choices, existing, scope, folder],
  );
  const { result, isPending } = useDebouncedCommand('export.preview', input, notifyError);
  return { preview: result, isCounting: isPending };
}
