import { z } from 'zod';
import { SpecialTokens } from './special-tokens.ts';

/** Text, and the tokens that it comes from: several where a character was cut. */
export interface TokenText {
  readonly text: string;
  /** Indices of the first token and of the last one. */
  readonly first: number;
  readonly last: number;
}

const vocabularySchema = z.record(z.string(), z.int().nonnegative());
const generationSchema = z.object({
  lang_to_id: z.record(z.string().regex(/^<\|[a-z]{2,3}\|>$/), z.int().positive()),
  suppress_tokens: z.array(z.int().nonnegative()),
  begin_suppress_tokens: z.array(z.int().nonnegative()),
  no_timestamps_token_id: z.int().optional(),
  alignment_heads: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])).default([]),
});

/** A head of the decoder's cross-attention that attends to the audio of the token that it predicts. */
export interface AlignmentHead {
  readonly layer: number;
  readonly head: number;
}

/**
 * Splits a text into the parts that are encoded separately, as GPT-2's pattern does except where white space is repeated.
 */
const textParts = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+/gu;

/** Converts tokens to text and text to tokens, and knows the tokens of languages. */
export class Tokenizer {
  readonly special: SpecialTokens;
  /** The language tokens by ISO 639 code (Javanese by its former one, `jw`). */
  readonly languages: ReadonlyMap<string, number>;
  /** Tokens that never occur in a transcript: brackets, musical notes and task tokens. */
  readonly suppressed: readonly number[];
  /** Tokens that a transcript never begins with. */
  readonly suppressedAtStart: readonly number[];
  /** Ordered by layer; empty when the model names none, as older exports do not. */
  readonly alignmentHeads: readonly AlignmentHead[];
  readonly #bytes: readonly (Uint8Array | undefined)[];
  /** The text tokens by their bytes, one character per byte. */
  readonly #tokens: ReadonlyMap<string, number>;

  /**
   * @param vocabulary `vocab.json`: the text of each token, with one character per byte
   * @param generation `generation_config.json`
   * @throws Error when the files are not of the expected shape
   */
  constructor(vocabulary: Uint8Array, generation: Uint8Array) {
    const config = generationSchema.parse(parseJson(generation));
    this.languages = new Map(
      Object.entries(config.lang_to_id).map(([languageToken, token]) => [languageToken.slice(2, -2), token]),
    );
    this.special = new SpecialTokens(this.languages.size);
    const { no_timestamps_token_id: noTimestamps = this.special.noTimestamps } = config;
    if (noTimestamps !== this.special.noTimestamps) {
      throw new RangeError(`The model's token ${noTimestamps} is not the expected one.`);
    }
    this.suppressed = config.suppress_tokens;
    this.suppressedAtStart = config.begin_suppress_tokens;
    this.alignmentHeads = config.alignment_heads
      .map(([layer, head]) => ({ layer, head }))
      .toSorted((a, b) => a.layer - b.layer);

    const bytes: Uint8Array[] = [];
    const tokens = new Map<string, number>();
    for (const [text, token] of Object.entries(vocabularySchema.parse(parseJson(vocabulary)))) {
      if (token >= this.special.endOfText) continue;
      bytes[token] = toBytes(text);
      tokens.set(text, token);
    }
    this.#bytes = bytes;
    this.#tokens = tokens;
  }

  /**
   * Returns the text tokens of a text. Tokens are numbered in the order in which they were formed, so two adjacent ones
   * whose joined token has the lowest number are joined first (byte pair encoding).
   */
  encode(text: string): readonly number[] {
    return Array.from(text.toWellFormed().matchAll(textParts), ([part]) => this.#encodePart(part)).flat();
  }

  /** Returns the text of the text tokens among the given ones. A character that was cut in two becomes U+FFFD. */
  decode(tokens: readonly number[]): string {
    return Buffer.concat(tokens.flatMap((token) => this.#bytes[token] ?? [])).toString('utf8');
  }

  /**
   * Returns the text of text tokens in pieces as short as the tokens allow. Joined, they are what {@link decode} returns.
   */
  decodeByToken(tokens: readonly number[]): readonly TokenText[] {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const pieces: TokenText[] = [];
    let first = 0;
    for (const [i, token] of tokens.entries()) {
      const text = decoder.decode(this.#bytes[token] ?? new Uint8Array(), { stream: true });
      if (text === '') continue;
      pieces.push({ text, first, last: i });
      first = i + 1;
    }
    const rest = decoder.decode();
    const last = tokens.length - 1;
    if (rest !== '') pieces.push({ text: rest, first: Math.min(first, last), last });
    return pieces;
  }

  #encodePart(part: string): readonly number[] {
    const units = Array.from(Buffer.from(part), (byte) => characterOfByte[byte] ?? '');
    for (;;) {
      let joinIndex = -1;
      let lowest = Infinity;
      for (let i = 0; i + 1 < units.length; i++) {
        const token = this.#tokens.get(`${units[i]}${units[i + 1]}`) ?? Infinity;
        if (token < lowest) [joinIndex, lowest] = [i, token];
      }
      if (joinIndex === -1) return units.flatMap((unit) => this.#tokens.get(unit) ?? []);
      units.splice(joinIndex, 2, `${units[joinIndex]}${units[joinIndex + 1]}`);
    }
  }
}

function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * GPT-2's mapping of characters to bytes: visible Latin-1 characters stand for themselves, all other bytes are numbered
 * from U+0100.
 */
const characterOfByte: readonly string[] = createByteTable();
const byteOfCharacter: ReadonlyMap<string, number> = new Map(
  characterOfByte.map((character, byte) => [character, byte]),
);

function createByteTable(): readonly string[] {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const hidden = bytes.filter((byte) => !isVisible(byte));
  return bytes.map((byte) => String.fromCharCode(isVisible(byte) ? byte : 256 + hidden.indexOf(byte)));
}

function isVisible(byte: number): boolean {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => byteOfCharacter.get(character) ?? 0);
}
