import { useCallback, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueGroup, QueueRow } from '../../../electron/contract/queue-commands.ts';
import { textContext } from '../../../electron/contract/problem.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { i18n } from '../../i18n.ts';
import { lazyPart } from '../../lazy-part.tsx';
import { runReportingErrors, notify } from '../../notices.ts';
import { useGoTo, useSend, useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { useDialogRequest } from '../../ui/dialog/use-dialog-request.ts';
import { refundText } from '../../ui/text/refund-text.ts';
import { useExport } from '../export/use-export.tsx';
import { useLibraryTools } from '../library/tools/library-tools.tsx';
import { emptySelection, summarizeRows, useSelectionSummary, type RowSelection } from './queue-selection.ts';
import { countAffectedItems, hasProgressToLose, waitsForKey, type RowAction } from './row-actions.ts';
import { useServiceMove } from './use-service-move.tsx';
import { useUndoRemove } from './use-undo-remove.ts';

const OptionsDialog = lazyPart(async () => (await import('./options-dialog.tsx')).OptionsDialog);
const ServiceDialog = lazyPart(async () => (await import('./service-dialog.tsx')).ServiceDialog);
const LinkDialog = lazyPart(async () => (await import('./link-dialog.tsx')).LinkDialog);
const RowDetails = lazyPart(async () => (await import('./row-details.tsx')).RowDetails);

export interface RowActions {
  /** Performs an action on rows. */
  readonly perform: (action: RowAction, selection: RowSelection) => void;
  /** The dialogs that actions open. */
  readonly dialogs: ReactNode;
}

/** Recordings for which the user chooses another service. */
interface PendingMove {
  readonly selection: RowSelection;
  /** The service that all of them have; `null` if they differ. */
  readonly from: ServiceAddress | null;
}

/** An action that would end work in progress, until the user confirms it. */
interface PendingConfirmation {
  readonly open: boolean;
  readonly action: 'cancel' | 'remove';
  readonly selection: RowSelection;
  readonly groups: readonly QueueGroup[];
}

export interface RowActionsOptions {
  /** Takes the focus when a dialog closes. */
  readonly list: RefObject<HTMLElement | null>;
  /** Called once items have been removed from the queue. */
  readonly onRemoved: () => void;
  /** Announces to screen readers what was done. */
  readonly announce: (text: string) => void;
}

/** Performs actions on rows. Only ending work in progress asks for confirmation; everything else can be undone. */
export function useRowActions({ list, onRemoved, announce }: RowActionsOptions): RowActions {
  const { t } = useTranslation();
  const send = useSend();
  const goTo = useGoTo();
  const openExport = useExport();
  const [confirmation, setConfirmation] = useState<PendingConfirmation>({
    open: false,
    action: 'remove',
    selection: emptySelection,
    groups: [],
  });
  const { invoke, getState } = useStore();
  const { trash } = useLibraryTools();
  const {
    request: optionsRequest,
    show: showOptions,
    close: closeOptions,
  } = useDialogRequest<RowSelection>();
  const { request: moveRequest, show: showMove, close: closeMove } = useDialogRequest<PendingMove>();
  const summaryToMove = useSelectionSummary(moveRequest?.content.selection ?? emptySelection);
  const { request: linkRequest, show: showLink, close: closeLink } = useDialogRequest<QueueRow>();
  const [details, setDetails] = useState<{ open: boolean; row: QueueRow | null }>({ open: false, row: null });

  const { report } = useUndoRemove();
  const remove = useCallback(
    ({ target, count }: RowSelection) => {
      runReportingErrors(async () => {
        const { stillCancelling } = await invoke('queue.remove', target);
        const stillCancellingText = i18n.t('remove.stillCancelling', { count: stillCancelling });
        if (stillCancelling === count) report(stillCancellingText);
        else
          report(
            i18n.t('remove.removed', { count: count - stillCancelling }),
            stillCancelling > 0 ? stillCancellingText : undefined,
          );
      });
      onRemoved();
    },
    [invoke, onRemoved, report],
  );

  const cancel = useCallback(
    ({ target }: RowSelection, groups: readonly QueueGroup[]) => {
      runReportingErrors(async () => {
        const { stillCancelling } = await invoke('queue.cancel', target);
        const count = countAffectedItems('cancel', groups);
        if (stillCancelling >= count) notify(i18n.t('cancel.stillCancelling', { count }));
        else
          notify(
            i18n.t('cancel.done', { count: count - stillCancelling }),
            stillCancelling > 0 ? i18n.t('cancel.stillCancelling', { count: stillCancelling }) : undefined,
          );
      });
    },
    [invoke],
  );

  const { move, dialog: moveDialog } = useServiceMove(list);
  const moveTo = useCallback(
    ({ target, count, rows }: RowSelection, to: ServiceAddress) => {
      // A done recording can be moved only on its own, and only if its transcript was deleted and its account removed.
      if (count === 1 && rows[0]?.state.kind === 'done') {
        runReportingErrors(async () => {
          await invoke('queue.transcribeAgain', { ...target, service: to });
          announce(i18n.t('queue.announced.transcribeAgain'));
        });
      } else move({ kind: 'items', target, count, to });
    },
    [announce, invoke, move],
  );

  const perform = useCallback(
    (action: RowAction, selection: RowSelection) => {
      const { target, count, rows } = selection;
      const [first] = rows;
      if (count === 0) return;
      const loadGroups = async (): Promise<readonly QueueGroup[]> =>
        rows.length === count ? summarizeRows(rows).groups : (await invoke('queue.sum', target)).groups;
      switch (action) {
        case 'pause':
        case 'resume':
        case 'retry':
        case 'transcribeAgain':
          runReportingErrors(async () => {
            await invoke(`queue.${action}`, target);
            announce(i18n.t(`queue.announced.${action}`));
          });
          break;
        case 'runNext':
          runReportingErrors(async () => {
            const groups = await loadGroups();
            await invoke('queue.move', { ...target, to: { kind: 'next' } });
            // Recordings that a cloud service already has are not overtaken, so the text must not promise that.
            const isOnDevice = groups.every(({ service }) => service === 'on-device');
            notify(i18n.t('queue.announced.runNext', isOnDevice ? textContext('on-device') : {}));
          });
          break;
        case 'options':
          showOptions(selection);
          break;
        case 'moveToDefaultService':
          moveTo(selection, getState().settings.service ?? 'on-device');
          break;
        case 'transcribeHere':
          moveTo(selection, 'on-device');
          break;
        case 'otherService':
          runReportingErrors(async () => {
            const services = new Set((await loadGroups()).map(({ service }) => service));
            const [from] = services;
            showMove({ selection, from: services.size === 1 ? (from ?? null) : null });
          });
          break;
        case 'editLink':
          if (first !== undefined) showLink(first);
          break;
        case 'cancel':
        case 'remove':
          runReportingErrors(async () => {
            const groups = await loadGroups();
            if (groups.some(hasProgressToLose)) setConfirmation({ open: true, action, selection, groups });
            else (action === 'cancel' ? cancel : remove)(selection, groups);
          });
          break;
        case 'settings':
          goTo({
            screen: 'settings',
            ...(first !== undefined && waitsForKey(first) && { enterKeyFor: first.service }),
          });
          break;
        case 'open':
          if (first?.state.kind === 'done') {
            const { transcript } = first.state;
            if (transcript.kind !== 'deleted')
              goTo({ screen: 'transcript', id: transcript.id, from: 'queue' });
          } else if (first !== undefined) goTo({ screen: 'live', id: first.id });
          break;
        case 'restore':
          runReportingErrors(async () => {
            if (first?.state.kind !== 'done' || first.state.transcript.kind !== 'trash') return;
            await trash.restore([first.state.transcript.id]);
          });
          break;
        case 'export':
          runReportingErrors(async () => {
            const transcripts = await invoke('queue.transcripts', target);
            if (transcripts.length > 0) openExport(transcripts);
            else notify(i18n.t('queue.noTranscripts'));
          });
          break;
        case 'locate':
        case 'addAgain':
        case 'showInFolder':
          if (first !== undefined) send(`queue.${action}`, { id: first.id });
          break;
        case 'details':
          if (first !== undefined) setDetails({ open: true, row: first });
          break;
      }
    },
    [
      invoke,
      cancel,
      getState,
      goTo,
      moveTo,
      openExport,
      remove,
      announce,
      send,
      showLink,
      showMove,
      showOptions,
      trash,
    ],
  );

  const { action, selection, groups } = confirmation;
  const count = countAffectedItems(action, groups);
  const name = nameOfSingle(action, selection);
  const closeConfirmation = (): void => setConfirmation({ ...confirmation, open: false });
  const dialogs = (
    <>
      <Dialog
        open={confirmation.open}
        onClose={closeConfirmation}
        finalFocus={list}
        title={name === null ? t(`${action}.title`, { count }) : t(`${action}.titleNamed`, { name })}
        note={[t(`${action}.note`, { count }), refundText(t, groups)].join(' ').trim()}
        actions={
          <>
            <Button onClick={closeConfirmation}>{t(`${action}.keep`)}</Button>
            <Button
              variant="danger"
              onClick={() => {
                closeConfirmation();
                (action === 'cancel' ? cancel : remove)(selection, groups);
              }}
            >
              {t(`${action}.confirm`)}
            </Button>
          </>
        }
      />
      {optionsRequest !== null && (
        <OptionsDialog
          key={`options-${optionsRequest.serial}`}
          finalFocus={list}
          open={optionsRequest.open}
          selectedRows={optionsRequest.content}
          onClose={closeOptions}
        />
      )}
      {moveRequest !== null && (
        <ServiceDialog
          key={`move-${moveRequest.serial}`}
          finalFocus={list}
          open={moveRequest.open}
          count={moveRequest.content.selection.count}
          cost={summaryToMove && { ...summaryToMove, credits: summaryToMove.creditsOfAll }}
          from={moveRequest.content.from}
          onMove={(service) => moveTo(moveRequest.content.selection, service)}
          onClose={closeMove}
        />
      )}
      {moveDialog}
      {linkRequest !== null && (
        <LinkDialog
          key={`link-${linkRequest.serial}`}
          finalFocus={list}
          open={linkRequest.open}
          row={linkRequest.content}
          onClose={closeLink}
        />
      )}
      {details.row !== null && (
        <RowDetails
          finalFocus={list}
          open={details.open}
          row={details.row}
          onClose={() => setDetails({ ...details, open: false })}
        />
      )}
    </>
  );
  return { perform, dialogs };
}

/** Returns the name of the recording if an action would end only a single one; `null` otherwise. */
function nameOfSingle(action: 'cancel' | 'remove', { count, rows }: RowSelection): string | null {
  const [row, ...others] = rows.filter(
    (candidate) => countAffectedItems(action, summarizeRows([candidate]).groups) > 0,
  );
  return row !== undefined && others.length === 0 && rows.length === count ? row.name : null;
}
