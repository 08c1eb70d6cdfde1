import { useDeferredValue, useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { QueueListing } from '../../../electron/contract/queue-commands.ts';
import { notifyNothingToDo, runReportingErrors } from '../../notices.ts';
import { lazyPart } from '../../lazy-part.tsx';
import { useGoTo, useSend, useWindowState } from '../../use-store.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/actions/button.tsx';
import { Empty } from '../../ui/feedback/empty.tsx';
import { AddButtons } from '../add/add-menu.tsx';
import { conditionText, needsKey } from '../../ui/text/service-text.ts';
import { useUndoKey } from '../../ui/list/use-undo-key.ts';
import { SearchBox } from '../../ui/form/search-box.tsx';
import { maxQueryLength } from '../../../electron/contract/limits.ts';
import { Filters } from './filters.tsx';
import { QueueHeader } from './queue-header.tsx';
import { QueueList } from './queue-list.tsx';
import styles from './queue-screen.module.css';
import { useAnnouncement } from './use-announcement.ts';
import { useServiceMove } from './use-service-move.tsx';
import { useUndoRemove } from './use-undo-remove.ts';
import type { ServiceAddress, ServiceStatus } from '../../../electron/contract/service.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { useBlockedServices, useReadyServices } from '../../ui/text/use-service-conditions.ts';
import { useFormat } from '../../ui/text/use-format.ts';

const ServiceDialog = lazyPart(async () => (await import('./service-dialog.tsx')).ServiceDialog);
const AddSheetDialog = lazyPart(async () => (await import('../add/add-sheet-dialog.tsx')).AddSheetDialog);

/** The queue, covered by the add sheet while that is open. */
export function QueueScreen() {
  const addSheet = useWindowState((state) => state.addSheet);
  return (
    <div className={styles.screen}>
      {/* The sheet covers the queue, so keys must not reach it. */}
      <div className={styles.below} inert={addSheet !== null}>
        <QueueContent isSheetOpen={addSheet !== null} />
      </div>
      {addSheet !== null && <AddSheetDialog view={addSheet} />}
    </div>
  );
}

/** The queue with its header, banners and list. */
function QueueContent({ isSheetOpen }: { readonly isSheetOpen: boolean }) {
  const { t } = useTranslation();
  const [{ filter, search }, setListing] = useState<QueueListing>({ filter: 'all', search: '' });
  const setFilter = (next: QueueListing['filter']): void => setListing({ filter: next, search });
  const list = useRef<HTMLDivElement>(null);
  const counts = useWindowState((state) => state.queue.summary.counts);
  const isEmpty = useShowsEmptyState(counts.all === 0);
  useFocusAfterSheet(isSheetOpen, !isEmpty, list);
  const { undo } = useUndoRemove();
  const [announcement, announce] = useAnnouncement();
  const undoRemoval = async (): Promise<void> => {
    const count = await undo();
    if (count === 0) notifyNothingToDo('undo');
    else announce(t('queue.restored', { count }));
  };
  useUndoKey(
    () => {
      if (!isSheetOpen) runReportingErrors(undoRemoval);
    },
    // An undo of a removal is not redone: the rows can be removed again.
    () => {
      if (!isSheetOpen) notifyNothingToDo('redo');
    },
  );
  // One banner at a time: what stops the whole service comes first.
  const [blockedService, ...otherBlockedServices] = useBlockedServices();

  return (
    <>
      <p aria-live="polite" className="visually-hidden">
        {announcement}
      </p>
      <QueueHeader />
      {blockedService !== undefined && (
        <ServiceBanner status={blockedService} others={otherBlockedServices} />
      )}
      {isEmpty ? (
        <Empty title={t('queue.emptyTitle')} note={t('queue.emptyNote')} takesDrops>
          <AddButtons />
        </Empty>
      ) : (
        <>
          {blockedService === undefined && counts.attention > 0 && filter !== 'attention' && (
            <div className={styles.attention}>
              <Banner
                tone="warn"
                title={t('queue.needYou', { count: counts.attention })}
                actions={
                  <Button onClick={() => setListing({ filter: 'attention', search: '' })}>
                    {t('queue.showThem')}
                  </Button>
                }
              >
                {t(counts.working > 0 ? 'queue.nothingLost' : 'queue.nothingLostAlone')}
              </Banner>
            </div>
          )}
          <Filters filter={filter} isSearch={search !== ''} onFilter={setFilter} list={list}>
            <SearchBox
              label={t('queue.search')}
              value={search}
              onChange={(text) => setListing({ filter, search: text })}
              maxLength={maxQueryLength}
              results={list}
            />
          </Filters>
          <QueueList
            key={`${filter} ${search}`}
            filter={filter}
            search={search}
            list={list}
            onListing={setListing}
          />
        </>
      )}
    </>
  );
}

/**
 * Focuses the list after the sheet closes, as soon as there is a list: what the sheet adds to an empty queue arrives a
 * little later.
 */
function useFocusAfterSheet(
  isSheetOpen: boolean,
  isListShown: boolean,
  list: RefObject<HTMLDivElement | null>,
): void {
  const isFocusPending = useRef(false);
  useEffect(() => {
    if (isSheetOpen) isFocusPending.current = true;
    if (isSheetOpen || !isListShown || !isFocusPending.current) return;
    isFocusPending.current = false;
    list.current?.focus({ preventScroll: true });
  }, [isSheetOpen, isListShown, list]);
}

/** How long the list may render with low priority: items that arrive quickly could restart that render forever. */
const maxDeferredMs = 250;

/**
 * Returns whether to show the empty state: also while the list is rendered in the background, because rendering the
 * largest part of the window at once would block it while recordings are added.
 */
function useShowsEmptyState(isEmpty: boolean): boolean {
  const isRendered = !useDeferredValue(isEmpty);
  const [isOverdue, setOverdue] = useState(false);
  useEffect(() => {
    if (isEmpty || isRendered) return;
    const timer = setTimeout(() => setOverdue(true), maxDeferredMs);
    return () => {
      clearTimeout(timer);
      setOverdue(false);
    };
  }, [isEmpty, isRendered]);
  return isEmpty || !(isRendered || isOverdue);
}

interface ServiceBannerProps {
  readonly status: ServiceStatus;
  /** Services that do not work either. */
  readonly others: readonly ServiceStatus[];
}

/** Says why a service is stopped, and which others are too. */
function ServiceBanner({ status, others }: ServiceBannerProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useSend();
  const goTo = useGoTo();
  const nameOf = useServiceName();
  const [isMoving, setMoving] = useState(false);
  const accounts = useWindowState((state) => state.settings.accounts);
  const defaultService = useWindowState((state) => state.service.service);
  const { service, condition, balanceCredits } = status;
  // A removed account can be neither topped up nor tried again.
  const isConfigured = service === defaultService || service === 'on-device' || accounts.includes(service);
  const readyServices = useReadyServices();
  const { move, dialog } = useServiceMove();
  const moveStalled = (to: ServiceAddress): void => move({ kind: 'stalled', from: service, to });
  const pendingCost = useWindowState((state) =>
    state.queue.summary.pendingCosts.find((cost) => cost.service === service),
  );
  const stalled = useWindowState((state) =>
    state.queue.summary.stalled.find((entry) => entry.service === service),
  );
  const isBalanceTooLow =
    pendingCost !== undefined && balanceCredits !== null && pendingCost.credits > balanceCredits;
  const shortage = isBalanceTooLow ? { needed: pendingCost.credits, left: balanceCredits } : null;
  const banner = conditionText(t, format, nameOf(service), { service, condition }, shortage);
  if (banner === null) return null;
  const isNameNeeded = service !== defaultService && condition.kind !== 'stopped';
  const title = isNameNeeded
    ? t('condition.ofService', { service: nameOf(service), title: banner.title })
    : banner.title;
  const namesOf = (services: readonly ServiceAddress[]): string => format.list(services.map(nameOf));

  return (
    <Banner
      tone={banner.tone}
      title={title}
      actions={
        <>
          {(condition.kind === 'stopped' || condition.kind === 'over-limit') && service !== 'on-device' && (
            <Button
              onClick={() =>
                goTo({ screen: 'settings', ...(needsKey(condition) && { enterKeyFor: service }) })
              }
            >
              {t('action.openSettings')}
            </Button>
          )}
          {condition.kind === 'no-credits' && service.startsWith('https:') && isConfigured && (
            <Button onClick={() => send('accounts.openWebsite', { service })}>{t('condition.topUp')}</Button>
          )}
          {stalled !== undefined && (
            <>
              <Button onClick={() => moveStalled('on-device')}>{t('condition.finishOnDevice')}</Button>
              {accounts.some((account) => account !== service) && (
                <Button onClick={() => setMoving(true)}>{t('rowAction.otherService')}</Button>
              )}
              <ServiceDialog
                open={isMoving}
                count={stalled.recordings}
                cost={stalled}
                from={service}
                onMove={moveStalled}
                onClose={() => setMoving(false)}
              />
            </>
          )}
          {condition.kind !== 'over-limit' && isConfigured && (
            <Button onClick={() => send('service.tryAgain', { service })}>{t('action.tryAgain')}</Button>
          )}
        </>
      }
    >
      {banner.text}
      {others.length > 0 &&
        ` ${t('condition.others', { services: namesOf(others.map((other) => other.service)) })}`}
      {readyServices.length > 0 && ` ${t('condition.continues', { services: namesOf(readyServices) })}`}
      {dialog}
    </Banner>
  );
}
