import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxSegmentTextLength } from '../../../../electron/contract/limits.ts';
import type { PatternFailure } from '../../../../electron/contract/query.ts';
import type { Draft, EditOperation } from '../../../../electron/contract/transcript.ts';
import { replaceAll } from '../../../../electron/core/transcript/edit/text-operations.ts';
import { textIn } from '../../../../electron/core/transcript/edit/draft.ts';
import { diffRange } from '../../../../electron/core/transcript/edit/text-diff.ts';
import type { PatternReplacement } from '../../../../electron/core/transcript/user-pattern.ts';
import { runReportingErrors } from '../../../notices.ts';
import { notifyEdit } from '../editing/notify-edit.ts';
import type { UndoCommand } from '../session/undo-stack.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import { firstMatchFrom, type SearchPosition, type FoundMatch } from './matches.ts';
import { expandMatch, findPattern, replaceMatches } from './pattern-search.ts';
import type { FindQuery, TextSearch } from './use-find.ts';

/** Replaces the matches of a search. */
export interface ReplaceControl {
  /** The replacement of the current match; `null` without a match or while it is computed. */
  readonly preview: string | null;
  /** What the last replacement did, unless the text or the query has changed since. */
  readonly lastResult: { readonly count: number; readonly isDeletion: boolean } | null;
  /** Why not all matches could be replaced. */
  readonly failure: PatternFailure | null;
  readonly replaceCurrent: () => void;
  readonly replaceAll: () => void;
  /**
   * Undoes or redoes the last replacement. Returns `false` if there is none, or if the text or the fields have changed
   * since.
   */
  readonly runCommand: (kind: UndoCommand) => boolean;
}

/** The result of a replacement. */
type Outcome = {
  readonly query: FindQuery;
  readonly replacement: string;
} & (
  | { readonly failure: PatternFailure }
  | {
      readonly failure: null;
      readonly count: number;
      /** The draft after it. */
      readonly draft: Draft;
    }
);

/** A replacement that can be undone. */
interface ReplacementEntry {
  /** Where the search continues after an undo; `null`: it stays where it is. */
  readonly afterUndo: SearchPosition | null;
  /** Where the search continues after a redo; `null`: it stays where it is. */
  readonly afterRedo: SearchPosition | null;
}

/** The replacements since the fields last changed. */
interface ReplacementHistory {
  readonly query: FindQuery;
  readonly replacement: string;
  /** The draft after the last replacement, or after its undo. */
  draft: Draft;
  /** The replacements that can be undone, the last one at the end. */
  readonly done: ReplacementEntry[];
  /** The replacements that can be redone, the next one at the end. */
  readonly undone: ReplacementEntry[];
}

/** Replacements that are made one after the other. */
interface SerialWork {
  last: Promise<void>;
  /** How many have not been made yet. */
  pendingCount: number;
  /** Where the search for the next match starts. */
  from: SearchPosition | null;
}

/**
 * Replaces the matches of a search: with literal text, or for a pattern with the expanded replacement of each match.
 *
 * @param replacement if the query is a pattern, `$1` is replaced by what its first group matched
 */
