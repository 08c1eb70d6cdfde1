import { maxFindingLength } from '../../../contract/limits.ts';
import type { SegmentId } from '../../../contract/identifiers.ts';
import type { DraftSegment, EditOperation } from '../../../contract/transcript.ts';
import type { WordRange } from '../words-in-text.ts';

/** A word that was written twice, such as “the the”. */
export interface DoubledFinding {
  /** Changes with the words around it. */
  readonly key: string;
  readonly kind: 'doubled';
  /** The segment with the repeated word. */
  readonly segment: SegmentId;
  /** The words; only the second one if the first is the last word of the segment before. */
  readonly range: WordRange;
  /** All of the words. */
  readonly text: string;
  /** How often the word occurs; mostly twice. */
  readonly count: number;
  /** Removes all but the first. */
  readonly operation: EditOperation;
}

const wordsIn = (list: string): readonly string[] => list.split(' ');

/**
 * Languages, as ISO 639 codes, in which doubling a word changes its meaning (Turkish “yavaş yavaş” is “slowly”):
 * doubled words are not reported in them.
 */
const doublingLanguages: ReadonlySet<string> = new Set(
  wordsIn(
    'af az ba bn ceb eu fa fil gu haw hi ht hy id jv jw ka kk km kn ko ku ky lo mg mi ml mr ms my ne pa sd si sn so su sw ta te tg th tk tl tr tt ur uz vi yo zh',
  ),
);

/**
 * Words that people double for a reason, by language: for emphasis, to answer, greet or count, and where the grammar puts
 * them side by side (“had had”, “die, die” without its comma, “nous nous”).
 */
const legitimateByLanguage: Readonly<Record<string, readonly string[]>> = {
  en: wordsIn(
    'had that is was are were do does did her you it in on no yes yeah yep nope very really so too much many more most long far well now there here again never ever always please wait go come stop okay ok right good great bye hey hi hello ha hah haha ho oh ah uh um hm hmm mm mhm knock blah ta tut wow boo hip hooray big old little tiny bad sorry thank thanks sure alright aye nay look listen run quick slow easy deep high low over round up down out back double zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million',
  ),
  de: wordsIn(
    'die der das den dem denen deren dessen sie ihr was wer ist war hat haben hatte sind waren wird kann ja nein doch nicht so sehr ganz gar viel viele mehr genau gut lange immer nie halt los komm na nun tschüss tschüs hallo hey klar schnell schön danke bitte richtig weiter weit lieber ach och oh ah äh ähm hm mhm haha okay ok bis bald hin her rein raus null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend',
  ),
  fr: wordsIn(
    'nous vous oui non si très bien ça en là trop beaucoup allez allô merci bonjour petit petite vite plus jamais toujours oh ah euh hein zéro un deux trois quatre cinq six sept huit neuf dix cent mille',
  ),
  es: wordsIn(
    'sí no muy más mucho ya casi bueno claro vamos venga hola adiós eso oye nada nunca siempre todo luego gracias mira poco oh ah eh cero uno dos tres cuatro cinco seis siete ocho nueve diez cien mil',
  ),
  it: wordsIn(
    'sì no molto piano bene così via man proprio quasi ciao quando appena tutto subito grazie ecco certo zitto dai bravo brava oh ah eh uno due tre quattro cinque sei sette otto nove dieci cento mille',
  ),
  pt: wordsIn(
    'sim não muito mais bem quase já logo tchau que é nunca tudo obrigado obrigada oh ah eh zero um dois três quatro cinco seis sete oito nove dez cem mil',
  ),
  nl: wordsIn(
    'ja nee heel erg die dat zij ze er is was had hij goed doei dag jawel hoor oh ah eh nul een twee drie vier vijf zes zeven acht negen tien honderd duizend',
  ),
  sv: wordsIn(
    'ja nej jo mycket väldigt det som är han hej tack bra många jag du oh ah en ett två tre fyra fem sex sju åtta nio tio',
  ),
  da: wordsIn(
    'ja nej jo meget det som er var der hej tak godt oh ah en et to tre fire fem seks syv otte ni ti',
  ),
  no: wordsIn(
    'ja nei jo veldig mye det som er var der hei takk bra oh ah en et to tre fire fem seks sju syv åtte ni ti',
  ),
  pl: wordsIn(
    'tak nie bardzo no już dobra dobrze to cześć pa oh ah raz dwa trzy cztery pięć sześć siedem osiem',
  ),
  cs: wordsIn('ano ne jo no velmi moc už dobře to ahoj raz dva tři čtyři pět šest sedm osm'),
  ru: wordsIn(
    'да нет не очень так ну ага угу вот что чуть еле едва давно много о ой ах ох раз два три четыре пять шесть семь восемь',
  ),
  uk: wordsIn("так ні не дуже ну ага вот ось що ледь добре ой ах раз два три чотири п'ять шість сім вісім"),
  el: wordsIn('ναι όχι πολύ σιγά λίγο πρώτα γεια ένα δύο τρία τέσσερα πέντε'),
};

const legitimateIn: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(legitimateByLanguage).map(([language, words]) => [language, new Set(words)]),
);
/**
 * For a transcript whose language is unknown; without words that are common in one language and doubled only in another.
 */
const legitimateAnywhere: ReadonlySet<string> = new Set(
  Object.values(legitimateByLanguage)
    .flat()
    .filter((word) => !wordsIn('to en een er man').includes(word)),
);

