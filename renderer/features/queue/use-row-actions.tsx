import { useCallback, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueGroup, QueueRow } from '../../../electron/contract/queue-commands.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { i18n } from '../../i18n.ts';
import { lazyPart } from '../../lazy-part.tsx';
import { runReportingErrors, notify } from '../../notices.ts';
import { useGoTo, useSend, useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { refundText } from '../../ui/text/refund-text.ts';
import { useExport } from '../export/use-export.tsx';
import { emptySelection, summarizeRows, useSelectionSummary, type RowSelection } from './queue-selection.ts';
import { countFor, hasProgressToLose, waitsForKey, type RowAction } from './row-actions.ts';
import { useServiceMove } from './use-service-move.tsx';
import { useUndoRemove } from './use-undo-remove.ts';

const OptionsDialog = lazyPart(async () => (await import('./options-dialog.tsx')).OptionsDialog);
const ServiceDialog = lazyPart(async () => (await import('./service-dialog.tsx')).ServiceDialog);
const LinkDialog = lazyPart(async () => (await import('./link-dialog.tsx')).LinkDialog);
const RowDetails = lazyPart(async () => (await import('./row-details.tsx')).RowDetails);

export interface RowActions {
  /** Performs an action on rows. */
  readonly perform: (action: RowAction, chosen: RowSelection) => void;
  /** The dialogs that actions open. */
  readonly dialogs: ReactNode;
}

/** Recordings for which another service is being chosen. */
interface PendingMove {
  readonly open: boolean;
  readonly number: number;
  readonly chosen: RowSelection;
  /** The service that all of them have; `null` if they differ. */
  readonly from: ServiceAddress | null;
}

/** Work that an action would end, and that needs confirmation. */
interface PendingConfirmation {
  readonly open: boolean;
  readonly action: 'cancel' | 'remove';
  readonly chosen: RowSelection;
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
    chosen: emptySelection,
    groups: [],
  });
  const { invoke, getState } = useStore();
  const [options, setOptions] = useState({ open: false, number: 0, chosen: emptySelection });
  const [pendingMove, setPendingMove] = useState<PendingMove>({
    open: false,
    number: 0,
    chosen: emptySelection,
    from: null,
  });
  const summaryToMove = useSelectionSummary(pendingMove.chosen);
  const [link, setLink] = useState<{ open: boolean; number: number; row: QueueRow | null }>({
    open: false,
    number: 0,
    row: null,
  });
  const [details, setDetails] = useState<{ open: boolean; row: QueueRow | null }>({ open: false, row: null });

  const { report } = useUndoRemove();
  const remove = useCallback(
    ({ target, count }: RowSelection) => {
      runReportingErrors(async () => {
        const { held } = await invoke('queue.remove', target);
        const heldText = i18n.t('remove.held', { count: held });
        if (held === count) report(heldText);
        else report(i18n.t('remove.removed', { count: count - held }), held > 0 ? heldText : undefined);
      });
      onRemoved();
    },
    [invoke, onRemoved, report],
  );

  const cancel = useCallback(
    ({ target }: RowSelection, groups: readonly QueueGroup[]) => {
      runReportingErrors(async () => {
        const { held } = await invoke('queue.cancel', target);
        const count = countFor('cancel', groups);
        if (held >= count) notify(i18n.t('cancel.held', { count }));
        else
          notify(
            i18n.t('cancel.done', { count: count - held }),
            held > 0 ? i18n.t('cancel.held', { count: held }) : undefined,
          );
      });
    },
    [invoke],
  );

  const { move, dialog: moveDialog } = useServiceMove(list);
  const moveTo = useCallback(
    ({ target, count, rows }: RowSelection, to: ServiceAddress) => {
      // Offered for a single one whose transcript was deleted and whose account was removed.
      if (count === 1 && rows[0]?.state.kind === 'done') {
        runReportingErrors(async () => {
          await invoke('queue.transcribeAgain', { ...target, service: to });
          announce(i18n.t('queue.said.transcribeAgain'));
        });
      } else move({ kind: 'items', target, count, to });
    },
    [announce, invoke, move],
  );

  const perform = useCallback(
    (action: RowAction, chosen: RowSelection) => {
      const { target, count, rows } = chosen;
      const [first] = rows;
      if (count === 0) return;
      const groupsOf = async (): Promise<readonly QueueGroup[]> =>
        rows.length === count ? summarizeRows(rows).groups : (await invoke('queue.sum', target)).groups;
      switch (action) {
        case 'pause':
        case 'resume':
        case 'retry':
        case 'transcribeAgain':
          runReportingErrors(async () => {
            await invoke(`queue.${action}`, target);
            announce(i18n.t(`queue.said.${action}`));
          });
          break;
        case 'runNext':
          runReportingErrors(async () => {
            await invoke('queue.move', { ...target, to: { kind: 'next' } });
            notify(i18n.t('queue.said.runNext'));
          });
          break;
        case 'options':
          setOptions(({ number }) => ({ open: true, number: number + 1, chosen }));
          break;
        case 'moveToDefaultService':
          moveTo(chosen, getState().settings.service ?? 'on-device');
          break;
        case 'transcribeHere':
          moveTo(chosen, 'on-device');
          break;
        case 'otherService':
          runReportingErrors(async () => {
            const services = new Set((await groupsOf()).map(({ service }) => service));
            const [from] = services;
            setPendingMove(({ number }) => ({
              open: true,
              number: number + 1,
              chosen,
              from: services.size === 1 ? (from ?? null) : null,
            }));
          });
          break;
        case 'editLink':
          if (first !== undefined) setLink(({ number }) => ({ open: true, number: number + 1, row: first }));
          break;
        case 'cancel':
        case 'remove':
          runReportingErrors(async () => {
            const groups = await groupsOf();
            if (groups.some(hasProgressToLose)) setConfirmation({ open: true, action, chosen, groups });
            else (action === 'cancel' ? cancel : remove)(chosen, groups);
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
            const restored = await invoke('library.restore', { ids: [first.state.transcript.id] });
            notify(i18n.t('library.restored', { count: restored }));
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
        case 'showInFolder':
          if (first !== undefined) send(`queue.${action}`, { id: first.id });
          break;
        case 'details':
          if (first !== undefined) setDetails({ open: true, row: first });
          break;
      }
    },
    [invoke, cancel, getState, goTo, moveTo, openExport, remove, announce, send],
  );

  const { action, chosen, groups } = confirmation;
  const count = countFor(action, groups);
  const name = nameOfOnly(action, chosen);
  const keep = (): void => setConfirmation({ ...confirmation, open: false });
  const dialogs = (
    <>
      <Dialog
        open={confirmation.open}
        onClose={keep}
        finalFocus={list}
        title={name === null ? t(`${action}.title`, { count }) : t(`${action}.titleNamed`, { name })}
        note={[t(`${action}.note`, { count }), refundText(t, groups)].join(' ').trim()}
        actions={
          <>
            <Button onClick={keep}>{t(`${action}.keep`)}</Button>
            <Button
              variant="danger"
              onClick={() => {
                keep();
                (action === 'cancel' ? cancel : remove)(chosen, groups);
              }}
            >
              {t(`${action}.confirm`)}
            </Button>
          </>
        }
      />
      {options.number > 0 && (
        <OptionsDialog
          key={options.number}
          finalFocus={list}
          open={options.open}
          selectedRows={options.chosen}
          onClose={() => setOptions({ ...options, open: false })}
        />
      )}
      {pendingMove.number > 0 && (
        <ServiceDialog
          key={`move-${pendingMove.number}`}
          finalFocus={list}
          open={pendingMove.open}
          count={pendingMove.chosen.count}
          cost={summaryToMove && { ...summaryToMove, credits: summaryToMove.creditsOfAll }}
          from={pendingMove.from}
          onMove={(service) => moveTo(pendingMove.chosen, service)}
          onClose={() => setPendingMove({ ...pendingMove, open: false })}
        />
      )}
      {moveDialog}
      {link.row !== null && (
        <LinkDialog
          key={`link-${link.number}`}
          finalFocus={list}
          open={link.open}
          row={link.row}
          onClose={() => setLink({ ...link, open: false })}
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

/** Returns the name of the recording that an action would end if it is a single one; `null` otherwise. */
function nameOfOnly(action: 'cancel' | 'remove', { count, rows }: RowSelection): string | null {
  const [row, ...others] = rows.filter((one) => countFor(action, summarizeRows([one]).groups) > 0);
  return row !== undefined && others.length === 0 && rows.length === count ? row.name : null;
}
