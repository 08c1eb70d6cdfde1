import { maxLinks, maxLinkLength } from '../contract/limits.ts';

const startOfLink = /^https:\/\//iu;

/**
 * Yields each link in a text: a whole line or what is between white space, since part of a link can be another link. A
 * comma or semicolon may end it.
 */
function* linksIn(text: string): Generator<string> {
  for (const [line] of text.matchAll(/[^\r\n]+/gu))
    for (const one of [line.trim(), ...line.split(/[,;]?\s+/u)])
      if (one.length <= maxLinkLength && startOfLink.test(one)) yield one;
}

/**
 * Returns the links in a text that the user pasted or dropped, as many as one command can name. Each text is read once,
 * however many links are looked up later.
 */
export function givenLinks(text: string): ReadonlySet<string> {
  const links = new Set<string>();
  for (const link of linksIn(text)) {
    if (links.size === maxLinks) break;
    links.add(link);
  }
  return links;
}
