import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxSegmentTextLength } from '../../../../electron/contract/limits.ts';
import type { SegmentId } from '../../../../electron/contract/identifiers.ts';
import type { Draft, EditOperation } from '../../../../electron/contract/transcript.ts';
import { replaceAll } from '../../../../electron/core/transcript/edit/text-operations.ts';
import { diffRange } from '../../../../electron/core/transcript/edit/text-diff.ts';
import type { PatternReplacement } from '../../../../electron/core/transcript/user-pattern.ts';
import { attempt } from '../../../notices.ts';
import { notifyEdit } from '../editing/notify-edit.ts';
import { useSession, useWorkspace } from '../workspace.ts';
import { firstMatchFrom, type SearchPosition, type TextMatch } from './matches.ts';
import { expandMatch, findPattern, replaceMatches } from './pattern-search.ts';
import type { PatternFailure } from './pattern-worker.ts';
import type { FindQuery, TextSearch } from './use-find.ts';

/** Replaces what a search found. */
export interface Replacing {
  /** The replacement of the current match; `null` without a match or while it is computed. */
  readonly preview: string | null;
  /** How many matches of the query were replaced since it was typed; `null`: none. */
  readonly count: number | null;
  /** Why not all matches could be replaced. */
  readonly failure: PatternFailure | null;
  readonly one: () => void;
  readonly all: () => void;
}

/** What was done with a query; another query starts over. */
interface Outcome {
  readonly query: FindQuery;
  readonly count: number | null;
  readonly replacement: string;
  /** Why it failed with that replacement. */
  readonly failure: PatternFailure | null;
}

/** Replacements that are made one after the other. */
interface SerialWork {
  last: Promise<void>;
  /** How many have not been made. */
  waiting: number;
  /** Where the next match is looked for. */
  from: SearchPosition | null;
}

/** Returns the text that a match is in; `null` if that is gone. */
const textAround = ({ segments, text }: Draft, id: SegmentId | null): string | null =>
  id === null ? text : (segments.find((segment) => segment.id === id)?.text ?? null);

/**
 * Replaces the matches of a search, by literal text or what a pattern makes of each.
 *
 * @param replacement `$1` stands for a group when the query is a pattern
 */
