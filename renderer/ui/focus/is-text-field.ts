/** Whether keys that are pressed in an element are text or choose an option. */
export const isTextField = (element: EventTarget | null): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element.matches('input:not([type=radio], [type=checkbox]), textarea, select'));
