/** Phrases that speech models invent in silence, having learned them from video subtitles. Match whole segments. */
const subtitleCredits: readonly RegExp[] = [
  /^subtitles (?:by|created by) .{1,60}$/,
  /^untertitel(?:ung)? (?:von|der|im auftrag|aufgrund) .{1,80}$/,
  /^sous[- ]titr(?:es|age) .{1,80}$/,
  /^(?:subtítulos|subtitulos) .{1,80}$/,
  /^legendas? .{1,80}$/,
  /^sottotitoli .{1,80}$/,
  /^продолжение следует$/,
  /^субтитры .{1,80}$/,
  /^字幕.{1,40}$/,
];

/** Phrases of the same kind that people also say. */
const farewells: readonly RegExp[] = [
  /^(?:thank you|thanks)(?: (?:very|so) much)?(?: for (?:watching|listening|your attention))?$/,
  /^(?:please )?(?:like and )?subscribe(?: to (?:my|our|the) channel)?$/,
  /^(?:i'?ll )?see you (?:in the )?next (?:time|video|week|one)$/,
  /^vielen dank(?: (?:fürs zuschauen|für ihre aufmerksamkeit|fürs zuhören))?$/,
  /^merci d'avoir regardé(?: cette vidéo)?$/,
  /^gracias por (?:ver|escuchar)(?: el video| el vídeo)?$/,
  /^ご視聴ありがとうございました$/,
  /^(?:感谢观看|谢谢观看)$/,
];

// The lookbehind keeps the search linear: a long run within the text is tried once, not again at each of its characters.
const edges = /^[\s\p{P}\p{S}]+|(?<![\s\p{P}\p{S}])[\s\p{P}\p{S}]+$/gu;

/** Returns a text in lower case, without punctuation around it. */
export const normalizePhrase = (text: string): string =>
  text.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/gu, ' ').replaceAll(edges, '');

/** Returns the kind of a text that models hallucinate. Nobody speaks `credits`, but people do say a `farewell`. */
export function hallucinationIn(text: string): 'credits' | 'farewell' | null {
  const phrase = normalizePhrase(text);
  if (phrase === '') return null;
  if (subtitleCredits.some((credit) => credit.test(phrase))) return 'credits';
  return farewells.some((farewell) => farewell.test(phrase)) ? 'farewell' : null;
}

/**
 * Returns how many repetitions make a phrase suspicious; fewer for a long phrase. People say `no` five times and start
 * a sentence twice; models stuck in a loop go further.
 */
const minRepeats = (words: number): number => (words >= 8 ? 2 : words >= 4 ? 3 : words >= 2 ? 5 : 7);
/** Words of a phrase that may repeat. */
const maxPhraseWords = 12;

/**
 * Removes the repetitions of a phrase that models write when they are stuck in a loop; returns `null` if there are
 * none.
 */
export function withoutRepeats(text: string): string | null {
  const words = text.trim().split(/\s+/u);
  const normalized = words.map(normalizePhrase);
  for (let at = 0; at < words.length; at += 1) {
    const maxLength = Math.min(maxPhraseWords, Math.floor((words.length - at) / 2));
    for (let length = 1; length <= maxLength; length += 1) {
      let times = 1;
      while (isRepeated(normalized, at, at + times * length, length)) times += 1;
      if (times < minRepeats(length) || normalized.slice(at, at + length).join('') === '') continue;
      const rest = [...words.slice(0, at + length), ...words.slice(at + times * length)].join(' ');
      return withoutRepeats(rest) ?? rest;
    }
  }
  return null;
}

function isRepeated(words: readonly string[], first: number, second: number, length: number): boolean {
  if (second + length > words.length) return false;
  for (let at = 0; at < length; at += 1) if (words[first + at] !== words[second + at]) return false;
  return true;
}