export function useReplacing(search: TextSearch, replacement: string): Replacing {
  const { t } = useTranslation();
  const { session } = useWorkspace();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { query, matches, index } = search;
  const match = matches[index];
  const preview = useExpansion(search, replacement);
  const known = outcome?.query === query ? outcome : null;
  const finish = (more: number, failure: PatternFailure | null = null): void =>
    setOutcome((before) => {
      const done = before?.query === query ? before.count : null;
      return { query, count: more === 0 ? done : (done ?? 0) + more, replacement, failure };
    });
  // Keys can be pressed faster than a pattern is matched: the replacements are made in turn, each after the one before.
  const serialWork = useRef<SerialWork>({ last: Promise.resolve(), waiting: 0, from: null });
  const runInOrder = (work: () => Promise<void>): void => {
    const serial = serialWork.current;
    serial.waiting += 1;
    const done = serial.last.then(work).finally(() => (serial.waiting -= 1));
    serial.last = done.catch(() => undefined);
    attempt(() => done);
  };

  const replaceMatch = ({ segment, start }: TextMatch, end: number, inserted: string): void => {
    if (segment === null) session.edit({ kind: 'edit-text', at: start, removed: end - start, inserted });
    else {
      const text = textAround(session.getState().draft, segment) ?? '';
      session.edit({ kind: 'set-text', segment, text: text.slice(0, start) + inserted + text.slice(end) });
    }
    // A match without letters, such as the start of a line, would be found again.
    const next = { segment, start: start + inserted.length + (start === end ? 1 : 0) };
    serialWork.current.from = next;
    search.continueFrom(next);
    finish(1);
  };
  const nextExpanded = async (): Promise<void> => {
    session.flush();
    const { draft } = session.getState();
    // What is shown can be older than the text.
    const found = (await findPattern(draft, query)).matches;
    const at = found[firstMatchFrom(draft, found, serialWork.current.from)];
    const text = at === undefined ? null : textAround(draft, at.segment);
    if (at === undefined || text === null) return;
    const expanded = await expandMatch(text, query, at.start, replacement);
    // The text changed meanwhile; the new matches will appear shortly.
    if (expanded === null || textAround(session.getState().draft, at.segment) !== text) return;
    replaceMatch(at, expanded.end, expanded.replacement);
  };
  const notifyReplaced = (count: number): void =>
    notifyEdit(
      session,
      t(replacement === '' ? 'transcript.find.deletedIn' : 'transcript.find.replacedIn', {
        count,
        name: session.getState().name,
      }),
    );
  const allExpanded = async (): Promise<void> => {
    session.flush();
    const { draft } = session.getState();
    const replaced = await replaceMatches(draft, query, replacement);
    if (typeof replaced === 'string') {
      finish(0, replaced);
      return;
    }
    if (replaced.changed.some(({ text }) => draft.text === null && text.length > maxSegmentTextLength)) {
      finish(0, 'long');
      return;
    }
    const operation = operationOf(draft, replaced);
    if (operation !== null) session.edit(operation);
    notifyReplaced(replaced.count);
    finish(replaced.count);
  };

  return {
    preview,
    count: known?.count ?? null,
    failure: known?.replacement === replacement ? known.failure : null,
    one: () => {
      if (match === undefined) return;
      if (!query.isPattern) {
        replaceMatch(match, match.end, replacement);
        return;
      }
      const turn = serialWork.current;
      if (turn.waiting === 0 && !search.isStale) turn.from = match;
      runInOrder(nextExpanded);
    },
    all: () => {
      if (matches.length === 0) return;
      if (query.isPattern) {
        runInOrder(allExpanded);
        return;
      }
      const { text, matchCase, wholeWords } = query;
      const replacing = { query: { text, matchCase, wholeWords }, replacement };
      session.flush();
      if (replaceAll(session.getState().draft, replacing) === null) {
        finish(0, 'long');
        return;
      }
      session.edit({ kind: 'replace', ...replacing });
      notifyReplaced(matches.length);
      finish(matches.length);
    },
  };
}

/** Returns the edit that makes the replacements; `null` when they change nothing. */
function operationOf({ segments, text }: Draft, { changed }: PatternReplacement): EditOperation | null {
  if (text !== null) {
    const difference = diffRange(text, changed[0]?.text ?? text);
    return difference === null ? null : { kind: 'edit-text', ...difference };
  }
  const texts = changed.flatMap((one) => {
    const segment = segments[one.index];
    return segment === undefined ? [] : [{ segment: segment.id, before: segment.text, text: one.text }];
  });
  return texts.length === 0 ? null : { kind: 'set-texts', texts };
}

/** The expanded replacement of a match. */
interface Expansion {
  readonly match: TextMatch;
  readonly replacement: string;
  readonly expanded: string | null;
}

function useExpansion({ query, matches, index }: TextSearch, replacement: string): string | null {
  const match = matches[index];
  const isExpanded = query.isPattern && replacement !== '';
  const text = useSession(({ draft }) =>
    match === undefined || !isExpanded ? null : textAround(draft, match.segment),
  );
  const [expansion, setExpansion] = useState<Expansion | null>(null);
  useEffect(() => {
    if (match === undefined || text === null) return undefined;
    let isWanted = true;
    const expand = async (): Promise<void> => {
      const found = await expandMatch(text, query, match.start, replacement);
      if (isWanted) setExpansion({ match, replacement, expanded: found?.replacement ?? null });
    };
    void expand();
    return () => {
      isWanted = false;
    };
  }, [query, match, text, replacement]);
  if (match === undefined || !isExpanded) return match === undefined ? null : replacement;
  return expansion?.match === match && expansion.replacement === replacement ? expansion.expanded : null;
}
