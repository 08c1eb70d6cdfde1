/**
 * Recordings of people who say known words, for benchmarks: what is in the project's packages, and what Debian has in
 * packages of its own, once it was fetched.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Resampler } from '../../electron/on-device/decode/resampler.ts';
import { join16k, kennedy, readWav, sampleRate } from './speech-audio.ts';

/** Something that was said, and how it sounded: mono at 16 kHz. */
export interface Spoken {
  readonly samples: Float32Array;
  readonly text: string;
}

/** Where benchmarks keep what they fetch. */
export const benchCache = resolve(import.meta.dirname, '../../.cache/speech');

const debianFolder = join(benchCache, 'debian');
const debianPackages = ['pocketsphinx-testdata', 'asterisk-core-sounds-en', 'asterisk-core-sounds-en-wav'];
/** A prompt of fewer words is no sentence. */
const fewestWords = 8;

/**
 * Gets Debian's packages of recordings, with the ordinary tools of a Debian system.
 *
 * @throws Error where there are no such tools, or no network
 */
export function fetchDebianRecordings(): void {
  mkdirSync(debianFolder, { recursive: true });
  execFileSync('apt-get', ['download', '-q', ...debianPackages], { cwd: debianFolder, stdio: 'inherit' });
  for (const file of readdirSync(debianFolder).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['-x', file, '.'], { cwd: debianFolder });
  }
}

/** All that is there: a speech, a novel that is read aloud, and a telephone's sentences. */
export function* spokenFixtures(): Generator<Spoken> {
  yield { samples: readWav(kennedy.wav), text: kennedy.text };
  yield* novel();
  yield* telephone();
}

/** Five sentences of "Sense and Sensibility". */
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

/** The sentences of a telephone exchange, spoken by a woman and recorded at 8 kHz. */
function* telephone(): Generator<Spoken> {
  const texts = join(debianFolder, 'usr/share/doc/asterisk-core-sounds-en/core-sounds-en.txt.gz');
  if (!existsSync(texts)) return;
  const lines = gunzipSync(readFileSync(texts)).toString();
  for (const [, name = '', text = ''] of lines.matchAll(/^([^;:\n]+): ([^[\]<>#*\n]+)$/gm)) {
    const folder = join(debianFolder, 'usr/share/asterisk/sounds/en_US_f_Allison');
    const path = join(folder, `${name.replace(/\.wav$/, '')}.wav`);
    if (text.split(' ').length >= fewestWords && existsSync(path))
      yield { samples: readTelephoneWav(path), text };
  }
}

function readTelephoneWav(path: string): Float32Array {
  const telephoneRate = 8000;
  const resampler = new Resampler(telephoneRate, sampleRate);
  return join16k(resampler.push(readWav(path, telephoneRate)), resampler.end());
}
