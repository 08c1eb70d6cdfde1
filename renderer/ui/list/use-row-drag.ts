import { useRef, useState, type HTMLAttributes, type RefObject } from 'react';

/** Handles dragged rows. */
export interface RowDrag {
  readonly start: (index: number) => void;
  readonly drop: (before: number) => void;
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

/** Returns where a dragged row would be dropped, and the event handlers of the list. */
export function useRowDrag(
  list: RefObject<HTMLDivElement | null>,
  { rowHeight, total, onDrag }: RowDragOptions,
): { readonly before: number | null; readonly handlers: HTMLAttributes<HTMLDivElement> } {
  const [before, setBefore] = useState<number | null>(null);
  const taken = useRef(false);
  if (onDrag === undefined) return { before: null, handlers: {} };

  const end = (): void => {
    taken.current = false;
    setBefore(null);
  };
  const dropIndexOf = ({ clientY }: React.DragEvent): number => {
    const { top = 0 } = list.current?.getBoundingClientRect() ?? {};
    const y = clientY - top + (list.current?.scrollTop ?? 0);
    return Math.max(0, Math.min(total, Math.round(y / rowHeight)));
  };
  return {
    before,
    handlers: {
      onDragStart: (event) => {
        const index = indexUnder(event);
        if (index === null) return;
        taken.current = true;
        event.dataTransfer.effectAllowed = 'move';
        onDrag.start(index);
      },
      onDragOver: (event) => {
        if (!taken.current) return;
        event.preventDefault();
        setBefore(dropIndexOf(event));
      },
      onDrop: (event) => {
        if (!taken.current) return;
        event.preventDefault();
        end();
        onDrag.drop(dropIndexOf(event));
      },
      onDragEnd: end,
    },
  };
}
