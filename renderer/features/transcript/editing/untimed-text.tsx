import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { TextRange } from '../../../../electron/contract/library.ts';
import { diffRange, mapPosition } from '../../../../electron/core/transcript/edit/text-diff.ts';
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

/** What others can ask of the text. */
export interface UntimedTextHandle {
  /** Brings a place on screen. */
  show(place: TextMatch): void;
  /** Selects a place. */
  select(place: TextMatch): void;
  focus(): void;
  /** Where the caret is. */
  place(): SearchPosition;
}

export interface UntimedTextProps {
  readonly handle: RefObject<UntimedTextHandle | null>;
  /** What is found of what somebody looks for; `null` while nobody does. */
  readonly found: readonly TextMatch[] | null;
  /** The one of them that is shown. */
  readonly shown: TextMatch | undefined;
  /** What is selected at first; absent: the beginning. */
  readonly landOn: TextRange | undefined;
  readonly onLeave: () => void;
}

/** Brings the copy to a text, letter by letter: marks in it stay on their words, though it is no edit yet. */
function writeCopy(copy: HTMLElement | null, text: string): void {
  if (copy === null) return;
  if (!(copy.firstChild instanceof Text)) copy.replaceChildren(new Text());
  const node = copy.firstChild as Text;
  const change = diffRange(node.data, text);
  if (change !== null) node.replaceData(change.at, change.removed, change.inserted);
}

/** The text of a transcript without times, to read and to type in as one. */
export function UntimedText({ handle, found, shown: shownPlace, landOn, onLeave }: UntimedTextProps) {
  const { t } = useTranslation();
  const { session, playback } = useWorkspace();
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = useRef<HTMLDivElement>(null);
  const stored = useSession((state) => state.draft.text ?? '');
  const shown = session.textOf(null, stored);

  const show = useCallback(({ start, end }: TextRange): void => {
    const node = copy.current?.firstChild;
    const view = scroller.current;
    if (node === null || node === undefined || view === null) return;
    const place = domRange(node, { start, end }).getBoundingClientRect();
    const around = view.getBoundingClientRect();
    if (place.top >= around.top && place.bottom <= around.bottom) return;
    view.scrollTop += place.top - around.top - (around.height - place.height) / 2;
  }, []);

  useLayoutEffect(() => writeCopy(copy.current, shown));

  // Reading and typing start at once, at the beginning or where a search has led to.
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(landOn?.start ?? 0, landOn?.end ?? 0);
    if (landOn !== undefined) show(landOn);
  }, [landOn, show]);

  const rebaseCount = useSession((state) => state.rebaseCount);
  const seen = useRef(rebaseCount);
  useLayoutEffect(() => {
    const isFromElsewhere = rebaseCount !== seen.current;
    seen.current = rebaseCount;
    const element = field.current;
    const change = element === null ? null : diffRange(element.value, shown);
    if (element === null || change === null) return;
    const { value, selectionStart } = element;
    element.value = shown;
    // What was taken back is where one goes on; what was changed elsewhere leaves the caret at its letters.
    const place = isFromElsewhere
      ? mapPosition(value, shown, selectionStart)
      : change.at + change.inserted.length;
    element.setSelectionRange(place, place);
  }, [shown, rebaseCount]);

  // A field marks nothing but its selection: what is found is marked in a copy that lies on it.
  useLayoutEffect(() => {
    if (found === null || copy.current === null) return undefined;
    highlightInElement(copy.current, found, shownPlace);
    return clearHighlights;
  }, [found, shownPlace]);

  useImperativeHandle(handle, () => ({
    show,
    select: ({ start, end }) => {
      field.current?.focus({ preventScroll: true });
      field.current?.setSelectionRange(start, end);
    },
    focus: () => field.current?.focus({ preventScroll: true }),
    place: () => ({ segment: null, start: field.current?.selectionStart ?? 0 }),
  }));

  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && (key === 'y' || (key === 'z' && event.shiftKey))) session.redo();
    else if (command && key === 'z') session.undo();
    else if (event.key === 'Tab' && event.shiftKey) playback.skip(-skipBackSeconds);
    else if (event.key === 'Tab') playback.toggle();
    else if (event.key === 'Escape') onLeave();
    else return;
    event.preventDefault();
  };

  return (
    <div ref={scroller} className={styles.scroller}>
      <div className={styles.sheet}>
        {(found !== null || landOn !== undefined) && (
          <div ref={copy} className={styles.copy} dir="auto" aria-hidden />
        )}
        <textarea
          ref={field}
          className={styles.text}
          aria-label={t('transcript.text')}
          defaultValue={shown}
          dir="auto"
          spellCheck={false}
          onInput={({ currentTarget: { value }, nativeEvent }) => {
            writeCopy(copy.current, value);
            session.type(null, value, nativeEvent instanceof InputEvent && nativeEvent.isComposing);
          }}
          onCompositionEnd={({ currentTarget: { value }, data }) => {
            session.type(null, value);
            if (isComposedWord(data)) session.flush();
          }}
          onBlur={() => session.flush()}
          onKeyDown={onKeyDown}
        />
      </div>
    </div>
  );
}
