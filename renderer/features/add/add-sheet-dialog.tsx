import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  AddSheetRowId,
  AddSheetSelection,
  AddSheetSummary,
  AddSheetTarget,
  AddSheetView,
} from '../../../electron/contract/add-sheet-commands.ts';
import { hasOnlyTranscripts } from '../../../electron/contract/sheet-transcripts.ts';
import {
  type Accuracy,
  accuracies,
  addSheetGroups,
  type AddSheetGroup,
} from '../../../electron/contract/choices.ts';
import { runReportingErrors, notifyWithAction, withdrawNotice } from '../../notices.ts';
import { useSend, useStore, useWindowState } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { SegmentedControl } from '../../ui/form/choice.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import filters from '../../ui/list/filter-bar.module.css';
import { targetOf } from '../../ui/list/list-selection.ts';
import { useListSelection, type SelectionControl } from '../../ui/list/use-list-selection.ts';
import { AddSheetFooter } from './add-sheet-footer.tsx';
import { AddSheetList } from './add-sheet-list.tsx';
import { commonOptionsOf, JobOptionsFields } from './job-options.tsx';
import {
  sheetFacts,
  type SheetFactsContext,
  type SheetSpeed,
  foundText,
  sheetNoteText,
  titleText,
  sheetConditionText,
} from './add-sheet-text.ts';
import styles from './add-sheet.module.css';
import { useLibraryTools } from '../library/tools/library-tools.tsx';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { Select } from '../../ui/form/select.tsx';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { useStatusOf } from '../../ui/text/use-status-of.ts';

/** The `recentKey` of the notice that offers to reopen a closed sheet. */
const closedSheetKey = 'addSheet.close';

/** Shows what was found before it is added: totals, rejections with their reasons, and options. */
export function AddSheetDialog({ view }: { readonly view: AddSheetView }) {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const send = useSend();
  const [chosenGroup, setChosenGroup] = useState<AddSheetGroup | null>(null);
  const group = chosenGroup ?? firstGroupWithEntries(view.summary);
  const fetchIds = useCallback(
    (offset: number, limit: number) => invoke('addSheet.ids', { group, offset, limit }),
    [invoke, group],
  );
  const shownView: AddSheetView =
    view.group === group ? view : { ...view, group, total: view.summary.counts[group], offset: 0, rows: [] };
  const selection = useListSelection(shownView, fetchIds);
  const importTranscripts = useImportFromSheet(view.summary);
  /** Rows whose recording was retried. */
  const [retried, setRetried] = useState<ReadonlySet<AddSheetRowId>>(new Set());
  const onRetried = useCallback((id: AddSheetRowId) => setRetried((before) => new Set([...before, id])), []);
  const reopen = (): void => send('addSheet.reopen', undefined);
  const close = (): void =>
    runReportingErrors(async () => {
      await invoke('addSheet.close', undefined);
      const title =
        retried.size === 0 ? t('addSheet.closed') : t('addSheet.closedRetried', { count: retried.size });
      // “Undo” would seem to add the recordings, or to stop those that are retried.
      notifyWithAction(title, '', { label: t('crash.reopen'), run: reopen, recentKey: closedSheetKey });
    });
  // A sheet cannot be reopened over another one.
  useEffect(() => withdrawNotice(closedSheetKey), []);

  return (
    // Escape closes the sheet wherever the focus is in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      role="dialog"
      aria-labelledby="add-sheet-title"
      className={styles.sheet}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        if (selection.size > 0) selection.clear();
        else close();
      }}
    >
      <SheetHeader view={view} />
      <Options view={shownView} selection={selection} />
      {(hasRows(view.summary) || !hasOnlyTranscripts(view.summary)) && (
        <Groups
          view={view}
          group={group}
          onGroup={(next) => {
            selection.clear();
            setChosenGroup(next);
          }}
        />
      )}
      {shownView.total === 0 ? (
        <p className={styles.nothing}>
          {t(
            group === 'ready' && hasOnlyTranscripts(view.summary) && !hasRows(view.summary)
              ? 'addSheet.empty.transcripts'
              : `addSheet.empty.${group}`,
          )}
        </p>
      ) : (
        <AddSheetList
          key={group}
          view={shownView}
          group={group}
          selection={selection}
          onRetried={onRetried}
        />
      )}
      <Transcripts summary={view.summary} onImport={importTranscripts} />
      <AddSheetFooter view={view} onClose={close} onImport={importTranscripts} />
    </section>
  );
}

