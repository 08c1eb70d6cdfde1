import { Toast } from '@base-ui/react/toast';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notices, type NoticeData, type NoticeDetails } from '../../notices.ts';
import { Button, IconButton } from '../actions/button.tsx';
import { Icon } from '../icon.tsx';
import styles from './notices-corner.module.css';

/** The corner with the notices. F6 moves the focus there. */
export function NoticesCorner({ onDetails }: { readonly onDetails: (details: NoticeDetails) => void }) {
  return (
    // Only the latest is shown: more would cover the text.
    <Toast.Provider toastManager={notices} limit={1}>
      <Toast.Portal>
        <Corner>
          <NoticeList onDetails={onDetails} />
        </Corner>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Corner({ children }: { readonly children: ReactNode }) {
  const corner = useRef<HTMLDivElement>(null);
  const { toasts, close } = Toast.useToastManager();
  const position = useNoticeAvoidance(corner, toasts.length);
  useNoticeRoom(corner);
  return (
    <Toast.Viewport
      ref={corner}
      className={styles.corner}
      data-position={position}
      onKeyDown={(event) => {
        // With the focus in a notice, Base UI closes it. Both return the focus.
        if (event.key !== 'Escape' || event.target !== corner.current) return;
        event.preventDefault();
        // Notices that wait for room have not been seen: they stay.
        for (const toast of toasts) if (toast.limited !== true) close(toast.id);
      }}
    >
      {children}
    </Toast.Viewport>
  );
}

function NoticeList({ onDetails }: { readonly onDetails: (details: NoticeDetails) => void }) {
  const { t } = useTranslation();
  const { toasts, close } = Toast.useToastManager<NoticeData>();
  return toasts.map((toast) => {
    const { details, actions = [] } = toast.data ?? {};
    return (
      <Toast.Root key={toast.id} toast={toast} swipeDirection="right" className={styles.toast}>
        <Toast.Content className={styles.content}>
          <div className={styles.main}>
            <div className={styles.text}>
              <Toast.Title className={styles.title} />
              <Toast.Description className={styles.note} />
            </div>
            {details !== undefined && (
              <Button
                onClick={() => {
                  close(toast.id);
                  onDetails(details);
                }}
              >
                {t('action.details')}
              </Button>
            )}
            {actions.map(({ label, run }) => (
              <Button
                key={label}
                onClick={() => {
                  close(toast.id);
                  run();
                }}
              >
                {label}
              </Button>
            ))}
          </div>
          <Toast.Close render={<IconButton aria-label={t('action.dismiss')} />}>
            <Icon name="close" />
          </Toast.Close>
        </Toast.Content>
      </Toast.Root>
    );
  });
}

/** The space above and below the notices, in pixels. */
const noticeMargins = 24;

/** Lets lists leave room at their end for the notices, by the CSS variable `--notice-room`. */
function useNoticeRoom(corner: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = corner.current;
    if (element === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      const { offsetHeight: height } = element;
      if (height === 0) style.removeProperty('--notice-room');
      else style.setProperty('--notice-room', `${height + noticeMargins}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--notice-room');
    };
  }, [corner]);
}

/**
 * Returns the box of what the user works on: the line that is being typed in, as wide as its field, or the active row of
 * the list that has the focus; `null` for anything else.
 */
function findActiveLine(): DOMRect | null {
  const field = document.activeElement;
  if (field?.role === 'grid') return field.querySelector('[data-active]')?.getBoundingClientRect() ?? null;
  if (!(field instanceof HTMLElement) || !field.isContentEditable) return null;
  const box = field.getBoundingClientRect();
  const selection = getSelection();
  const caret = selection?.rangeCount === 0 ? undefined : selection?.getRangeAt(0).getBoundingClientRect();
  // Chromium reports no position for a caret in an empty text.
  if (caret === undefined || caret.height === 0) return box;
  return new DOMRect(box.left, caret.top, box.width, caret.height);
}

const isCovered = (line: DOMRect, { top, bottom, left, right }: DOMRect): boolean =>
  line.top < bottom && line.bottom > top && line.left < right && line.right > left;

/** Events that move the active line, or make another one active. */
const lineEvents = ['selectionchange', 'input', 'scroll', 'focusin', 'keyup', 'pointerup'] as const;

/**
 * Returns where to show notices so that they do not cover the line that is being typed in, or the active row: at the
 * bottom of the window (`bottom`), or at the top (`top`) after one has covered that line at the bottom.
 *
 * @param count number of notices.
 */
function useNoticeAvoidance(corner: RefObject<HTMLElement | null>, count: number): 'top' | 'bottom' {
  const [position, setPosition] = useState<'top' | 'bottom'>('bottom');
  useEffect(() => {
    if (count === 0) {
      const resetFrame = requestAnimationFrame(() => setPosition('bottom'));
      return () => cancelAnimationFrame(resetFrame);
    }
    let frame = 0;
    const updatePosition = (): void => {
      const line = findActiveLine();
      const cornerBox = corner.current?.getBoundingClientRect();
      if (line === null || cornerBox === undefined || !isCovered(line, cornerBox)) return;
      setPosition(line.top + line.bottom > innerHeight ? 'top' : 'bottom');
    };
    const scheduleUpdate = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(updatePosition);
    };
    scheduleUpdate();
    for (const name of lineEvents)
      document.addEventListener(name, scheduleUpdate, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      for (const name of lineEvents) document.removeEventListener(name, scheduleUpdate, { capture: true });
    };
  }, [corner, count]);
  return position;
}
