/**
 * The text of a file whose encoding nobody told: by its byte order mark, as UTF-8 where it is sound, as UTF-16 where
 * every other byte is zero, and as Windows-1252, which has a letter for every byte, otherwise.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const zeros = zerosIn(bytes);
  if (zeros.odd > zeros.looked * 0.4) return new TextDecoder('utf-16le').decode(bytes);
  if (zeros.even > zeros.looked * 0.4) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** How many of the first pairs of bytes have a zero as their first or second. */
function zerosIn(bytes: Uint8Array): {
  readonly looked: number;
  readonly even: number;
  readonly odd: number;
} {
  const looked = Math.min(500, Math.floor(bytes.length / 2));
  let even = 0;
  let odd = 0;
  for (let pair = 0; pair < looked; pair += 1) {
    if (bytes[pair * 2] === 0) even += 1;
    if (bytes[pair * 2 + 1] === 0) odd += 1;
  }
  return { looked, even, odd };
}
