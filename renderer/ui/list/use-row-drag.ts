import { useRef, useState, type HTMLAttributes, type RefObject } from 'react';

/** Called while rows are dragged. */
export interface RowDrag {
  /** A row starts to be dragged. */
  readonly start: (index: number) => void;
  /** It is dropped before the row at an index; at the end of the list, this is the number of rows. */
  readonly drop: (dropIndex: number) => void;
}

/** Returns the index of the row under the mouse. */
export function indexUnder({ target }: React.MouseEvent): number | null {
  const row = target instanceof Element ? target.closest('[data-index]') : null;
  return row instanceof HTMLElement ? Number(row.dataset['index']) : null;
}

export interface RowDragOptions {
  readonly rowHeight: number;
  readonly total: number;
  /** Absent when rows cannot be dragged. */
  readonly onDrag: RowDrag | undefined;
}

/**
 * Returns before which index a dragged row would be dropped now, `null` while none is dragged, and the event handlers of
 * the list.
 */
export function useRowDrag(
  list: RefObject<HTMLDivElement | null>,
  { rowHeight, total, onDrag }: RowDragOptions,
): { readonly dropIndex: number | null; readonly handlers: HTMLAttributes<HTMLDivElement> } {
  const [dropIndex, setDropIndex] = useState<number | null>(null);
  const isDragging = useRef(false);
  if (onDrag === undefined) return { dropIndex: null, handlers: {} };

  const end = (): void => {
    isDragging.current = false;
    setDropIndex(null);
  };
  const dropIndexOf = ({ clientY }: React.DragEvent): number => {
    const { top = 0 } = list.current?.getBoundingClientRect() ?? {};
    const y = clientY - top + (list.current?.scrollTop ?? 0);
    return Math.max(0, Math.min(total, Math.round(y / rowHeight)));
  };
  return {
    dropIndex,
    handlers: {
      onDragStart: (event) => {
        const index = indexUnder(event);
        if (index === null) return;
        isDragging.current = true;
        event.dataTransfer.effectAllowed = 'move';
        onDrag.start(index);
      },
      onDragOver: (event) => {
        if (!isDragging.current) return;
        event.preventDefault();
        setDropIndex(dropIndexOf(event));
      },
      onDrop: (event) => {
        if (!isDragging.current) return;
        event.preventDefault();
        end();
        onDrag.drop(dropIndexOf(event));
      },
      onDragEnd: end,
    },
  };
}