export function useReplaceControl(search: TextSearch, replacement: string): ReplaceControl {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { query, matches, index } = search;
  const match = matches[index];
  const preview = useExpansion(search, replacement);
  const currentDraft = useSession((state) => state.draft);
  const queryOutcome = outcome?.query === query ? outcome : null;
  const showFailure = (failure: PatternFailure): void => setOutcome({ query, replacement, failure });
  const history = useRef<ReplacementHistory>(null);
  const latestHistory = (): ReplacementHistory | null => {
    const latest = history.current;
    const isLatest =
      latest?.query === query &&
      latest.replacement === replacement &&
      latest.draft === session.getState().draft;
    return isLatest ? latest : null;
  };
  /** Makes an edit that replaces matches. Returns whether it changes anything. */
  const replace = (operation: EditOperation | null, count: number, entry: ReplacementEntry): boolean => {
    const earlier = latestHistory()?.done ?? [];
    const isChange = operation !== null && session.edit(operation).length > 0;
    const { draft } = session.getState();
    const done = isChange ? [...earlier, entry] : earlier;
    history.current = { query, replacement, draft, done, undone: [] };
    setOutcome({ query, replacement, failure: null, count, draft });
    return isChange;
  };
  // Keys can be pressed faster than a pattern is matched: the replacements run one after the other.
  const serialWork = useRef<SerialWork>({ last: Promise.resolve(), pendingCount: 0, from: null });
  const runInOrder = (work: () => Promise<void>): void => {
    const serial = serialWork.current;
    serial.pendingCount += 1;
    const done = serial.last.then(work).finally(() => (serial.pendingCount -= 1));
    serial.last = done.catch(() => undefined);
    runReportingErrors(() => done);
  };

  const replaceMatch = ({ segment, start }: FoundMatch, end: number, inserted: string): void => {
    const textBefore = textIn(session.getState().draft, segment);
    session.flush();
    const text = textIn(session.getState().draft, segment);
    // What was being typed has moved the matches; the new ones will appear shortly, or after a fetch.
    if (text === null || session.textOf(segment, text) !== textBefore) return;
    // A zero-length match, such as the start of a line, would be found again.
    const next = { segment, start: start + inserted.length + (start === end ? 1 : 0) };
    replace(
      segment === null
        ? { kind: 'edit-text', at: start, removed: end - start, inserted }
        : { kind: 'set-text', segment, text: text.slice(0, start) + inserted + text.slice(end) },
      1,
      { afterUndo: { segment, start }, afterRedo: next },
    );
    serialWork.current.from = next;
    search.continueFrom(next);
  };
  const replaceNextByPattern = async (): Promise<void> => {
    await session.waitUntilSent();
    const { draft } = session.getState();
    // The matches on screen can be older than the text.
    const currentMatches = (await findPattern(draft, query)).matches;
    const next = currentMatches[firstMatchFrom(draft, currentMatches, serialWork.current.from)];
    const text = next === undefined ? null : textIn(draft, next.segment);
    if (next === undefined || text === null) return;
    const expanded = await expandMatch(text, query, next.start, replacement);
    // The text changed meanwhile; the new matches will appear shortly.
    if (expanded === null || textIn(session.getState().draft, next.segment) !== text) return;
    replaceMatch(next, expanded.end, expanded.replacement);
  };
  const notifyReplaced = (count: number): void =>
    notifyEdit(
      session,
      t(replacement === '' ? 'transcript.find.deletedIn' : 'transcript.find.replacedIn', {
        count,
        name: session.getState().name,
      }),
    );
  const replaceAllByPattern = async (): Promise<void> => {
    await session.waitUntilSent();
    const { draft } = session.getState();
    const replaced = await replaceMatches(draft, query, replacement);
    if (typeof replaced === 'string') {
      showFailure(replaced);
      return;
    }
    if (replaced.changed.some(({ text }) => draft.text === null && text.length > maxSegmentTextLength)) {
      showFailure('long');
      return;
    }
    // Offsets in a text that has changed meanwhile would be wrong; the new matches will appear shortly.
    if (session.textOf(null, session.getState().draft.text ?? '') !== (draft.text ?? '')) return;
    replace(operationOf(draft, replaced), replaced.count, keepPosition);
    notifyReplaced(replaced.count);
  };

  return {
    preview,
    lastResult:
      queryOutcome?.failure === null && queryOutcome.draft === currentDraft
        ? { count: queryOutcome.count, isDeletion: queryOutcome.replacement === '' }
        : null,
    failure: queryOutcome?.replacement === replacement ? queryOutcome.failure : null,
    replaceCurrent: () => {
      if (match === undefined) return;
      if (!query.isPattern) {
        replaceMatch(match, match.end, replacement);
        return;
      }
      const serial = serialWork.current;
      if (serial.pendingCount === 0 && !search.isStale) serial.from = match;
      runInOrder(replaceNextByPattern);
    },
    replaceAll: () => {
      if (matches.length === 0) return;
      if (query.isPattern) {
        runInOrder(replaceAllByPattern);
        return;
      }
      if (query.isLibraryQuery) {
        session.flush();
        // What was being typed has moved the matches; the new ones will appear shortly.
        if (session.getState().draft !== currentDraft) return;
        const changed = replacedTexts(currentDraft, matches, replacement);
        if (changed.some(({ text }) => currentDraft.text === null && text.length > maxSegmentTextLength)) {
          showFailure('long');
          return;
        }
        replace(operationOf(currentDraft, { changed, count: matches.length }), matches.length, keepPosition);
        notifyReplaced(matches.length);
        return;
      }
      const { text, matchCase, wholeWords } = query;
      const options = { query: { text, matchCase, wholeWords }, replacement };
      // Checked only when nothing has changed: in a long text it takes as long as the replacement itself.
      const isTooLong = () => replaceAll(session.getState().draft, options) === null;
      if (!replace({ kind: 'replace', ...options }, matches.length, keepPosition) && isTooLong()) {
        showFailure('long');
        return;
      }
      notifyReplaced(matches.length);
    },
    runCommand: (kind) => {
      session.flush();
      const latest = latestHistory();
      const [popFrom, pushTo] =
        kind === 'undo' ? [latest?.done, latest?.undone] : [latest?.undone, latest?.done];
      const entry = popFrom?.pop();
      if (latest === null || entry === undefined) return false;
      pushTo?.push(entry);
      session[kind]();
      latest.draft = session.getState().draft;
      const position = kind === 'undo' ? entry.afterUndo : entry.afterRedo;
      if (position !== null) search.continueFrom(position);
      return true;
    },
  };
}

