/** Returns the index of the first element for which `isBefore` is false; it must be true for all before that one. */
export function partitionPoint<T>(elements: ArrayLike<T>, isBefore: (element: T) => boolean): number {
  let [low, high] = [0, elements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const element = elements[middle];
    if (element !== undefined && isBefore(element)) low = middle + 1;
    else high = middle;
  }
  return low;
}
