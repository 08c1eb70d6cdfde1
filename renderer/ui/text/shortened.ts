/** Returns the beginning of a text: at most `max` code points, and an ellipsis if there are more. */
export function shortened(text: string, max: number): string {
  const codePoints = Array.from(text);
  return codePoints.length > max ? `${codePoints.slice(0, max).join('')}…` : text;
}
