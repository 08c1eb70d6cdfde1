/** Rows that Page Up and Page Down skip. */
const rowsPerPage = 10;

/**
 * Returns the row that a key moves to in a list of `total` rows; `null` for any other key. `index` is the current row,
 * if there is one.
 */
export function nextIndex(
  event: { readonly key: string },
  index: number | null,
  total: number,
): number | null {
  if (total === 0) return null;
  const last = total - 1;
  const clamp = (target: number): number => Math.max(0, Math.min(target, last));
  switch (event.key) {
    case 'ArrowDown':
      return index === null ? 0 : clamp(index + 1);
    case 'ArrowUp':
      return index === null ? last : clamp(index - 1);
    case 'PageDown':
      return clamp((index ?? 0) + rowsPerPage);
    case 'PageUp':
      return clamp((index ?? 0) - rowsPerPage);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