/** Replacing all matches does not move the search. */
const keepPosition: ReplacementEntry = { afterUndo: null, afterRedo: null };

/** Returns the texts of a draft in which matches were replaced. */
function replacedTexts(
  { segments, text: untimedText }: Draft,
  matches: readonly FoundMatch[],
  replacement: string,
): PatternReplacement['changed'] {
  const bySegment = Map.groupBy(matches, ({ segment }) => segment);
  return (untimedText === null ? segments : [{ id: null, text: untimedText }]).flatMap(
    ({ id, text }, index) => {
      const inText = bySegment.get(id) ?? [];
      if (inText.length === 0) return [];
      const replaced = inText
        .toReversed()
        .reduce((rest, { start, end }) => rest.slice(0, start) + replacement + rest.slice(end), text);
      return [{ index, text: replaced }];
    },
  );
}

/** Returns the edit that makes the replacements; `null` when they change nothing. */
function operationOf({ segments, text }: Draft, { changed }: PatternReplacement): EditOperation | null {
  if (text !== null) {
    const difference = diffRange(text, changed[0]?.text ?? text);
    return difference === null ? null : { kind: 'edit-text', ...difference };
  }
  const texts = changed.flatMap(({ index, text: replacedText }) => {
    const segment = segments[index];
    return segment === undefined ? [] : [{ segment: segment.id, before: segment.text, text: replacedText }];
  });
  return texts.length === 0 ? null : { kind: 'set-texts', texts };
}

/** The expanded replacement of a match. */
interface Expansion {
  readonly match: FoundMatch;
  readonly replacement: string;
  readonly expanded: string | null;
}

/** Returns the replacement of the current match; `null` without a match or while it is computed. */
function useExpansion({ query, matches, index }: TextSearch, replacement: string): string | null {
  const match = matches[index];
  const needsExpansion = query.isPattern && replacement !== '';
  const text = useSession(({ draft }) =>
    match === undefined || !needsExpansion ? null : textIn(draft, match.segment),
  );
  const [expansion, setExpansion] = useState<Expansion | null>(null);
  useEffect(() => {
    if (match === undefined || text === null) return undefined;
    let isActive = true;
    const expand = async (): Promise<void> => {
      const result = await expandMatch(text, query, match.start, replacement);
      if (isActive) setExpansion({ match, replacement, expanded: result?.replacement ?? null });
    };
    void expand();
    return () => {
      isActive = false;
    };
  }, [query, match, text, replacement]);
  if (match === undefined || !needsExpansion) return match === undefined ? null : replacement;
  return expansion?.match === match && expansion.replacement === replacement ? expansion.expanded : null;
}
