/** Text from elsewhere as a terminal may show it: without characters that steer it or turn the direction of text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
