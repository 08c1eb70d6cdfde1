import { ModelError } from '../../models/model-catalog.ts';

/** More entries than any published vocabulary has. */
const maxTokens = 65_536;
/** The file's last entry, the blank: it stands for no text. */
const blankEntry = '<blk>';
/** SentencePiece's mark of the beginning of a word. */
const wordMark = '\u2581';
/** Control tokens (`<unk>`, `<|en|>`) are not text. */
const controlToken = /^<[^<>\s]+>$/u;

/** The tokens of a model. */
export class Vocabulary {
  /** The text of each token, with a space before a word; empty for control tokens and {@link blank}. */
  readonly texts: readonly string[];

  /**
   * @param file `vocab.txt`: a line "piece id" for each token, the last of which is `<blk>`
   * @throws ModelError when it has another form
   */
  constructor(file: Uint8Array) {
    this.texts = parseVocabulary(file);
  }

  /** The token for no (further) text in a frame. */
  get blank(): number {
    return this.texts.length - 1;
  }
}

function parseVocabulary(file: Uint8Array): readonly string[] {
  let lines: readonly string[];
  try {
    lines = new TextDecoder('utf-8', { fatal: true }).decode(file).split(/\r?\n/u);
  } catch (cause) {
    throw new ModelError("The speech model's vocabulary is not text in UTF-8.", { cause });
  }
  const entries = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  if (entries.length > maxTokens) {
    throw new ModelError(`The speech model's vocabulary has more than ${maxTokens} tokens.`);
  }
  const texts: (string | undefined)[] = Array.from({ length: entries.length });
  for (const [index, entry] of entries.entries()) {
    // A piece may contain spaces itself; the last space precedes the number.
    const [, piece = '', digits = ''] = /^(.+) (\d{1,6})$/u.exec(entry) ?? [];
    const id = Number.parseInt(digits, 10);
    const isLast = id === entries.length - 1;
    const isBlank = piece === blankEntry;
    // Every number occurs once, and only the last one belongs to the blank.
    if (!(id < entries.length) || texts[id] !== undefined || isLast !== isBlank) {
      throw new ModelError(`Line ${index + 1} of the speech model's vocabulary is not the expected one.`);
    }
    texts[id] = controlToken.test(piece) ? '' : piece.replaceAll(wordMark, ' ');
  }
  if (texts.length < 2) throw new ModelError("The speech model's vocabulary is empty.");
  return texts.map((text) => text ?? '');
}
