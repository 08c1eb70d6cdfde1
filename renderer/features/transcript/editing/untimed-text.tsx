import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { useTranslation } from 'react-i18next';
import { maxTextLength } from '../../../../electron/contract/limits.ts';
import type { TextRange } from '../../../../electron/contract/library-commands.ts';
import { diffRange, mapPosition } from '../../../../electron/core/transcript/edit/text-diff.ts';
import { directionIn } from '../../../../electron/core/transcript/plain-text.ts';
import { notify } from '../../../notices.ts';
import {
  clearMarkedMatches,
  type FoundMatch,
  markMatchesInElement,
  domRange,
  type SearchPosition,
} from '../find/matches.ts';
import { readingPlaceOf, useKeepReadingPlace } from '../reading-places.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import { isComposedWord } from '../session/typing-buffer.ts';
import { skipBackSeconds } from './use-segment-actions.ts';
import styles from './untimed-text.module.css';

/** What other parts of the editor can do with the text. */
export interface UntimedTextHandle {
  /** Scrolls to a match. */
  show(match: FoundMatch): void;
  /** Moves the caret to an offset. */
  placeCaret(offset: number): void;
  /** Focuses the text to read; Enter puts the caret at the offset. */
  arriveAt(offset: number): void;
  /** Focuses the text to read, without a caret in it. */
  focus(): void;
  /** Returns the position of the caret. */
  position(): SearchPosition;
}

export interface UntimedTextProps {
  readonly handle: RefObject<UntimedTextHandle | null>;
  /** `null` while the find bar is closed. */
  readonly matches: readonly FoundMatch[] | null;
  readonly currentMatch: FoundMatch | undefined;
  /** What to show at first; Enter puts the caret at its start. Absent: where the user was, or else the beginning. */
  readonly initialRange: TextRange | undefined;
  /** Called for a key while the user reads: the text has the focus, and not the caret in it. */
  readonly onReadingKey: (event: React.KeyboardEvent) => void;
}

/** Updates only the characters of the copy that differ, so that highlights stay on their words while the user types. */
function writeCopy(copy: HTMLElement | null, text: string): void {
  if (copy === null) return;
  if (!(copy.firstChild instanceof Text)) copy.replaceChildren(new Text());
  const node = copy.firstChild as Text;
  const change = diffRange(node.data, text);
  if (change !== null) node.replaceData(change.at, change.removed, change.inserted);
}

/**
 * The text of a transcript without times, in one field. As in a list of segments, the user reads at first; Enter leads to
 * the caret, and Escape back.
 */
export function UntimedText({ handle, matches, currentMatch, initialRange, onReadingKey }: UntimedTextProps) {
  const { t } = useTranslation();
  const { session, playback } = useWorkspace();
  const scroller = useRef<HTMLElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = useRef<HTMLDivElement>(null);
  const draft = useSession((state) => state.draft);
  const currentText = session.textOf(null, draft.text ?? '');
  const language = useSession((state) => state.language);
  const direction = directionIn(currentText, language) ?? 'auto';

  const [lastPlace] = useState(() => readingPlaceOf(session.id)?.at);
  const placeRange = typeof lastPlace === 'object' ? lastPlace : undefined;

  const show = useCallback(({ start, end }: TextRange, align: 'center' | 'start' = 'center'): void => {
    const node = copy.current?.firstChild;
    const view = scroller.current;
    if (node === null || node === undefined || view === null) return;
    const box = domRange(node, { start, end }).getBoundingClientRect();
    const viewBox = view.getBoundingClientRect();
    if (box.top >= viewBox.top && box.bottom <= viewBox.bottom) return;
    view.scrollTop += box.top - viewBox.top - (align === 'start' ? 0 : (viewBox.height - box.height) / 2);
  }, []);
  const keepReadingPlace = useKeepReadingPlace(() => {
    const [view, text] = [scroller.current, field.current];
    if (view === null || text === null) return null;
    const { left, top } = view.getBoundingClientRect();
    const x = left + Number.parseFloat(getComputedStyle(text).paddingLeft) + 1;
    const first = view.scrollTop === 0 ? null : document.caretPositionFromPoint(x, top + 1);
    const start = first?.offsetNode === text ? first.offset : 0;
    return { start, end: start };
  });

  useLayoutEffect(() => writeCopy(copy.current, currentText));

  // The match of a library search is not selected, because a key would replace it.
  useEffect(() => {
    const range = placeRange ?? initialRange;
    if (range !== undefined) {
      field.current?.setSelectionRange(range.start, range.start);
      show(range, placeRange === undefined ? 'center' : 'start');
    }
    scroller.current?.focus({ preventScroll: true });
  }, [initialRange, placeRange, show]);

  const rebaseCount = useSession((state) => state.rebaseCount);
  const lastRebaseCount = useRef(rebaseCount);
  useLayoutEffect(() => {
    const isRebased = rebaseCount !== lastRebaseCount.current;
    lastRebaseCount.current = rebaseCount;
    const element = field.current;
    // Compared after each change of the draft, even if its text is the one rendered last: an undo may have discarded
    // what was typed after that.
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
    markMatchesInElement(copy.current, matches, currentMatch);
    return clearMarkedMatches;
  }, [matches, currentMatch]);

  useImperativeHandle(handle, () => ({
    show,
    placeCaret: (offset) => {
      field.current?.focus({ preventScroll: true });
      field.current?.setSelectionRange(offset, offset);
    },
    arriveAt: (offset) => {
      field.current?.setSelectionRange(offset, offset);
      scroller.current?.focus({ preventScroll: true });
    },
    focus: () => scroller.current?.focus({ preventScroll: true }),
    position: () => ({ segment: null, start: field.current?.selectionStart ?? 0 }),
  }));

  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.target === scroller.current) {
      if (event.key === 'Enter' || event.key === 'F2') field.current?.focus({ preventScroll: true });
      else {
        onReadingKey(event);
        return;
      }
    } else if (event.key === 'Tab' && event.shiftKey) playback.skip(-skipBackSeconds);
    else if (event.key === 'Tab') playback.toggle();
    else if (event.key === 'Escape') scroller.current?.focus({ preventScroll: true });
    else return;
    event.preventDefault();
  };

  return (
    // To scroll by keyboard, the text needs the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={scroller}
      className={styles.scroller}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-main-text
      aria-label={t('transcript.text')}
      onKeyDown={onKeyDown}
      onScrollEnd={keepReadingPlace}
    >
      <div className={styles.content}>
        {(matches !== null || (placeRange ?? initialRange) !== undefined) && (
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
          onInput={({ currentTarget, nativeEvent }) => {
            const { value } = currentTarget;
            if (value.length > Math.max(currentText.length, maxTextLength)) {
              currentTarget.value = session.textOf(null, draft.text ?? '');
              notify(t('transcript.textTooLong'), t('transcript.textTooLongNote', { count: maxTextLength }));
              return;
            }
            writeCopy(copy.current, value);
            const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing;
            session.updateTyping(null, value, { isComposing });
          }}
          onCompositionEnd={({ currentTarget: { value }, data }) => {
            session.updateTyping(null, value);
            if (isComposedWord(data)) session.flush();
          }}
          onBlur={() => session.flush()}
        />
      </div>
    </section>
  );
}
