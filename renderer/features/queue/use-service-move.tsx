import { useCallback, useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { MovedItems, QueueTarget } from '../../../electron/contract/queue-commands.ts';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { i18n } from '../../i18n.ts';
import { runReportingErrors, notify } from '../../notices.ts';
import { useStore } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { reasonText } from '../../ui/text/problem-text.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { useBlockedServices } from '../../ui/text/use-service-conditions.ts';

/** Which recordings are moved to another service: some, or all that cannot proceed on a service. */
export type ServiceMove = { readonly to: ServiceAddress } & (
  | { readonly kind: 'items'; readonly target: QueueTarget; readonly count: number }
  | { readonly kind: 'stalled'; readonly from: ServiceAddress }
);

/** Recordings that a stopped service may have jobs for, and that the user has to decide about. */
interface PendingDecision {
  readonly open: boolean;
  readonly move: ServiceMove;
  /** How many recordings were moved without a question. */
  readonly moved: number;
  readonly notMoved: number;
}

/** Moves recordings to another service. Asks before it moves those that may be charged twice. */
export function useServiceMove(list?: RefObject<HTMLElement | null>): {
  readonly move: (move: ServiceMove) => void;
  readonly dialog: ReactNode;
} {
  const { t } = useTranslation();
  const { invoke } = useStore();
  const nameOf = useServiceName();
  const blockedServices = useBlockedServices();
  const [pending, setPending] = useState<PendingDecision | null>(null);

  const run = useCallback(
    (move: ServiceMove, decided?: PendingDecision): void =>
      runReportingErrors(async () => {
        const { to } = move;
        const leavesJobs = decided !== undefined;
        const { changed, notMoved }: MovedItems =
          move.kind === 'stalled'
            ? await invoke('queue.moveStalled', { from: move.from, to, leavesJobs })
            : await invoke('queue.moveToService', { ...move.target, service: to, leavesJobs });
        if (notMoved > 0) setPending({ open: true, move, moved: changed, notMoved });
        if (changed === 0 && notMoved > 0) return;
        const others = move.kind === 'stalled' ? 0 : move.count - (decided?.moved ?? 0) - changed - notMoved;
        notify(
          i18n.t(to === 'on-device' ? 'moveToService.doneHere' : 'moveToService.done', {
            count: changed,
            name: nameOf(to),
          }),
          others > 0 ? i18n.t('moveToService.some', { count: others }) : undefined,
        );
      }),
    [invoke, nameOf],
  );

  const move = useCallback((request: ServiceMove) => run(request), [run]);
  const stopProblems = blockedServices.flatMap(({ service, condition }) =>
    condition.kind === 'stopped' && service !== pending?.move.to ? [condition.problem] : [],
  );
  // With several stopped services, it is unknown which of them have the recordings.
  const [problem, ...otherProblems] = stopProblems;
  const reason = problem !== undefined && otherProblems.length === 0 ? reasonText(t, problem) : null;
  const close = (): void => setPending((current) => current && { ...current, open: false });
  const dialog = pending !== null && (
    <Dialog
      open={pending.open}
      onClose={close}
      finalFocus={list}
      title={t('abandonJobs.title', { count: pending.notMoved })}
      note={[reason, t('abandonJobs.note', { count: pending.notMoved })].filter(Boolean).join(' ')}
      actions={
        <>
          <Button onClick={close}>{t('abandonJobs.keep')}</Button>
          <Button
            variant="danger"
            onClick={() => {
              close();
              run(pending.move, pending);
            }}
          >
            {t(pending.move.to === 'on-device' ? 'moveToService.here' : 'moveToService.move')}
          </Button>
        </>
      }
    />
  );
  return { move, dialog };
}
