/** The end of a sentence, including closing quotes and brackets. */
const sentenceEnd = /[.!?…。！？؟۔।][\p{Pe}\p{Pf}\p{Pi}"']*$/u;

/**
 * Abbreviations that more words of the same sentence follow, in lower case and without the period. Those that often
 * end a sentence are not among them (`etc.`, `usw.`, `Inc.`), nor those that are also words (`no`, `art`, `may`).
 */
const abbreviations = new Set(
  `mr mrs ms messrs dr prof rev hon st sr sra srta sres gen col maj capt cmdr lt sgt gov sen rep pres mt ft
   approx cf viz vs fig vol vols pp
   bzw ca dipl evtl exkl fr frl ggf hr inkl med nr phil sog str tel vgl zzgl
   aprox av avda dña dra ej ing lic núm pág profa ud uds
   mgr mlle mme dott sig avv bijv dhr mevr drs`.split(/\s+/u),
);
/** A single letter is an initial or part of `z. B.`, `p. ej.`; a sentence may end with the English word. */
const initial = /^\p{L}$/u;
/** `e.g`, `z.B`, `U.S`. */
const initials = /^\p{L}(?:\.\p{L})+$/u;
const initialsThatEnd = new Set(['a.m', 'p.m']);
const openingMarks = /^[\p{P}\p{S}]+/u;

/** Whether a word with its punctuation is an abbreviation or an initial: its period ends no sentence. */
export function isAbbreviation(word: string): boolean {
  if (!word.endsWith('.')) return false;
  const bare = word.slice(0, -1).replace(openingMarks, '');
  if (initial.test(bare)) return bare !== 'I';
  const lower = bare.toLowerCase();
  return abbreviations.has(lower) || (initials.test(bare) && !initialsThatEnd.has(lower));
}

/** Whether a text ends a sentence: not with `Mr.`, `z. B.` or an initial. A closing quote ends it in any case. */
export function endsSentence(text: string): boolean {
  return sentenceEnd.test(text) && !isAbbreviation(text.slice(text.lastIndexOf(' ') + 1));
}
