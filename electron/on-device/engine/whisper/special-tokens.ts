const endOfText = 50_257;
const startOfTranscript = 50_258;
const timestampSeconds = 0.02;
/** From 0.00 to 30.00 s. */
const timestampCount = 1501;

/**
 * The special tokens of a multilingual Whisper model. They follow the text tokens in the same order in all models: start,
 * languages, tasks, other control tokens, timestamps. large-v3 and large-v3-turbo have one language more than the models
 * before them (Cantonese), so everything after the languages is one higher.
 */
export class SpecialTokens {
  readonly endOfText = endOfText;
  readonly startOfTranscript = startOfTranscript;
  readonly translate: number;
  readonly transcribe: number;
  /** Followed by the previous text, then by the start of the transcript. */
  readonly startOfPrevious: number;
  readonly noSpeech: number;
  readonly noTimestamps: number;
  /** 0.00 s; each following token is 0.02 s later. */
  readonly firstTimestamp: number;
  /** The size of the vocabulary, and of the decoder's scores. */
  readonly vocabularySize: number;

  /** @param languageCount 99, or 100 in large-v3 and large-v3-turbo */
  constructor(languageCount: number) {
    this.translate = startOfTranscript + languageCount + 1;
    this.transcribe = this.translate + 1;
    // `<|startoflm|>`, which nothing uses, is between the two.
    this.startOfPrevious = this.transcribe + 2;
    this.noSpeech = this.startOfPrevious + 1;
    this.noTimestamps = this.noSpeech + 1;
    this.firstTimestamp = this.noTimestamps + 1;
    this.vocabularySize = this.firstTimestamp + timestampCount;
  }

  isTimestamp(token: number): boolean {
    return token >= this.firstTimestamp;
  }

  /** Converts a timestamp token to seconds from the start of the window. */
  secondsOf(timestamp: number): number {
    return (timestamp - this.firstTimestamp) * timestampSeconds;
  }

  /** Converts seconds from the start of the window to a timestamp token. */
  timestampAt(seconds: number): number {
    return this.firstTimestamp + Math.round(seconds / timestampSeconds);
  }
}
