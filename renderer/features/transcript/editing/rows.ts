/** The row that something in the list of segments is in. */
export const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-segment]') : null;

/** The text of a row, to type in. */
export const textIn = (row: Element | null | undefined): HTMLElement | null =>
  row?.querySelector<HTMLElement>('[role=textbox]') ?? null;

/** The text of a segment, if its row is drawn. */
export const textOf = (list: HTMLElement | null, segment: number): HTMLElement | null =>
  textIn(list?.querySelector(`[data-segment="${segment}"]`));
