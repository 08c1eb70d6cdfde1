/** Rows that Page Up and Page Down go over. */
const page = 10;

/**
 * Where a key leads in a list of `total` rows, from the row at `index` or from nowhere yet; `null` for a key that
 * leads nowhere.
 */
export function nextIndex(
  event: { readonly key: string },
  index: number | null,
  total: number,
): number | null {
  if (total === 0) return null;
  const last = total - 1;
  const within = (target: number): number => Math.max(0, Math.min(target, last));
  switch (event.key) {
    case 'ArrowDown':
      return index === null ? 0 : within(index + 1);
    case 'ArrowUp':
      return index === null ? last : within(index - 1);
    case 'PageDown':
      return within((index ?? 0) + page);
    case 'PageUp':
      return within((index ?? 0) - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
