import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { videoShareLimits } from '../../../../electron/contract/limits.ts';
import { useSend, useWindowState } from '../../../use-store.ts';
import styles from './video-resizer.module.css';

/** How much an arrow key changes the share of the width. */
const keyStep = 0.02;

const clamp = (share: number): number =>
  Math.min(videoShareLimits.max, Math.max(videoShareLimits.min, share));

/**
 * The edge between text and video, which changes the share of the width that the video has. While it is dragged, only
 * the style of the grid changes; the choice is stored when it is released.
 */
export function VideoResizer() {
  const { t } = useTranslation();
  const send = useSend();
  const share = useWindowState((state) => state.settings.videoShare);
  const [draggedShare, setDraggedShare] = useState<number | null>(null);
  const handle = useRef<HTMLDivElement>(null);
  const currentShare = draggedShare ?? share;

  const preview = (next: number): void => {
    setDraggedShare(next);
    gridAround(handle.current)?.style.setProperty('--video-share', String(next));
  };
  const store = (next: number): void => {
    setDraggedShare(null);
    if (next !== share) send('settings.change', { videoShare: next });
  };
  const shareAt = (x: number): number => {
    const grid = gridAround(handle.current);
    if (grid === null) return currentShare;
    const { left, right, width } = grid.getBoundingClientRect();
    return clamp((getComputedStyle(grid).direction === 'rtl' ? x - left : right - x) / width);
  };
  const shareForKey = (key: string): number | null => {
    const grid = gridAround(handle.current);
    const isRightToLeft = grid !== null && getComputedStyle(grid).direction === 'rtl';
    if (key === 'Home') return videoShareLimits.min;
    if (key === 'End') return videoShareLimits.max;
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
    return clamp(currentShare + ((key === 'ArrowLeft') === isRightToLeft ? -keyStep : keyStep));
  };

  return (
    <div
      ref={handle}
      role="separator"
      // It takes keys, so it is focusable, as the ARIA practice for window splitters says.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('transcript.videoWidth')}
      aria-valuemin={Math.round(videoShareLimits.min * 100)}
      aria-valuemax={Math.round(videoShareLimits.max * 100)}
      aria-valuenow={Math.round(currentShare * 100)}
      className={styles.handle}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        preview(shareAt(event.clientX));
      }}
      onPointerMove={(event) => {
        if (draggedShare !== null) preview(shareAt(event.clientX));
      }}
      onPointerUp={() => draggedShare !== null && store(draggedShare)}
      onPointerCancel={() => draggedShare !== null && store(draggedShare)}
      onKeyDown={(event) => {
        const next = shareForKey(event.key);
        if (next === null) return;
        event.preventDefault();
        store(next);
      }}
    />
  );
}

/** Returns the element whose columns are text and video. */
const gridAround = (element: HTMLElement | null): HTMLElement | null =>
  element?.parentElement?.parentElement ?? null;
