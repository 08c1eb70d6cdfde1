/** Languages by their names, in the order of the window's language. */
export function sortedByName(
  codes: readonly string[],
  nameOf: (code: string) => string,
  locale: string,
): readonly { readonly code: string; readonly name: string }[] {
  const { compare } = new Intl.Collator(locale);
  return codes.map((code) => ({ code, name: nameOf(code) })).sort((a, b) => compare(a.name, b.name));
}
