/**
 * Recordings of known texts, for benchmarks: those in the project's packages, and those of Debian packages once they
 * were fetched.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Resampler } from '../../../electron/on-device/decode/resampler.ts';
import { join16k, kennedy, readWav, sampleRate } from './speech-audio.ts';

/** A text and its recording: mono at 16 kHz. */
export interface Spoken {
  readonly samples: Float32Array;
  readonly text: string;
}

/** Where benchmarks store what they fetch. */
export const benchCache = resolve(import.meta.dirname, '../../../.cache/speech');

const debianFolder = join(benchCache, 'debian');
const debianPackages = ['pocketsphinx-testdata', ...packagesOf('en')];
/** The voices of a telephone exchange's sentences. */
const telephoneVoices = { en: 'en_US_f_Allison', es: 'es_MX_f_Allison', fr: 'fr_CA_f_June' } as const;

/** A language of the telephone exchange. */
export type TelephoneLanguage = keyof typeof telephoneVoices;
/** A prompt with fewer words is not a sentence. */
const minWords = 8;

/** Returns the packages with the texts of a telephone exchange and their recordings. */
function packagesOf(language: string): readonly string[] {
  return [`asterisk-core-sounds-${language}`, `asterisk-core-sounds-${language}-wav`];
}

/**
 * Fetches Debian's packages of recordings, with the standard tools of a Debian system.
 *
 * @param languages of the telephone exchange, in addition to English
 * @throws Error without these tools, or without a network
 */
export function fetchDebianRecordings(languages: readonly TelephoneLanguage[] = []): void {
  mkdirSync(debianFolder, { recursive: true });
  const packages = [...debianPackages, ...languages.flatMap(packagesOf)];
  execFileSync('apt-get', ['download', '-q', ...packages], { cwd: debianFolder, stdio: 'inherit' });
  for (const file of readdirSync(debianFolder).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['-x', file, '.'], { cwd: debianFolder });
  }
}

/** Yields all available recordings: a speech, a novel that is read aloud, and a telephone exchange's sentences. */
export function* spokenFixtures(): Generator<Spoken> {
  yield { samples: readWav(kennedy.wav), text: kennedy.text };
  yield* novel();
  yield* telephone('en');
}

/** Yields five sentences of "Sense and Sensibility". */
function* novel(): Generator<Spoken> {
  const folder = join(debianFolder, 'usr/share/pocketsphinx/test/data/librivox');
  const transcription = join(folder, 'transcription');
  if (!existsSync(transcription)) return;
  for (const [, text = '', name = ''] of readFileSync(transcription, 'utf8').matchAll(
    /^<s> (.+) <\/s> \((.+)\)$/gm,
  )) {
    yield { samples: readWav(join(folder, `${name}.wav`)), text };
  }
}

/** Yields the sentences of a telephone exchange, spoken by a woman and recorded at 8 kHz. */
export function* telephone(language: TelephoneLanguage): Generator<Spoken> {
  const sounds = `core-sounds-${language}`;
  const texts = join(debianFolder, `usr/share/doc/asterisk-${sounds}/${sounds}.txt.gz`);
  if (!existsSync(texts)) return;
  const lines = gunzipSync(readFileSync(texts)).toString();
  const folder = join(debianFolder, 'usr/share/asterisk/sounds', telephoneVoices[language]);
  for (const [, name = '', text = ''] of lines.matchAll(/^([^;:\n]+): ([^[\]<>#*\n]+)$/gm)) {
    const path = join(folder, `${name.replace(/\.wav$/, '')}.wav`);
    if (text.split(' ').length >= minWords && existsSync(path))
      yield { samples: readTelephoneWav(path), text };
  }
}

function readTelephoneWav(path: string): Float32Array {
  const telephoneRate = 8000;
  const resampler = new Resampler(telephoneRate, sampleRate);
  return join16k(resampler.push(readWav(path, telephoneRate)), resampler.end());
}
