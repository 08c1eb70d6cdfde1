import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  type KeyboardEventHandler,
  type MouseEventHandler,
  type ReactNode,
  type RefObject,
} from 'react';
import { isActiveInView } from './list-keys.ts';
import styles from './row-list.module.css';
import { indexUnder, useRowDrag, type RowDrag } from './use-row-drag.ts';

/** Height of a row in px; `--row` in the tokens. */
export const rowHeight = 52;

const defaultHeight = (): number => rowHeight;

/** The assumed size until the list is measured: its first rows then appear in the first render. */
const estimatedRect = (): { width: number; height: number } => ({
  width: window.innerWidth,
  height: window.innerHeight * 0.7,
});

/** Rows that are rendered beyond the edges, so that fast scrolling shows no blank space. */
const overscan = 5;

export interface RowListProps {
  readonly label: string;
  /** The names of the columns, for screen readers. */
  readonly columns: readonly string[];
  readonly total: number;
  /** Changes when the rows change: the list scrolls to the active one, or to the top. */
  readonly contentKey?: string;
  /** The active row; it stays rendered, and is scrolled to when it changes. */
  readonly activeIndex: number | null;
  readonly multiselectable?: boolean;
  /** Returns a key that stays with a row when it moves. */
  readonly rowKey: (index: number) => string | number;
  readonly isSelected: (index: number) => boolean;
  /** Returns the height of a row in px, where heights differ; another function when any height changes. */
  readonly heightOf?: (index: number) => number;
  /** The cells of a row, each with the role `gridcell`. */
  readonly children: (index: number) => ReactNode;
  /** Called with the first and the last visible row whenever these change. */
  readonly onVisible: (first: number, last: number) => void;
  readonly onKeyDown: KeyboardEventHandler;
  readonly onRowClick: (index: number, event: React.MouseEvent) => void;
  readonly onRowDoubleClick: (index: number) => void;
  /** Called with the row of a button that is clicked, before the button acts, so that the row becomes the active one. */
  readonly onRowButton?: (index: number) => void;
  readonly onContextMenu?: (index: number, event: React.MouseEvent) => void;
  /** Absent when rows cannot be dragged. */
  readonly onDrag?: RowDrag;
  /** The list itself, which takes the focus. */
  readonly ref: RefObject<HTMLDivElement | null>;
}

/** Returns an event handler that calls `handler` with the row of the event, unless a button in the row was clicked. */
const onRow =
  (handler: ((index: number, event: React.MouseEvent) => void) | undefined): MouseEventHandler =>
  (event) => {
    if (event.target instanceof Element && event.target.closest('button') !== null) return;
    const index = indexUnder(event);
    if (index !== null) handler?.(index, event);
  };

/** Returns an event handler that calls `handler` with the row of a button that is clicked. */
const onButtonOfRow =
  (handler: ((index: number) => void) | undefined): MouseEventHandler =>
  (event) => {
    if (!(event.target instanceof Element) || event.target.closest('button') === null) return;
    const index = indexUnder(event);
    if (index !== null) handler?.(index);
  };

/**
 * A list of any length that renders only the rows on screen. The focus stays on the list itself and one of its rows is
 * active, so that rows may be replaced without losing the focus.
 */
export function RowList(props: RowListProps) {
  const { label, columns, total, activeIndex, rowKey, heightOf, isSelected, onVisible, ref } = props;
  const id = useId();
  const rowId = (index: number): string => `${id}-${index}`;

  const rangeExtractor = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      return activeIndex === null || indexes.includes(activeIndex)
        ? indexes
        : [...indexes, activeIndex].sort((a, b) => a - b);
    },
    [activeIndex],
  );
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => ref.current,
    estimateSize: heightOf ?? defaultHeight,
    initialRect: estimatedRect(),
    overscan,
    rangeExtractor,
  });

  const measuredHeightOf = useRef(heightOf);
  useLayoutEffect(() => {
    // Re-measuring is O(rows), so only when the heights changed.
    if (measuredHeightOf.current === heightOf) return;
    measuredHeightOf.current = heightOf;
    // Rows above the active one may grow when they are loaded, which would push it out of view.
    const keepsActiveInView = isActiveInView(ref.current);
    virtualizer.measure();
    if (activeIndex !== null && keepsActiveInView) virtualizer.scrollToIndex(activeIndex, { align: 'auto' });
  }, [heightOf, virtualizer, activeIndex, ref]);
  const dragging = useRowDrag(ref, { rowHeight, total, onDrag: props.onDrag });

  const first = virtualizer.range?.startIndex;
  const last = virtualizer.range?.endIndex;
  useEffect(() => {
    if (first !== undefined && last !== undefined) onVisible(first, last);
  }, [first, last, total, onVisible]);

  useEffect(() => {
    if (activeIndex !== null) virtualizer.scrollToIndex(activeIndex, { align: 'auto' });
  }, [activeIndex, virtualizer]);
  const lastContentKey = useRef(props.contentKey);
  const scrollToActiveOrTop = useEffectEvent(() => {
    // Effects also run when the list is shown again, where it keeps its position.
    if (lastContentKey.current === props.contentKey) return;
    lastContentKey.current = props.contentKey;
    virtualizer.scrollToIndex(activeIndex ?? 0, { align: 'auto' });
  });
  useEffect(() => scrollToActiveOrTop(), [props.contentKey]);

  return (
    <div
      ref={ref}
      className={styles.list}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total + 1}
      aria-multiselectable={props.multiselectable}
      aria-activedescendant={activeIndex === null ? undefined : rowId(activeIndex)}
      onKeyDown={props.onKeyDown}
      onClick={onRow(props.onRowClick)}
      onClickCapture={onButtonOfRow(props.onRowButton)}
      onDoubleClick={onRow(props.onRowDoubleClick)}
      onContextMenu={onRow(props.onContextMenu)}
      {...dragging.handlers}
    >
      <div role="row" aria-rowindex={1} className="visually-hidden">
        {columns.map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div role="presentation" className={styles.sizer} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, size }) => (
          <div
            // Not passed as options of the virtualizer, which would then compute the keys of all rows whenever one
            // changes.
            key={rowKey(index)}
            id={rowId(index)}
            role="row"
            data-index={index}
            data-active={index === activeIndex || undefined}
            aria-rowindex={index + 2}
            aria-selected={isSelected(index)}
            draggable={props.onDrag !== undefined}
            className={styles.row}
            // No transform: one per row costs more in each frame than the layout of a new row.
            style={{ height: size, top: start }}
          >
            {props.children(index)}
          </div>
        ))}
        {dragging.dropIndex !== null && (
          <div
            className={styles.dropLine}
            style={{ transform: `translateY(${dragging.dropIndex * rowHeight}px)` }}
          />
        )}
      </div>
    </div>
  );
}
