import type { Events } from '../../../electron/contract/events.ts';
import { isTextField } from './is-text-field.ts';

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
 * Keeps undo within the field that has the focus. Chromium has one history for the whole page: once all typing in the field
 * is undone, it would continue with what was edited before, such as a segment of the transcript.
 */
export function keepUndoInFields(): void {
  /** What was edited last, and the text that it had before if it is a field. */
  let lastEdit: { readonly target: EventTarget | null; readonly before: string | null } | null = null;
  document.addEventListener('beforeinput', ({ target, inputType }) => {
    if (target === lastEdit?.target || inputType.startsWith('history')) return;
    lastEdit = { target, before: isField(target) ? target.value : null };
  });
  document.addEventListener('keydown', (event) => {
    const { target } = event;
    if (!isUndoKey(event) || !isField(target)) return;
    if (target !== lastEdit?.target || target.value === lastEdit.before) event.preventDefault();
  });
}

/** Does what the key for undo or redo does where the focus is: in a text field, Chromium undoes what no listener handles. */
export function runEditCommand(command: Events['editCommand']): void {
  const target = document.activeElement ?? document.body;
  const isUnhandled = target.dispatchEvent(
    new KeyboardEvent('keydown', {
      key: 'z',
      ctrlKey: true,
      shiftKey: command === 'redo',
      bubbles: true,
      cancelable: true,
    }),
  );
  if (isUnhandled && isTextField(target)) document.execCommand(command);
}
