/** Whether keys that are pressed in an element are text or choose an option. */
export const isTextField = (element: EventTarget | null): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element.matches('input:not([type=radio], [type=checkbox]), textarea, select'));

/** Whether a key undoes. */
export const isUndoKey = ({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): boolean =>
  key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !altKey;

/** Whether a key redoes what was undone. */
export const isRedoKey = ({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  altKey,
}: Parameters<typeof isUndoKey>[0]): boolean =>
  (ctrlKey || metaKey) && !altKey && key.toLowerCase() === (shiftKey ? 'z' : 'y');

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/**
 * Keeps the undo of a field within it. Chromium has one history for the page: once all typing in the field is undone, it
 * would continue in the one that was edited before, such as a segment of the transcript.
 */
export function keepUndoInFields(): void {
  /** What was edited last, and the text of a field before that. */
  let last: { readonly target: EventTarget | null; readonly before: string | null } | null = null;
  document.addEventListener('beforeinput', ({ target, inputType }) => {
    if (target === last?.target || inputType.startsWith('history')) return;
    last = { target, before: isField(target) ? target.value : null };
  });
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    if (!isUndoKey(event) || !isField(target)) return;
    if (target !== last?.target || target.value === last.before) event.preventDefault();
  });
}
