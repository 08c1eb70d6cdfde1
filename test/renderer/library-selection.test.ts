import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TranscriptId } from '../../electron/contract/identifiers.ts';
import type { LibraryQuery } from '../../electron/contract/library-commands.ts';
import {
  cleared,
  followed,
  initialSelection,
  isSameQuery,
  withIds,
  withListed,
  withoutUnlisted,
  withRange,
  withToggled,
  type LoadedRows,
  type RequestedView,
  type SelectionState,
} from '../../renderer/features/library/library-selection.ts';

const queryOf = (query: string): LibraryQuery => ({ query, tag: null, sort: 'newest', trash: false });
const all = queryOf('');

/** Which transcripts each query lists. */
const listedBy = (query: LibraryQuery): readonly TranscriptId[] =>
  query.query === '' ? [1, 2, 3, 4] : query.query === 'odd' ? [1, 3] : [2];

const rowsOf = (libraryQuery: LibraryQuery): LoadedRows => ({
  libraryQuery,
  rowAt: () => undefined,
  indexOf: (id) => {
    const index = listedBy(libraryQuery).indexOf(id);
    return index < 0 ? null : index;
  },
});

const showing = (select: readonly TranscriptId[], libraryQuery = all): RequestedView => ({
  libraryQuery,
  route: { screen: 'library', select },
});

/** Answers which of the pending transcripts are listed, as the window does once the rows are there. */
const answered = (selection: SelectionState): SelectionState => {
  const { pending, requested, libraryQuery } = selection;
  return pending !== null && isSameQuery(libraryQuery, requested.libraryQuery)
    ? withListed(selection, pending, listedBy(libraryQuery))
    : selection;
};

const unchanged = (now: SelectionState): SelectionState => now;

const step = fc.oneof(
  fc.record({ kind: fc.constant('search' as const), query: fc.constantFrom('', 'odd', 'two') }),
  fc.record({ kind: fc.constant('show' as const), ids: fc.subarray([1, 2, 3, 4, 9]) }),
  fc.record({ kind: fc.constant('toggle' as const), at: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constantFrom('rows', 'answer', 'selectAll', 'range', 'clear', 'check' as const) }),
);

test('in any order of requests and answers, only listed transcripts are selected, and the last Show is', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.subarray([1, 2, 3, 4, 9]), (steps, last) => {
      let requested: RequestedView = { libraryQuery: all, route: null };
      let rows = rowsOf(all);
      let selection = initialSelection(requested, rows);
      let answerRange = unchanged;
      const follow = (): void => {
        // React may discard the update of a render, and then repeats it.
        const once = followed(selection, requested, rows);
        expect(followed(once, requested, rows)).toBe(once);
        selection = once;
        const listed = listedBy(selection.libraryQuery);
        expect([...selection.ids].filter((id) => !listed.includes(id))).toEqual([]);
      };
      for (const next of steps) {
        const listed = listedBy(rows.libraryQuery);
        if (next.kind === 'search') requested = { ...requested, libraryQuery: queryOf(next.query) };
        else if (next.kind === 'show') requested = showing(next.ids);
        else if (next.kind === 'toggle') selection = withToggled(selection, listed[next.at] ?? listed[0]!);
        else if (next.kind === 'rows') rows = rowsOf(requested.libraryQuery);
        else if (next.kind === 'answer') selection = answered(selection);
        else if (next.kind === 'clear') selection = cleared(selection);
        else if (next.kind === 'check') selection = withoutUnlisted(selection, new Set(listed));
        else if (next.kind === 'selectAll') {
          const range = {};
          selection = { ...selection, range, pending: null };
          answerRange = (now) => withRange(now, range, listed);
        } else selection = answerRange(selection);
        follow();
      }
      requested = showing(last);
      follow();
      expect([...selection.ids]).toEqual([]);
      rows = rowsOf(all);
      follow();
      selection = answerRange(answered(selection));
      expect([...selection.ids]).toEqual(last.filter((id) => id !== 9));
    }),
  );
});

test('another search before the answer discards what a route selects', () => {
  const rows = rowsOf(queryOf('odd'));
  const odd: RequestedView = { libraryQuery: queryOf('odd'), route: null };
  const before = withIds(initialSelection(odd, rows), new Set([1]));
  const shown = showing([2, 4]);
  const pending = followed(before, shown, rows);
  expect([...pending.ids]).toEqual([]);
  const typed = followed(pending, { ...shown, libraryQuery: queryOf('odd') }, rows);
  expect(answered(typed)).toBe(typed);
  expect([...typed.ids]).toEqual([]);
  expect(withListed(typed, pending.pending!, [2, 4])).toBe(typed);
});

test('the first listed row of what a route selects becomes active', () => {
  const rows = rowsOf(all);
  const shown = showing([9, 4, 3]);
  const selected = answered(followed(initialSelection(showing([1]), rows), shown, rows));
  expect([...selected.ids].toSorted()).toEqual([3, 4]);
  expect(selected).toMatchObject({ active: 2, activeId: 3, anchor: 2 });
});
