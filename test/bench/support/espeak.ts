import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Resampler } from '../../../electron/on-device/decode/resampler.ts';
import { join16k, readWav, sampleRate, silence, words } from '../../support/speech/speech-audio.ts';
import { benchCache } from '../../support/speech/speech-fixtures.ts';

/** A word that is said, normalized, and when it begins in seconds. */
export interface SpokenWord {
  readonly word: string;
  readonly start: number;
}

/** Speech with known times of its words. */
export interface TimedSpeech {
  readonly samples: Float32Array;
  /** All of what is said. */
  readonly text: string;
  /** Words with a known time. */
  readonly words: readonly SpokenWord[];
}

const espeakRate = 22_050;
/** Before and after each text, in seconds. */
const pauseSeconds = 0.75;
const events = z.array(z.object({ at: z.int().nonnegative(), start: z.number().nonnegative() }));

/** Voices and what they say: five speakers, everyday sentences. */
const speeches: Readonly<Record<string, string>> = {
  'en-us':
    'Good morning everybody, and welcome to the meeting. We have a lot of work to do today, so let us begin at once. ' +
    'First of all, I would like to thank the people who came here from other cities. The train was late, and the ' +
    'weather was terrible, but they arrived in time. Our first subject is the new building. It should have been ' +
    'finished in the spring, but the company that makes the windows had a fire.',
  en:
    'The old man sat by the river and watched the boats. Every day he came to the same place, with a newspaper and a ' +
    'small bag of bread. He gave most of the bread to the birds. When somebody asked him why he did this, he laughed. ' +
    'My wife used to feed them, he said, and I promised her that I would go on. That was eleven years ago.',
  'en-us+f3':
    'To cook this soup you need two onions, three potatoes, and a little butter. Cut the onions into small pieces and ' +
    'fry them slowly. Then add the potatoes and a litre of water. After twenty minutes, the potatoes should be soft. ' +
    'Add salt and pepper, and serve the soup with fresh bread. Children like it very much, especially in winter.',
  'en-gb-scotland+m3':
    'The government said on Monday that it will spend more money on schools and hospitals next year. Critics answered ' +
    'that the plan comes too late. They point out that thousands of teachers have already left their jobs. The ' +
    'minister did not want to answer questions from journalists. Parliament will vote on the plan in October.',
  'en+f2':
    'If you want to learn a language, start with the words that people use every day. Listen to the radio while you ' +
    'wash the dishes, even if you understand very little. After some weeks, you will notice that single words become ' +
    'clear. Write them down, and try to use each of them before the evening. Mistakes do not matter at all.',
};

/**
 * Lets espeak-ng say some texts, and returns when each word begins; `null` where its library is not installed
 * (Debian's package `libespeak-ng1`).
 */
export function speakTimedWords(): TimedSpeech | null {
  const parts: Float32Array[] = [];
  const spoken: SpokenWord[] = [];
  let seconds = 0;
  for (const [voice, text] of Object.entries(speeches)) {
    const speech = speak(voice, text);
    if (speech === null) return null;
    spoken.push(...speech.words.map(({ word, start }) => ({ word, start: start + seconds })));
    parts.push(speech.samples);
    seconds += speech.samples.length / sampleRate;
  }
  return { samples: join16k(...parts), text: Object.values(speeches).join(' '), words: spoken };
}

/** Lets espeak-ng say a text, between two pauses; `null` where its library is not installed. */
export function speak(voice: string, text: string): TimedSpeech | null {
  const folder = join(benchCache, 'espeak');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${voice}.wav`);
  const program = join(import.meta.dirname, 'espeak_words.py');
  const { status, stdout } = spawnSync('python3', [program, voice, file], { input: text });
  if (status !== 0) return null;
  const resampler = new Resampler(espeakRate, sampleRate);
  const speech = join16k(resampler.push(readWav(file, espeakRate)), resampler.end());
  return {
    samples: join16k(silence(pauseSeconds), speech, silence(pauseSeconds)),
    text,
    words: spokenWords(text, stdout.toString(), pauseSeconds),
  };
}

/** espeak-ng reports some words together with the next ones; only the first of those has a known time. */
function spokenWords(text: string, json: string, offset: number): readonly SpokenWord[] {
  const reported = events.parse(JSON.parse(json));
  // At the end of a clause, it reports some words once more.
  const inOrder = reported.filter(({ at }, i) => reported.slice(0, i).every((earlier) => earlier.at < at));
  return inOrder.flatMap(({ at, start }, i) => {
    const [word] = words(text.slice(at, inOrder[i + 1]?.at ?? text.length));
    return word === undefined ? [] : [{ word, start: offset + start }];
  });
}