const hasRows = ({ counts }: AddSheetSummary): boolean => addSheetGroups.some((name) => counts[name] > 0);

/** The group that the sheet opens with, until the user chooses one: the first that has something. */
function firstGroupWithEntries({ phase, counts }: AddSheetSummary): AddSheetGroup {
  if (phase === 'scanning') return 'ready';
  return addSheetGroups.find((name) => counts[name] > 0) ?? 'ready';
}

function SheetHeader({ view: { summary } }: { readonly view: AddSheetView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const status = useStatusOf(summary.service);
  const pending = useWindowState(
    (state) =>
      state.queue.summary.pendingCosts.find((cost) => cost.service === summary.service)?.credits ?? 0,
  );
  const account = { balance: status?.balanceCredits ?? null, pending };
  const speeds = useSpeeds(summary);
  const nameOf = useServiceName();
  const { phase, measured, toMeasure } = summary;
  const creditLimit = useWindowState((state) => state.settings.accountLimits[summary.service] ?? null);
  const name = nameOf(summary.service);
  const note = sheetNoteText(t, summary, name, status?.activeJobs ?? 0);
  const conditionNote = sheetConditionText(t, format, summary, name, status?.condition ?? null, account);
  return (
    <header className={styles.head}>
      <div className={styles.titles}>
        <h2 id="add-sheet-title" className={styles.title}>
          {titleText(t, summary)}
        </h2>
        <p className={styles.found}>{foundText(t, format, summary)}</p>
      </div>
      <dl className={styles.facts}>
        {sheetFacts(t, format, summary, { account, speeds }).map(({ key, value, note, tone }) => (
          <div
            key={key}
            className={styles.fact}
            data-key={key}
            data-tone={tone}
            data-priced={summary.service !== 'on-device' || undefined}
          >
            <dt className={styles.note}>{note}</dt>
            <dd className={styles.figure}>{value}</dd>
          </div>
        ))}
      </dl>
      {note !== '' && <p className={styles.where}>{note}</p>}
      {creditLimit !== null && (
        <p className={styles.limit}>{t('addSheet.note.limit', { count: creditLimit })}</p>
      )}
      {conditionNote !== null && <p className={styles.condition}>{conditionNote}</p>}
      {phase !== 'ready' && (
        <div className={styles.progress}>
          <ProgressBar label={t('addSheet.progress')} value={toMeasure === 0 ? 0 : measured / toMeasure} />
        </div>
      )}
    </header>
  );
}

/** Whether anything is new, still being found, or an included duplicate: only then do the options have an effect. */
const mayAdd = ({ phase, counts, chosen }: AddSheetSummary): boolean =>
  phase === 'scanning' || counts.ready > 0 || chosen.recordings > 0;

interface OptionsProps {
  readonly view: AddSheetView;
  readonly selection: SelectionControl;
}

/**
 * The options of all recordings, or of the selected ones. A click on a single row does not change what the options apply
 * to, because the user may only be looking at it. Selecting several rows does, until the user sets the switch.
 */
function Options({ view, selection }: OptionsProps) {
  const { t } = useTranslation();
  const send = useSend();
  const { summary } = view;
  const { size, has } = selection;
  /** What the options apply to; `null` until the switch, or the selection of several rows, decides it. */
  const [chosenScope, setChosenScope] = useState<'all' | 'selected' | null>(null);
  if (size === 0 && chosenScope !== null) setChosenScope(null);
  if (size > 1 && chosenScope === null) setChosenScope('selected');
  const scope = chosenScope ?? 'all';
  if (view.group === 'rejected' || !mayAdd(summary)) return null;
  const scopeSwitch = size > 0 && (
    <>
      <SegmentedControl
        label={t('addSheet.scope')}
        name="scope"
        value={scope}
        options={[
          { value: 'all', label: t('addSheet.scopeAll') },
          { value: 'selected', label: t('addSheet.scopeSelected', { count: size }) },
        ]}
        onChange={setChosenScope}
      />
      <SelectedSum view={view} selection={selection} />
    </>
  );
  if (size === 0 || scope === 'all') {
    return (
      <JobOptionsFields
        name="all"
        isTitleHidden={size > 0}
        title={
          summary.withOwnOptions > 0
            ? t('addSheet.optionsOfRest', { count: summary.withOwnOptions })
            : t('addSheet.optionsOfAll')
        }
        options={summary.options}
        services={[summary.service]}
        onChange={(options) => send('addSheet.setDefaultOptions', { options })}
      >
        {scopeSwitch}
        {scopeSwitch === false && !summary.canUseLastOptions && (
          <span className={styles.hint}>{t('addSheet.selectHint')}</span>
        )}
        {summary.canUseLastOptions && (
          <Button variant="plain" onClick={() => send('addSheet.useLastOptions', undefined)}>
            {t('addSheet.useLastOptions')}
          </Button>
        )}
        <ServiceChoice service={summary.service} />
      </JobOptionsFields>
    );
  }
  const target = targetOf(selection, view.group);
  const rows = view.rows.filter(({ id }) => has(id));
  return (
    <JobOptionsFields
      name="selected"
      isForSelection
      isTitleHidden
      title={t('addSheet.optionsOf', { count: size })}
      options={commonOptionsOf(rows.map(({ options }) => options))}
      services={[summary.service]}
      onChange={(options) => send('addSheet.setOptions', { ...target, options })}
    >
      {scopeSwitch}
      <Button variant="plain" onClick={() => send('addSheet.clearOptions', target)}>
        {t('addSheet.sameAsAll')}
      </Button>
    </JobOptionsFields>
  );
}

/** The duration and cost of the selected rows. */
function SelectedSum({ view, selection }: OptionsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { invoke } = useStore();
  // Each newly found duration changes the sum.
  const { measured } = view.summary;
  const requestKey = JSON.stringify({ target: targetOf(selection, view.group), measured });
  const [response, setResponse] = useState<{
    readonly requestKey: string;
    readonly totals: AddSheetSelection;
  } | null>(null);
  useEffect(() => {
    runReportingErrors(async () => {
      const { target } = JSON.parse(requestKey) as { readonly target: AddSheetTarget };
      setResponse({ requestKey, totals: await invoke('addSheet.sum', target) });
    });
  }, [invoke, requestKey]);
  if (response?.requestKey !== requestKey) return null;
  const { seconds, credits, unknownDurations } = response.totals;
  const parts = [
    seconds > 0 && format.duration(seconds),
    view.summary.service !== 'on-device' && credits > 0 && t('unit.credits', { count: credits }),
    unknownDurations > 0 && t('queue.unknownDurations', { count: unknownDurations }),
  ].filter((part) => part !== false);
  return <span className={styles.sum}>{parts.join(' · ')}</span>;
}

interface GroupsProps {
  readonly view: AddSheetView;
  readonly group: AddSheetGroup;
  readonly onGroup: (group: AddSheetGroup) => void;
}

function Groups({ view, group, onGroup }: GroupsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const { counts, skippedFiles } = view.summary;
  const include = (included: boolean): void => send('addSheet.include', { all: group, except: [], included });
  return (
    <div className={filters.bar}>
      <div role="group" aria-label={t('list.filters')} className={filters.filters}>
        {addSheetGroups.map((name) => (
          <button
            key={name}
            type="button"
            className={filters.filter}
            aria-pressed={name === group}
            onClick={() => onGroup(name)}
          >
            {t(`addSheet.group.${name}`)}{' '}
            {counts[name] > 0 && <span className={filters.count}>{format.number(counts[name])}</span>}
          </button>
        ))}
      </div>
      {group !== 'rejected' && counts[group] > 1 && (
        <span className={filters.end}>
          <Button variant="plain" onClick={() => include(true)}>
            {t('addSheet.includeAll')}
          </Button>
          <Button variant="plain" onClick={() => include(false)}>
            {t('addSheet.includeNone')}
          </Button>
        </span>
      )}
      {group === 'rejected' && skippedFiles > 0 && (
        <span className={styles.ignoredFiles}>{t('addSheet.ignoredFiles', { count: skippedFiles })}</span>
      )}
    </div>
  );
}

/**
 * Imports the transcripts that were found. A sheet with nothing else closes after that; if it was opened over the queue,
 * the library shows them.
 */
function useImportFromSheet(summary: AddSheetSummary): () => void {
  const store = useStore();
  const { imports } = useLibraryTools();
  return () =>
    runReportingErrors(async () => {
      const { unread } = await imports.run((task) => store.invoke('addSheet.importTranscripts', { task }));
      const isBackInQueue = store.getState().route.screen === 'queue';
      if (unread === null && hasOnlyTranscripts(summary) && isBackInQueue)
        store.change({ route: { screen: 'library' } });
    });
}

/** Offers to import transcripts that were found beside recordings, and says which were imported. */
function Transcripts({
  summary,
  onImport,
}: {
  readonly summary: AddSheetSummary;
  readonly onImport: () => void;
}) {
  const { t } = useTranslation();
  const { toImport, imported } = summary.transcripts;
  if (hasOnlyTranscripts(summary) || toImport + imported === 0) return null;
  return (
    <p className={styles.transcripts}>
      {toImport > 0 ? t('add.transcripts', { count: toImport }) : t('addSheet.imported', { count: imported })}
      {toImport > 0 && (
        <Button variant="plain" onClick={onImport}>
          {t('add.importTranscripts', { count: toImport })}
        </Button>
      )}
    </p>
  );
}

/** Chooses the service of the sheet's recordings, if the user has an account. */
export function ServiceChoice({ service }: { readonly service: ServiceAddress }) {
  const { t } = useTranslation();
  const send = useSend();
  const nameOf = useServiceName();
  const accounts = useWindowState((state) => state.settings.accounts);
  if (accounts.length === 0) return null;
  return (
    <div className={styles.service}>
      <span aria-hidden className={styles.serviceLabel}>
        {t('addSheet.service')}
      </span>
      <Select
        compact
        label={t('addSheet.service')}
        value={service}
        options={['on-device', ...accounts].map((value) => ({ value, label: nameOf(value) }))}
        onChange={(value) => send('addSheet.useService', { service: value })}
      />
    </div>
  );
}

/**
 * Returns the measured speed of each accuracy's model. At the start, the program measures only the model of the default
 * accuracy; any other one that the sheet uses is measured here, once for each sheet.
 */
function useSpeeds({ secondsByAccuracy, service }: AddSheetSummary): SheetFactsContext['speeds'] {
  const { invoke } = useStore();
  const models = useWindowState((state) => state.models);
  const modelOf = (wanted: Accuracy) => models.find(({ accuracy }) => accuracy === wanted);
  const triedAccuracies = useRef(new Set<Accuracy>());
  const unmeasured = accuracies.find((accuracy) => {
    const model = modelOf(accuracy);
    return secondsByAccuracy[accuracy] > 0 && model?.speed === null && model.state.kind === 'ready';
  });
  const toMeasure = service === 'on-device' ? unmeasured : undefined;
  useEffect(() => {
    if (toMeasure === undefined || triedAccuracies.current.has(toMeasure)) return;
    triedAccuracies.current.add(toMeasure);
    // Rejects while recordings are being transcribed.
    invoke('models.measure', { accuracy: toMeasure }).catch(() => undefined);
  }, [toMeasure, invoke]);
  const speedOf = (accuracy: Accuracy): SheetSpeed => {
    const model = modelOf(accuracy);
    if (model === undefined) return null;
    return model.measuring && model.speed === null ? 'measuring' : model.speed;
  };
  return { fast: speedOf('fast'), balanced: speedOf('balanced'), accurate: speedOf('accurate') };
}
