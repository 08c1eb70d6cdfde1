import { useEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { maxSegmentTextLength } from '../../../../electron/contract/limits.ts';
import type { SegmentRange } from '../../../../electron/core/transcript/edit/speaker-turns.ts';
import { notify } from '../../../notices.ts';
import { useWorkspace } from '../workspace.ts';
import { rowOf, selectedRanges, textElement, writeText } from './segment-dom.ts';
import { isComposedWord } from '../session/typing-buffer.ts';

/** The handlers of the list for input in its rows. */
export interface SegmentTextInput {
  readonly onPaste: (event: React.ClipboardEvent) => void;
  readonly onInput: (event: React.InputEvent | React.FormEvent) => void;
  readonly onCompositionEnd: (event: React.CompositionEvent) => void;
}

/** Pastes as plain text on one line. */
function onPaste(event: React.ClipboardEvent): void {
  const text = event.clipboardData.getData('text/plain');
  if (!/[\p{Cc}]/u.test(text) || rowOf(event.target) === null) return;
  event.preventDefault();
  // The only way to insert text that the browser's own undo knows.
  document.execCommand('insertText', false, text.replaceAll(/\p{Cc}+/gu, ' '));
}

/** Passes what is typed in the rows of a segment list to the session. */
export function useTextInput(list: RefObject<HTMLElement | null>): SegmentTextInput {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  /** What was selected before the input that is being made. */
  const replaced = useRef<SegmentRange>(null);

  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    // React has no event of this kind for a deletion.
    const onBeforeInput = (): void => {
      const [first = null] = selectedRanges(element);
      replaced.current = first !== null && first.end > first.start ? first : null;
    };
    element.addEventListener('beforeinput', onBeforeInput);
    return () => element.removeEventListener('beforeinput', onBeforeInput);
  }, [list]);

  const passToSession = (target: EventTarget, isComposing: boolean): void => {
    const row = rowOf(target);
    const element = textElement(row);
    if (row === null || element === null) return;
    const id = Number(row.dataset['segment']);
    const text = element.textContent ?? '';
    if (text.length <= maxSegmentTextLength) {
      const selected = replaced.current;
      const range = selected?.segment === id ? { from: selected.start, to: selected.end } : null;
      session.updateTyping(id, text, { isComposing, replaced: range });
      return;
    }
    const { segments } = session.getState().draft;
    writeText(element, session.textOf(id, segments.find((segment) => segment.id === id)?.text ?? ''));
    notify(t('transcript.tooLong'), t('transcript.tooLongNote', { count: maxSegmentTextLength }));
  };

  return {
    onPaste,
    onInput: ({ target, nativeEvent }) =>
      passToSession(target, nativeEvent instanceof InputEvent && nativeEvent.isComposing),
    onCompositionEnd: ({ target, data }) => {
      passToSession(target, false);
      if (isComposedWord(data)) session.flush();
    },
  };
}
