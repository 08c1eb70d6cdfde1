import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TextRange } from '../../../../electron/contract/library-commands.ts';
import { diffRange, mapPosition } from '../../../../electron/core/transcript/edit/text-diff.ts';
import { directionIn } from '../../../../electron/core/transcript/plain-text.ts';
import {
  clearHighlights,
  type TextMatch,
  highlightInElement,
  domRange,
  type SearchPosition,
} from '../find/matches.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import { isComposedWord } from '../session/typing-buffer.ts';
import { skipBackSeconds } from './use-segment-actions.ts';
import styles from './untimed-text.module.css';

/** What other parts of the editor can do with the text. */
export interface UntimedTextHandle {
  /** Scrolls to a match. */
  show(match: TextMatch): void;
  /** Selects a match. */
  select(match: TextMatch): void;
  focus(): void;
  /** Returns the position of the caret. */
  position(): SearchPosition;
}

export interface UntimedTextProps {
  readonly handle: RefObject<UntimedTextHandle | null>;
  /** `null` while the find bar is closed. */
  readonly matches: readonly TextMatch[] | null;
  readonly currentMatch: TextMatch | undefined;
  /** What to show at first, with the caret at its start; absent: the beginning. */
  readonly initialRange: TextRange | undefined;
  readonly onLeave: () => void;
}

/** Updates only the characters of the copy that differ, so that highlights stay on their words while the user types. */
function writeCopy(copy: HTMLElement | null, text: string): void {
  if (copy === null) return;
  if (!(copy.firstChild instanceof Text)) copy.replaceChildren(new Text());
  const node = copy.firstChild as Text;
  const change = diffRange(node.data, text);
  if (change !== null) node.replaceData(change.at, change.removed, change.inserted);
}

/** The text of a transcript without times, in one field. */
export function UntimedText({ handle, matches, currentMatch, initialRange, onLeave }: UntimedTextProps) {
  const { t } = useTranslation();
  const { session, playback } = useWorkspace();
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = useRef<HTMLDivElement>(null);
  const draft = useSession((state) => state.draft);
  const currentText = session.textOf(null, draft.text ?? '');
  const language = useSession((state) => state.language);
  const direction = directionIn(currentText, language) ?? 'auto';

  const show = useCallback(({ start, end }: TextRange): void => {
    const node = copy.current?.firstChild;
    const view = scroller.current;
    if (node === null || node === undefined || view === null) return;
    const box = domRange(node, { start, end }).getBoundingClientRect();
    const viewBox = view.getBoundingClientRect();
    if (box.top >= viewBox.top && box.bottom <= viewBox.bottom) return;
    view.scrollTop += box.top - viewBox.top - (viewBox.height - box.height) / 2;
  }, []);

  useLayoutEffect(() => writeCopy(copy.current, currentText));

  // Focus the field, so that the user can type immediately: at the beginning, or at the match of a library search. The
  // match is not selected, because a key would replace it.
  useEffect(() => {
    const start = initialRange?.start ?? 0;
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(start, start);
    if (initialRange !== undefined) show(initialRange);
  }, [initialRange, show]);

  const rebaseCount = useSession((state) => state.rebaseCount);
  const lastRebaseCount = useRef(rebaseCount);
  useLayoutEffect(() => {
    const isRebased = rebaseCount !== lastRebaseCount.current;
    lastRebaseCount.current = rebaseCount;
    const element = field.current;
    // Compared after each change of the draft, even if its text is the one rendered last: undo may have discarded what
    // was typed since.
    const text = session.textOf(null, draft.text ?? '');
    const change = element === null ? null : diffRange(element.value, text);
    if (element === null || change === null) return;
    const { value, selectionStart } = element;
    element.value = text;
    // After an undo the caret goes to the change; after changes made elsewhere it stays where it was in the text.
    const position = isRebased
      ? mapPosition(value, text, selectionStart)
      : change.at + change.inserted.length;
    element.setSelectionRange(position, position);
  }, [draft, session, rebaseCount]);

  // A text field cannot show highlights: they are in a copy of the text that lies exactly on it.
  useLayoutEffect(() => {
    if (matches === null || copy.current === null) return undefined;
    highlightInElement(copy.current, matches, currentMatch);
    return clearHighlights;
  }, [matches, currentMatch]);

  useImperativeHandle(handle, () => ({
    show,
    select: ({ start, end }) => {
      field.current?.focus({ preventScroll: true });
      field.current?.setSelectionRange(start, end);
    },
    focus: () => field.current?.focus({ preventScroll: true }),
    position: () => ({ segment: null, start: field.current?.selectionStart ?? 0 }),
  }));

  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Tab' && event.shiftKey) playback.skip(-skipBackSeconds);
    else if (event.key === 'Tab') playback.toggle();
    else if (event.key === 'Escape') onLeave();
    else return;
    event.preventDefault();
  };

  return (
    <div ref={scroller} className={styles.scroller}>
      <div className={styles.content}>
        {(matches !== null || initialRange !== undefined) && (
          <div ref={copy} className={styles.copy} dir={direction} aria-hidden />
        )}
        <textarea
          ref={field}
          className={styles.text}
          aria-label={t('transcript.text')}
          defaultValue={currentText}
          dir={direction}
          lang={language ?? undefined}
          spellCheck={false}
          onInput={({ currentTarget: { value }, nativeEvent }) => {
            writeCopy(copy.current, value);
            session.updateTyping(null, value, nativeEvent instanceof InputEvent && nativeEvent.isComposing);
          }}
          onCompositionEnd={({ currentTarget: { value }, data }) => {
            session.updateTyping(null, value);
            if (isComposedWord(data)) session.flush();
          }}
          onBlur={() => session.flush()}
          onKeyDown={onKeyDown}
        />
      </div>
    </div>
  );
}