/** After a longer pause, a segment may repeat the last word of the one before, because the speaker starts again. */
const maxPauseSeconds = 2;

const words = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;
/** The scripts of languages that are not known to double words. */
const letters = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}'’-]+$/u;
const capital = /^\p{Lu}/u;
const blank = /^\s+$/u;

interface Word extends WordRange {
  readonly text: string;
}

/** The words of a segment that can be doubled. */
interface SegmentWords {
  /** Runs of a word that is repeated with only spaces between. */
  readonly runs: readonly (readonly Word[])[];
  /** The word that begins or ends the text; `null` if that is punctuation. */
  readonly first: Word | null;
  readonly last: Word | null;
  readonly count: number;
}

const cache = new WeakMap<DraftSegment, SegmentWords>();

/** Returns the words of a segment from the cache, or reads them. */
function wordsOfSegment(segment: DraftSegment): SegmentWords {
  const cached = cache.get(segment);
  if (cached !== undefined) return cached;
  const { text } = segment;
  const all = Array.from(text.matchAll(words), ({ 0: word, index }) => ({
    text: word,
    from: index,
    to: index + word.length,
  }));
  const runs: Word[][] = [];
  let run: Word[] = [];
  for (const word of all) {
    const previous = run.at(-1);
    const follows =
      previous !== undefined && isSameWord(previous, word) && blank.test(text.slice(previous.to, word.from));
    if (!follows) run = [];
    run.push(word);
    if (run.length === 2) runs.push(run);
  }
  const [first] = all;
  const last = all.at(-1);
  const result = {
    runs,
    first: first !== undefined && text.slice(0, first.from).trim() === '' ? first : null,
    last: last !== undefined && text.slice(last.to).trim() === '' ? last : null,
    count: all.length,
  };
  cache.set(segment, result);
  return result;
}

const wordKey = ({ text }: Word): string => text.toLowerCase().replaceAll('’', "'");

/** Whether a word repeats the one before it. A word that is capitalized, unlike the one before, begins a new sentence. */
const isSameWord = (before: Word, word: Word): boolean =>
  wordKey(before) === wordKey(word) && (capital.test(before.text) || !capital.test(word.text));

/**
 * Whether a doubled word is a mistake rather than a legitimate repetition. @param word its second occurrence
 */
function isMistake(word: Word, language: string | null): boolean {
  if (!letters.test(word.text)) return false;
  // Two capitalized words may be a name, such as Duran Duran, and single letters may spell a word.
  if (capital.test(word.text) && (word.text.length === 1 ? word.text !== 'I' : language !== 'de'))
    return false;
  return !(legitimateIn[language ?? ''] ?? legitimateAnywhere).has(wordKey(word));
}

/** Returns the main language of a tag such as `pt-BR`. */
const baseLanguage = (tag: string | null): string | null => tag?.toLowerCase().split('-')[0] ?? null;

/** Characters around the words that a key contains. */
const keyContext = 30;

/**
 * Returns the doubled words of a segment, including one that ends the segment before and begins this one.
 *
 * @param language tag of the transcript's language, if it is known
 */
export function doubledWords(
  segment: DraftSegment,
  before: DraftSegment | undefined,
  language: string | null,
): readonly DoubledFinding[] {
  const code = baseLanguage(language);
  if (code !== null && doublingLanguages.has(code)) return [];
  const { id, text } = segment;
  const finding = (
    occurrence: Pick<DoubledFinding, 'range' | 'text' | 'count'>,
    rest: string,
    key: string,
  ): DoubledFinding => ({
    ...occurrence,
    key: `doubled:${id}:${key}`.slice(0, maxFindingLength),
    kind: 'doubled',
    segment: id,
    operation:
      rest === ''
        ? { kind: 'delete', segments: [id] }
        : { kind: 'set-texts', texts: [{ segment: id, before: text, text: rest }] },
  });
  const findings: DoubledFinding[] = [];
  const { runs, first } = wordsOfSegment(segment);
  const last = before === undefined || first === null ? null : continuedWord(before, segment, first);
  if (first !== null && last !== null && isMistake(first, code)) {
    const { from, to } = first;
    const occurrence = { range: { from, to }, text: `${last.text} ${first.text}`, count: 2 };
    findings.push(finding(occurrence, text.slice(to).trimStart(), `^${text.slice(0, keyContext)}`));
  }
  for (const run of runs) {
    const from = run[0]?.from ?? 0;
    const firstEnd = run[0]?.to ?? 0;
    const to = run.at(-1)?.to ?? 0;
    if (run[1] === undefined || !isMistake(run[1], code)) continue;
    const occurrence = { range: { from, to }, text: text.slice(from, to), count: run.length };
    const key = [
      text.slice(Math.max(0, from - keyContext), from),
      occurrence.text,
      text.slice(to, to + keyContext),
    ].join('|');
    findings.push(finding(occurrence, text.slice(0, firstEnd) + text.slice(to), key));
  }
  return findings;
}

/** Returns the last word of a segment if the next one begins by repeating it; otherwise `null`. */
function continuedWord(before: DraftSegment, { start, speaker }: DraftSegment, first: Word): Word | null {
  const { last, count } = wordsOfSegment(before);
  const isContinued = count > 1 && before.speaker === speaker && start - before.end <= maxPauseSeconds;
  return last !== null && isContinued && isSameWord(last, first) ? last : null;
}
